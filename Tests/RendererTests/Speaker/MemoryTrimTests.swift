import NIOEmbedded
import Testing

@testable import Renderer

@Suite(.timeLimit(.minutes(1)))
struct MemoryTrimTests {
  private let eventLoop = EmbeddedEventLoop()

  @Test func changesInARowTrimOnceAfterTheLast() {
    var trims = 0
    let trim = MemoryTrim(eventLoop: eventLoop) { trims += 1 }
    trim.request()
    eventLoop.advanceTime(by: MemoryTrim.delay - .milliseconds(1))
    trim.request()
    eventLoop.advanceTime(by: MemoryTrim.delay - .milliseconds(1))
    #expect(trims == 0)
    eventLoop.advanceTime(by: .milliseconds(1))
    #expect(trims == 1)
    eventLoop.advanceTime(by: MemoryTrim.delay)
    #expect(trims == 1)
  }

  @Test func laterChangeTrimsAgain() {
    var trims = 0
    let trim = MemoryTrim(eventLoop: eventLoop) { trims += 1 }
    for _ in 1...2 {
      trim.request()
      eventLoop.advanceTime(by: MemoryTrim.delay)
    }
    #expect(trims == 2)
  }
}
