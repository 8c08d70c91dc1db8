@testable import Providers
@testable import Renderer
@testable import SpeakerCore
@testable import UPnP

/// Each line is tested as a time, base64, a number and a log message.
enum ValuesTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    var input = Input(input)
    while let line = input.line() {
      time(line)
      base64(line)
      numbers(line)
      log(line)
    }
  }

  /// A peer's text must stay on one log line, without control characters that a terminal would interpret.
  private static func log(_ text: String) {
    let written = LogLine(level: .info, text: text).text
    let isPlain = written.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    check(isPlain, "logged \(written)")
    check(written.utf8.count < 1010, "logged \(written.utf8.count) bytes")
  }

  private static func time(_ text: String) {
    guard let time = UPnPTime.duration(text) else { return }
    check(time >= .zero, "\(time) of \(text)")
    let written = UPnPTime.text(time)
    guard let again = UPnPTime.duration(written) else { return check(false, "\(written) of \(text)") }
    check(again <= time && time - again < .seconds(1), "\(written) of \(text)")
  }

  private static func base64(_ text: String) {
    guard let bytes = Base64.decode(text.utf8) else { return }
    check(Base64.decode(Base64.encode(bytes).utf8) == bytes, "\(bytes) of \(text)")
  }

  private static func numbers(_ text: String) {
    number(text, UInt8.self)
    number(text, Int8.self)
    number(text, UInt16.self)
    number(text, Int16.self)
    number(text, UInt32.self)
    number(text, Int32.self)
    if case .value(let value) = Bool.read(text) {
      guard case .value(value) = Bool.read(value.upnpText) else { return check(false, text) }
    }
  }

  private static func number<Value: ArgumentValue & FixedWidthInteger>(_ text: String, _ type: Value.Type) {
    guard case .value(let value) = Value.read(text) else { return }
    guard case .value(value) = Value.read(value.upnpText) else { return check(false, "\(value) of \(text)") }
  }
}
