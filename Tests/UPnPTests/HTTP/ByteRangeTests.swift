import Testing

@testable import UPnP

struct ByteRangeTests {
  @Test(
    arguments: [
      (nil, .whole),
      ("bytes=0-", .part(0..<1000)),
      ("bytes=0-0", .part(0..<1)),
      ("bytes=999-", .part(999..<1000)),
      ("bytes=10-19", .part(10..<20)),
      ("bytes=990-5000", .part(990..<1000)),
      ("bytes=-10", .part(990..<1000)),
      ("bytes=-5000", .part(0..<1000)),
      ("bytes=1000-", .unsatisfiable),
      ("bytes=5000-6000", .unsatisfiable),
      ("bytes=-0", .unsatisfiable),
      ("bytes=20-10", .whole),
      ("bytes=0-1,5-6", .whole),
      ("bytes=0-9223372036854775807", .part(0..<1000)),
      ("bytes=0-99999999999999999999", .part(0..<1000)),
      ("bytes=99999999999999999999-", .unsatisfiable),
      ("Bytes=10-19", .part(10..<20)),
      ("bytes=+1-5", .whole),
      ("bytes=", .whole),
      ("", .whole),
      ("bytes=-", .whole),
      ("bytes=a-b", .whole),
      ("items=0-1", .whole),
    ] as [(String?, ByteRange)])
  func header(header: String?, meaning: ByteRange) {
    #expect(ByteRange(header, size: 1000) == meaning)
  }

  @Test func emptyResourceHasNoRanges() {
    #expect(ByteRange("bytes=0-", size: 0) == .unsatisfiable)
    #expect(ByteRange("bytes=-1", size: 0) == .unsatisfiable)
    #expect(ByteRange(nil, size: 0) == .whole)
  }
}
