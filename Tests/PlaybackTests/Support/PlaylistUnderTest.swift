import PlayerTestKit
import Testing

@testable import Playback
@testable import PlaybackModel

/// A playlist on a running player.
struct PlaylistUnderTest: Sendable {
  /// @unchecked Sendable is safe: `source` is used only by bodies that run on the player's executor.
  private final class Box: @unchecked Sendable {
    var source: PlaylistSource
    init(_ source: PlaylistSource) { self.source = source }
  }

  let test: PlayerUnderTest
  private let box: Box

  init(_ test: PlayerUnderTest) async {
    self.test = test
    box = await Self.make(on: test.player)
  }

  private static func make(on player: isolated Player) -> Box {
    let box = Box(PlaylistSource(player: player))
    player.observe(.playlist) { box.source.update($0) }
    return box
  }

  /// Runs the body on the player's executor.
  @discardableResult
  func run<T: Sendable>(_ body: @Sendable (PlaylistSource) throws -> T) async rethrows -> T {
    try await run(on: test.player, body)
  }

  private func run<T: Sendable>(
    on player: isolated Player, _ body: @Sendable (PlaylistSource) throws -> T
  ) rethrows -> T {
    try body(box.source)
  }

  /// Appends tracks.
  /// - Returns: their ids.
  @discardableResult
  func append(_ urls: [String]) async throws -> [UInt32] {
    try await run { list in
      try urls.map { try list.insert(PlaylistTrack(uri: $0, metadata: ""), after: list.list.ids.last ?? 0) }
    }
  }

  /// The list and its deck at the same moment.
  var both: (Playlist, Deck) { get async { await Self.both(of: box, on: test.player) } }

  private static func both(of box: Box, on player: isolated Player) -> (Playlist, Deck) {
    (box.source.list, player.deck(.playlist))
  }

  var currentID: UInt32 { get async { await run { $0.list.currentID } } }

  /// Waits until the list and its deck meet the condition; fails the test after 30 s.
  func wait(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    until condition: @escaping @Sendable (Playlist, Deck) -> Bool
  ) async {
    await test.wait(what, sourceLocation: sourceLocation) { [box] player in
      condition(box.source.list, player.deck(.playlist))
    }
  }

  /// Waits until playback has finished: without a clock the last track ends at once.
  func waitUntilFinished(sourceLocation: SourceLocation = #_sourceLocation) async {
    let notices = test.notices
    await wait("the end of the list", sourceLocation: sourceLocation) { _, deck in
      deck.state == .stopped && notices.withLock { $0.contains { $0.contains(.finished) } }
    }
  }

  func waitForEnd(sourceLocation: SourceLocation = #_sourceLocation) async {
    await wait("the end", sourceLocation: sourceLocation) { $1.state == .stopped }
  }
}

/// The commands of the playlist's controllers.
extension PlaylistSource {
  func play() { player.immediately { try? $0.play(.playlist) } }

  func pause() { player.immediately { try? $0.pauseOrStop(.playlist) } }

  func stop() { player.immediately { $0.stop(.playlist) } }

  func seek(toIndex index: Int) throws(PlaylistError) { try seek(toID: list.id(at: index) ?? 0) }

  func seek(to position: Duration) throws(PlayerError) {
    try player.immediately { player throws(PlayerError) in try player.seekAndPlay(to: position, of: .playlist) }
  }

  func insert(_ track: PlaylistTrack, after predecessor: UInt32) throws(PlaylistError) -> UInt32 {
    try insert([track], after: predecessor)[0]
  }
}
