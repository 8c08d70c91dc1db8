import Testing

@testable import Page

@Suite struct PictureMemoryTests {
  @Test func allPicturesTogetherAreLimited() {
    let memory = PictureMemory(limit: 10)
    var first: PictureMemory.Share? = memory.share()
    let second = memory.share()
    #expect(first?.grow(to: 4) == true && first?.grow(to: 6) == true && second.grow(to: 4))
    #expect(!second.grow(to: 5) && second.isRefused && first?.isRefused == false)
    // A refused growth takes nothing.
    #expect(!memory.share().grow(to: 1))
    first = nil
    #expect(second.grow(to: 10) && !memory.share().grow(to: 1))
  }
}
