import Testing

@testable import PlaybackEngine
@testable import PlaybackModel

struct SourceStateTests {
  private enum Event {
    case prerolled(mustSeek: Bool = false, awaitsParts: Bool = false)
    case position, move, partsRead, postpone, readDocument, dispose, reachEnd
    case seek(isSearching: Bool = false)
    case filled(isSlow: Bool = false)
    case fail(PlaybackError?)
  }

  /// The answer to an event; nothing for events without one.
  private enum Answer: Equatable {
    case nothing
    case yes, no
    case arrival(SourceState.Arrival)
  }

  private struct Case: CustomTestStringConvertible {
    let testDescription: String
    let steps: [(Event, Answer)]
    let stage: SourceState.Stage
    var isReady = false

    init(
      _ description: String, _ stage: SourceState.Stage, isReady: Bool = false, _ steps: [(Event, Answer)]
    ) {
      (testDescription, self.stage, self.isReady, self.steps) = (description, stage, isReady, steps)
    }
  }

  private static let opened: [(Event, Answer)] = [
    (.prerolled(), .arrival(.arrived)), (.position, .nothing), (.filled(), .yes),
  ]
  private static let sought = opened + [(.move, .yes), (.seek(), .nothing)]

  private static let cases = [
    Case("a track from its beginning", .positioned, isReady: true, opened),
    Case("it may be filled first", .positioned, isReady: true, [opened[2], opened[0], opened[1]]),
    Case("a slow server must deliver more", .positioned, [opened[0], opened[1], (.filled(isSlow: true), .no)]),
    Case(
      "but only once", .positioned, isReady: true,
      [opened[0], opened[1], (.filled(isSlow: true), .no), (.filled(isSlow: true), .yes)]),
    Case(
      "not again after a seek", .positioned, isReady: true,
      [opened[0], opened[1], (.filled(isSlow: true), .no), (.filled(), .yes), (.move, .yes), (.seek(), .nothing)]
        + [opened[0], opened[1], (.filled(isSlow: true), .yes)]),
    Case(
      "a track from another position", .positioned, isReady: true,
      [(.prerolled(mustSeek: true), .arrival(.seek)), (.seek(), .nothing)] + opened),
    Case(
      "a refused seek leaves it at its beginning", .positioned,
      [(.prerolled(mustSeek: true), .arrival(.seek)), (.seek(), .nothing), (.position, .nothing)]),
    Case("a seek empties the buffer", .seeking(isStale: false), sought),
    Case("and fills it again", .positioned, isReady: true, sought + opened),
    Case(
      "a second seek waits for the first", .seeking(isStale: true), sought + [(.move, .no), (.move, .no)]),
    Case(
      "and follows it", .positioned, isReady: true,
      sought + [(.move, .no), (.prerolled(), .arrival(.seek)), (.seek(), .nothing)] + opened),
    Case("before there is sound, the new position becomes the start", .opening, [(.move, .no)]),
    Case(
      "a search is started again at once", .searching, opened + [(.seek(isSearching: true), .nothing), (.move, .yes)]),
    Case(
      "sound that arrives during a search is not that of the target", .searching,
      opened + [(.seek(isSearching: true), .nothing), (.prerolled(), .arrival(.wait))]),
    Case(
      "what is filled during a search is discarded by the seek", .seeking(isStale: false),
      opened + [(.seek(isSearching: true), .nothing), (.filled(), .yes), (.seek(), .nothing)]),
    Case(
      "the parts of an MP3 file come before the seek", .awaitingParts,
      [(.prerolled(mustSeek: true, awaitsParts: true), .arrival(.wait)), (.move, .no), (.partsRead, .yes)]),
    Case(
      "without a seek they change nothing", .positioned,
      [(.prerolled(awaitsParts: true), .arrival(.arrived)), (.position, .nothing), (.partsRead, .no)]),
    Case("a broken source waits for its replacement", .postponed, opened + [(.postpone, .nothing)]),
    Case(
      "and is not heard again", .postponed, opened + [(.postpone, .nothing), (.prerolled(), .arrival(.wait))]),
    Case("a document is read once", .document, [(.readDocument, .yes), (.readDocument, .no)]),
    Case("sound is no document", .positioned, isReady: true, opened + [(.readDocument, .no)]),
    Case("a source is disposed of once", .disposed, opened + [(.dispose, .yes), (.dispose, .no)]),
  ]

  @Test(arguments: cases) private func changes(_ test: Case) {
    var state = SourceState()
    for (index, (event, answer)) in test.steps.enumerated() {
      #expect(Self.perform(event, on: &state) == answer, "step \(index)")
    }
    #expect(state.stage == test.stage)
    #expect(state.isReady == test.isReady)
    #expect(state.isSeeking == (state.isPrerolled && state.stage != .positioned))
  }

  private static func perform(_ event: Event, on state: inout SourceState) -> Answer {
    switch event {
    case .prerolled(let mustSeek, let awaitsParts):
      return .arrival(state.prerolled(mustSeek: mustSeek, awaitsParts: awaitsParts))
    case .move: return state.move() ? .yes : .no
    case .partsRead: return state.partsRead() ? .yes : .no
    case .readDocument: return state.readDocument() ? .yes : .no
    case .dispose: return state.dispose() ? .yes : .no
    case .filled(let isSlow): return state.filled(isSlow: isSlow) ? .yes : .no
    case .position: state.position()
    case .postpone: state.postpone()
    case .reachEnd: state.reachEnd()
    case .seek(let isSearching): state.seek(isSearching: isSearching)
    case .fail(let error): state.setFailure(error)
    }
    return .nothing
  }

  @Test(
    arguments: [
      ([], .none), ([.fail(.truncated)], .failed(.truncated)), ([.reachEnd], .atEnd),
      // The stream was read again and ended at the same place: that was its end.
      ([.fail(.truncated), .fail(nil)], .none), ([.fail(.stalled), .seek(), .position], .failed(.stalled)),
    ] as [([Event], SourceState.Ending)])
  private func ends(after events: [Event], ending: SourceState.Ending) {
    var state = SourceState()
    for event in events { _ = Self.perform(event, on: &state) }
    #expect(state.ending == ending)
    if case .failed(let error) = ending { #expect(state.failure == error) } else { #expect(state.failure == nil) }
  }
}
