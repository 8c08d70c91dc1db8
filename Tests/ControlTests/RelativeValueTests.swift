import Testing

@testable import swiftlet_control

@Suite struct RelativeValueTests {
  @Test(arguments: [
    ("40", 40, false), ("0", 0, false), ("+5", 5, true), ("-5", -5, true), ("5+", 5, true), ("5-", -5, true),
  ])
  func readsNumbers(text: String, amount: Int, isRelative: Bool) {
    #expect(RelativeValue.number(text) == RelativeValue(amount: amount, isRelative: isRelative))
  }

  @Test(arguments: ["", "+", "-", "--5", "+5-", "5 ", "1:23", "4.5", "x", "٤", "99999999999999999999"])
  func refusesOtherNumbers(text: String) {
    #expect(RelativeValue.number(text) == nil)
  }

  @Test(arguments: [
    ("90", 90, false), ("1:23", 83, false), ("0:05", 5, false), ("1:02:03", 3723, false), ("90:00", 5400, false),
    ("+30", 30, true), ("-1:00", -60, true),
  ])
  func readsTimes(text: String, seconds: Int, isRelative: Bool) {
    #expect(RelativeValue.time(text) == RelativeValue(amount: seconds, isRelative: isRelative))
  }

  @Test(arguments: ["", ":", "1:", ":23", "1:60", "1:2:3:4", "1:-2", "1.5", "9999999999:00", "99999999999999999999"])
  func refusesOtherTimes(text: String) {
    #expect(RelativeValue.time(text) == nil)
  }
}
