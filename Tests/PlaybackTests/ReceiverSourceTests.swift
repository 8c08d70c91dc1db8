import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import Playback
@testable import PlaybackModel

/// Songcast on a player with a silent pipeline: senders, what they announce, and what is saved.
@Suite struct ReceiverSourceTests {
  private static let zone = "ohz://239.255.255.250:51972/kitchen"
  private static let other = "ohu://192.0.2.1:5000"

  private final class Log {
    var kept: [ReceiverState] = []
  }

  private func withReceiver(
    sender: ReceiverState? = nil,
    _ body: @escaping @Sendable (ReceiverSource, Player, _ kept: () -> [ReceiverState]) -> Void
  ) async throws {
    try await withSilentPlayer { test, _ in
      let player = test.player
      await player.perform { _ in
        let log = Log()
        let receiver = ReceiverSource(
          player: player, sender: sender, tidy: { text, _ in text == "<broken" ? "<tidy>" : text },
          texts: { TrackTags(title: $0, isLive: true) }, save: { log.kept.append($0) })
        body(receiver, player) { log.kept }
      }
    }
  }

  @Test func senderIsCuedAndBecomesCurrent() async throws {
    try await withReceiver { receiver, player, kept in
      #expect(receiver.sender == nil)
      receiver.setSender(uri: Self.zone, metadata: "<broken")
      #expect(receiver.sender == MediaItem(uri: Self.zone, metadata: "<tidy>"))
      #expect(player.immediately { $0.source } == .receiver)
      #expect(player.immediately { $0.deck(.receiver).state } == .stopped)
      #expect(kept() == [ReceiverState(uri: Self.zone, metadata: "<tidy>")])
    }
  }

  @Test func aJoinedSenderIsJoinedAgainAfterARestart() async throws {
    let saved = ReceiverState(uri: Self.zone, metadata: "", isJoined: true)
    try await withReceiver { receiver, player, kept in
      receiver.setSender(uri: Self.zone, metadata: "")
      player.immediately { try? $0.play(.receiver) }
      receiver.update([.state])
      #expect(kept().last == saved)
      player.immediately { try? $0.stop(.receiver) }
      receiver.update([.state])
      #expect(kept().last?.isJoined == false)
    }
    for source in [Source.receiver, .radio] {
      try await withSilentPlayer { test, _ in
        await test.player.perform { player in
          player.selectSource(source)
          let receiver = ReceiverSource(
            player: player, sender: saved, tidy: { text, _ in text }, texts: { _ in TrackTags() })
          #expect(player.deck(.receiver).state.isActive == (source == .receiver))
          #expect(receiver.sender?.uri == Self.zone)
        }
      }
    }
  }

  @Test func senderWakesAndStopsTheSourceBefore() async throws {
    try await withReceiver { receiver, player, _ in
      player.immediately { player in
        player.setItem(MediaItem(uri: "http://host/a"), of: .radio)
        try? player.play(.radio)
        player.setStandby(true)
      }
      receiver.setSender(uri: Self.zone, metadata: "")
      #expect(player.immediately { !$0.isStandby && $0.source == .receiver && $0.deck(.radio).state == .stopped })
    }
  }

  @Test func anotherSenderPlaysAtOnceAndTheSameGoesOn() async throws {
    try await withReceiver { receiver, player, kept in
      receiver.setSender(uri: Self.zone, metadata: "")
      player.immediately { try? $0.play(.receiver) }
      let first = player.immediately { $0.deck(.receiver).trackID }
      receiver.setSender(uri: Self.zone, metadata: "")
      #expect(player.immediately { $0.deck(.receiver).trackID } == first)
      receiver.setSender(uri: Self.other, metadata: "")
      #expect(player.immediately { $0.deck(.receiver).state } == .transitioning)
      #expect(player.immediately { $0.deck(.receiver).trackURI } == Self.other)
      #expect(kept().map(\.uri) == [Self.zone, Self.other])
    }
  }

  /// Clearing the sender of a source that is not current takes nothing over.
  @Test func emptyAddressClearsAndStops() async throws {
    try await withReceiver { receiver, player, kept in
      receiver.setSender(uri: Self.zone, metadata: "<x>")
      player.immediately { try? $0.play(.receiver) }
      receiver.setSender(uri: "", metadata: "<x>")
      #expect(receiver.sender == nil)
      #expect(player.immediately { $0.deck(.receiver).state } == .noMedia)
      #expect(kept().last == ReceiverState())
      player.immediately { $0.selectSource(.radio) }
      receiver.setSender(uri: "", metadata: "")
      #expect(player.immediately { $0.source } == .radio)
    }
  }

  @Test func savedSenderIsCued() async throws {
    try await withReceiver(sender: ReceiverState(uri: Self.zone, metadata: "<x>")) { receiver, player, kept in
      #expect(receiver.sender == MediaItem(uri: Self.zone, metadata: "<x>"))
      #expect(player.immediately { $0.source } == .playlist)
      #expect(kept().isEmpty)
    }
  }

  @Test func announcementsAreShownWhileItPlays() async throws {
    try await withReceiver { receiver, player, _ in
      receiver.setSender(uri: Self.zone, metadata: "<sender>")
      receiver.announced(uri: "http://host/a", metadata: "<track>")
      #expect(player.immediately { $0.deck(.receiver).shownItem?.metadata } == "<sender>")
      player.immediately { try? $0.play(.receiver) }
      receiver.announced(uri: "http://host\0/\na\u{7F}", metadata: "<broken")
      receiver.announced(text: "Song")
      let deck = player.immediately { $0.deck(.receiver) }
      #expect(deck.shownItem == MediaItem(uri: "http://host/a", metadata: "<tidy>"))
      #expect([deck.metatext, deck.title] == ["Song", "Song"])
      #expect(deck.isWaiting)
      receiver.sound(isArriving: true)
      #expect(player.immediately { !$0.deck(.receiver).isWaiting })
      #expect(receiver.sender?.metadata == "<sender>")
    }
  }
}

extension Player {
  fileprivate func perform(_ body: @Sendable (isolated Player) -> Void) { body(self) }
}
