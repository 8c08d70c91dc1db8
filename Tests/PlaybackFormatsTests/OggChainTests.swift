import PlaybackTestKit
import Testing

@testable import PlaybackFormats

struct OggChainTests {
  private func page(flags: UInt8) -> [UInt8] {
    Array("OggS".utf8) + [0, flags] + [UInt8](repeating: 1, count: 5_000)
  }

  private func chain(_ pieces: [(bytes: [UInt8], position: Int)]) -> OggChain {
    var chain = OggChain()
    for piece in pieces { piece.bytes.withUnsafeBytes { chain.read($0, at: piece.position) } }
    return chain
  }

  @Test func aStreamThatBeginsLaterIsFound() {
    let first = (page(flags: 2), 0)
    let cases: [(bytes: [UInt8], position: Int, expected: Bool)] = [
      (page(flags: 0) + page(flags: 4), 5_006, false), (page(flags: 2), 5_006, true),
      (page(flags: 0) + page(flags: 6), 70_000, true), (page(flags: 2), 4_095, false), (page(flags: 2), 4_096, true),
      (Array("OggS".utf8), 5_006, false), (Array("OggS".utf8) + [1, 2], 5_006, false), ([], 5_006, false),
    ]
    for (bytes, position, expected) in cases {
      #expect(chain([first, (bytes, position)]).isChained == expected)
    }
    #expect(!chain([([1, 2, 3, 4], 0), (page(flags: 2), 5_000)]).isChained)
  }

  @Test func aPageHeaderIsFoundHoweverItIsSplit() {
    let files = [(page(flags: 2) + page(flags: 6), true), (page(flags: 2) + page(flags: 4), false)]
    for (file, expected) in files {
      for split in 0...file.count {
        let parts = chain([(Array(file[..<split]), 0), (Array(file[split...]), split)])
        #expect(parts.isChained == expected && parts.isOgg == true, "split at \(split)")
      }
      let bytes = chain(file.enumerated().map { ([$1], $0) })
      #expect(bytes.isChained == expected && bytes.isOgg == true)
    }
  }

  @Test func partsFromDifferentPlacesAreNotJoined() {
    let (start, rest) = (Array("Og".utf8), Array("gS".utf8) + [0, 2])
    #expect(!chain([(page(flags: 2), 0), (start, 10_000), (Array(rest.dropFirst()), 20_000)]).isChained)
    #expect(!chain([(page(flags: 2), 0), (start, 10_000), (Array("gS".utf8) + [0, 2], 10_003)]).isChained)
  }
}
