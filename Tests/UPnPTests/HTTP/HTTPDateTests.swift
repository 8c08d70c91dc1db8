import Testing

@testable import UPnP

struct HTTPDateTests {
  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"), (4_102_444_800, "Fri, 01 Jan 2100 00:00:00 GMT"),
  ])
  func writes(seconds: Int, text: String) {
    #expect(HTTPDate.text(secondsSinceEpoch: seconds) == text)
  }
}
