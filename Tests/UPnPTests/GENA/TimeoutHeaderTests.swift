import Testing

@testable import UPnP

struct TimeoutHeaderTests {
  @Test(arguments: [
    (nil, 1800), ("Second-300", 300), ("second-300", 300), ("SECOND-1800", 1800), ("Second-1801", 1800),
    ("Second-infinite", 1800), ("infinite", 1800), ("Second-0", 10), ("Second-1", 10), ("Second--5", 1800),
    ("Second-", 1800), ("300", 1800), ("", 1800), ("Second-3e2", 1800), ("Second-99999999999999999999", 1800),
  ])
  func grants(_ asked: String?, seconds: Int) {
    #expect(TimeoutHeader.granted(asked) == seconds)
  }
}
