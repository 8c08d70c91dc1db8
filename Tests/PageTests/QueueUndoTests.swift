import NIOCore
import Testing

@testable import Page
@testable import PlaybackModel
@testable import SpeakerCore

struct QueueUndoTests {
  private func at(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }

  @Test func eachRemovalIsUndoneOnce() {
    var undo = QueueUndo(run: 7)
    let token = undo.keep(.removed([]), now: at(0))
    #expect(undo.take("7-9", now: at(0)) == nil)
    #expect(undo.take(token, now: at(1)) == .removed([]))
    #expect(undo.take(token, now: at(1)) == nil)
  }

  @Test(arguments: [(119, true), (120, false)] as [(Int64, Bool)])
  func removalsAreKeptForTwoMinutes(seconds: Int64, isKept: Bool) {
    var undo = QueueUndo(run: 7)
    let token = undo.keep(.removed([]), now: at(0))
    #expect(undo.nextEnd == at(120))
    #expect((undo.take(token, now: at(seconds)) != nil) == isKept)
    #expect(undo.nextEnd == nil)
  }

  /// A folder that replaces the queue is read for up to two minutes.
  @Test func changesThatGoOnAreKeptFromTheirEnd() {
    var undo = QueueUndo(run: 7)
    let token = undo.keep(.removed([]), now: at(0))
    let change = QueueChange.removed([
      DeletedTrack(id: 1, track: PlaylistTrack(uri: "http://host/1", metadata: ""), index: 0, wasCurrent: true)
    ])
    undo.update(token, to: change, now: at(100))
    #expect(undo.nextEnd == at(220))
    #expect(undo.take(token, now: at(219)) == change)
    // Undone before its end.
    undo.update(token, to: change, now: at(219))
    #expect(undo.take(token, now: at(219)) == nil)
  }

  @Test func theLastThreeAreKept() {
    var undo = QueueUndo(run: 7)
    let tokens = (0..<4).map { _ in undo.keep(.removed([]), now: at(0)) }
    #expect(tokens.map { undo.take($0, now: at(0)) != nil } == [false, true, true, true])
  }
}
