import Testing

@testable import Playback

struct OggChainTests {
  @Test func aStreamThatBeginsLaterIsFound() {
    func page(flags: UInt8) -> [UInt8] { Array("OggS".utf8) + [0, flags] + [UInt8](repeating: 1, count: 5_000) }
    let cases: [(bytes: [UInt8], position: Int, expected: Bool)] = [
      (page(flags: 2) + page(flags: 0) + page(flags: 4), 0, false), (page(flags: 2) + page(flags: 2), 0, true),
      (page(flags: 0) + page(flags: 6), 70_000, true), (page(flags: 2), 4_095, false), (page(flags: 2), 4_096, true),
      (Array("OggS".utf8), 5_000, false), (Array("OggS".utf8) + [1, 2], 5_000, false), ([], 5_000, false),
    ]
    for (bytes, position, expected) in cases {
      #expect(bytes.withUnsafeBytes { OggChain.beginsAnother(in: $0, at: position) } == expected)
    }
  }
}
