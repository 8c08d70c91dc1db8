import Testing

@testable import UPnP

@Suite struct UPnPTimeTests {
  @Test(arguments: [
    (0, "0:00:00"), (59_999, "0:00:59"), (60_000, "0:01:00"), (3_599_999, "0:59:59"), (3_600_000, "1:00:00"),
    (359_999_000, "99:59:59"), (360_000_000, "100:00:00"), (-1, "0:00:00"),
  ])
  func writes(milliseconds: Int, text: String) {
    #expect(UPnPTime.text(.milliseconds(milliseconds)) == text)
  }

  @Test(arguments: [
    ("0:00:00", 0), ("00:00:07", 7_000), ("0:4:2", 242_000), ("1:02:03", 3_723_000), ("100:00:00", 360_000_000),
    ("0:00:01.5", 1_500), ("0:00:01.500", 1_500), ("0:00:01.1/4", 1_250), ("00:03:25.000", 205_000),
  ])
  func reads(text: String, milliseconds: Int) {
    #expect(UPnPTime.duration(text) == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    "", ":", "::", "0:00", "0:00:60", "0:60:00", "-0:00:01", "+0:00:01", "0:00:-1", "a:00:00", "0:00:00:00",
    "NOT_IMPLEMENTED",
    "0:00:01.", "0:00:01.x", "0:00:01.4/4", "0:00:01.1/0", "99999999999999999999:00:00", "9999999999:00:00", "0:00:٣",
    " 0:00:01",
  ])
  func refuses(text: String) {
    #expect(UPnPTime.duration(text) == nil)
  }
}
