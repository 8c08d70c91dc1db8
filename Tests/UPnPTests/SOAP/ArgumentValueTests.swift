import Testing

@testable import UPnP

struct ArgumentValueTests {
  private enum Reading<Value: Equatable>: Equatable {
    case value(Value)
    case notAllowed, wrongType
  }

  private func read<Value: ArgumentValue & Equatable>(_ text: String, as type: Value.Type = Value.self) -> Reading<
    Value
  > {
    switch Value.read(text) {
    case .value(let value): .value(value)
    case .notAllowed: .notAllowed
    case .wrongType: .wrongType
    }
  }

  @Test func numbers() {
    #expect(read("0", as: UInt8.self) == .value(0))
    #expect(read("+7", as: UInt8.self) == .value(7))
    #expect(read(" \r\n7\t", as: UInt8.self) == .value(7))
    #expect(read("007", as: UInt8.self) == .value(7))
    #expect(read("-0", as: UInt8.self) == .value(0))
    #expect(read("256", as: UInt8.self) == .notAllowed)
    #expect(read("-1", as: UInt32.self) == .notAllowed)
    #expect(read("4294967295", as: UInt32.self) == .value(.max))
    #expect(read("-129", as: Int8.self) == .notAllowed)
    #expect(read("-2147483648", as: Int32.self) == .value(.min))
    #expect(read("99999999999999999999999", as: Int32.self) == .notAllowed)
    for text in ["", " ", "-", "+", "1.0", "1e3", "0x10", "1 2", "one", "١", "--1", "1\u{301}", "1\u{0}"] {
      #expect(read(text, as: Int32.self) == .wrongType, "\(text)")
    }
    #expect(Int16.min.upnpText == "-32768")
  }

  @Test func booleans() {
    for text in ["1", "true", "yes", "True", "YES", " 1 "] {
      #expect(read(text, as: Bool.self) == .value(true), "\(text)")
    }
    for text in ["0", "false", "no", "False"] { #expect(read(text, as: Bool.self) == .value(false), "\(text)") }
    for text in ["", "2", "on", "-1", "t"] { #expect(read(text, as: Bool.self) == .wrongType, "\(text)") }
    #expect([true, false].map(\.upnpText) == ["1", "0"])
  }

  @Test func stringsAreTakenAsTheyAre() {
    for text in ["", " a ", "\n", "e\u{301}"] {
      #expect(read(text, as: String.self) == .value(text))
      #expect(text.upnpText == text)
    }
  }

  @Test func bytes() {
    #expect(read("", as: [UInt8].self) == .value([]))
    #expect(read("AP8=\n", as: [UInt8].self) == .value([0, 255]))
    #expect(read("AP8", as: [UInt8].self) == .wrongType)
    #expect([UInt8]([0, 255]).upnpText == "AP8=")
  }

  @Test func allowedValues() {
    #expect(read("NORMAL", as: PlayMode.self) == .value(.normal))
    #expect(read(" NORMAL\n", as: PlayMode.self) == .value(.normal))
    for text in ["", "normal", "NORMAL2"] { #expect(read(text, as: PlayMode.self) == .notAllowed) }
    #expect(PlayMode.repeatAll.upnpText == "REPEAT_ALL")
  }
}
