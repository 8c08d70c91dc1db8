import Testing

@testable import MediaOrigin

@Suite struct ICYTests {
  @Test func blockIsPaddedTo16Bytes() {
    #expect(ICY.block(title: "A") == [1] + Array("StreamTitle='A';".utf8))
    #expect(ICY.block(title: "AB") == [2] + Array("StreamTitle='AB';".utf8) + [UInt8](repeating: 0, count: 15))
    #expect(ICY.block(title: nil) == [0])
  }

  @Test func longestTitleFillsLongestBlock() {
    let block = ICY.block(title: String(repeating: "x", count: 9000))
    #expect(block.first == 255)
    #expect(block.count == 1 + 4080)
    #expect(block.suffix(2) == Array("';".utf8))
  }
}
