import Testing

@testable import UPnP

struct ActionArgumentsTests {
  private let arguments = ActionArguments([
    ("N", "5"), ("Big", "70000"), ("Text", "x"), ("Twice", "1"), ("Twice", "1"), ("Mode", "none"),
  ])
  private let fault = ActionFault(710)

  private func number(_ name: String, in range: ClosedRange<UInt16>) throws(ActionFault) -> UInt16 {
    try arguments.value(name, in: range, fault: fault)
  }

  @Test func argumentsMustBePresentOnceAndOfTheirType() throws {
    try arguments.expect([:])
    try arguments.expect(["Text": String.self, "N": UInt8.self, "Mode": PlayMode.self])
    // A number that is too large for its type still counts as a number.
    try arguments.expect(["Big": UInt16.self])
    #expect(throws: ActionFault.invalidArgs) { try arguments.expect(["N": UInt8.self, "Missing": String.self]) }
    #expect(throws: ActionFault.invalidArgs) { try arguments.expect(["Twice": UInt8.self]) }
    #expect(throws: ActionFault.invalidArgs) { try arguments.expect(["Text": UInt8.self]) }
  }

  @Test func valuesAreHeldToTheirRange() throws {
    #expect(try number("N", in: 5...5) == 5)
    #expect(throws: fault) { try number("N", in: 6...9) }
    #expect(throws: fault) { try number("N", in: 0...4) }
    #expect(throws: fault) { try number("Big", in: 0...9) }
    #expect(throws: ActionFault.invalidArgs) { try number("Text", in: 0...9) }
    #expect(throws: ActionFault.invalidArgs) { try number("Missing", in: 0...9) }
    #expect(throws: fault) { let _: PlayMode = try arguments.value("Mode", fault: fault) }
    #expect(throws: ActionFault.argumentValueOutOfRange) { let _: PlayMode = try arguments.value("Mode") }
  }

  @Test(
    arguments: [("0", nil), ("1", 718), ("-1", 718), ("4294967296", 718), ("", 402), ("x", 402)] as [(String, Int?)])
  func thereIsOneInstance(text: String, code: Int?) {
    let arguments = ActionArguments([("InstanceID", text)])
    do throws(ActionFault) {
      try arguments.checkInstance("InstanceID", fault: ActionFault(718))
      #expect(code == nil)
    } catch {
      #expect(error.code == code)
    }
  }
}
