import Logging
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import Playback
@testable import PlaybackModel

/// The radio on a player with a silent pipeline: cued items, notices and saved channels.
@Suite struct RadioSourceTests {
  private static let presets = [
    RadioPreset(title: "First", uri: "http://radio/1"), RadioPreset(title: "Second", uri: "http://radio/2"),
  ]

  /// The saved channels, and the number of changes of the presets.
  private final class Log {
    var kept: [RadioState] = []
    var changes = 0
  }

  private func withRadio(
    channel: RadioState? = nil,
    _ body: @escaping @Sendable (RadioSource, Player, _ kept: () -> [RadioState], _ changes: () -> Int) -> Void
  ) async throws {
    try await withPlayer(.null) { test in
      let player = test.player
      await player.perform { _ in
        let log = Log()
        let radio = RadioSource(
          player: player, presets: Self.presets, channel: channel, describe: { "<\($0.title)>" },
          save: { log.kept.append($0) })
        radio.observe { log.changes += 1 }
        body(radio, player, { log.kept }, { log.changes })
      }
    }
  }

  @Test func selectingCuesPreset() async throws {
    try await withRadio { radio, player, kept, _ in
      #expect(radio.channel == nil)
      #expect(radio.presetID == 0)
      let id = radio.presets.ids[1]
      #expect(throws: Never.self) { try radio.select(id) }
      #expect(radio.channel == MediaItem(uri: "http://radio/2", metadata: "<Second>", tag: id))
      #expect(radio.presetID == id)
      #expect(player.immediately { $0.deck(.radio).state } == .stopped)
      #expect(player.immediately { $0.source } == .playlist)
      #expect(kept() == [RadioState(uri: "http://radio/2", metadata: "<Second>", presetID: id)])
    }
  }

  @Test func presetAddressCanBeOverridden() async throws {
    try await withRadio { radio, _, _, _ in
      let id = radio.presets.ids[0]
      #expect(throws: Never.self) { try radio.select(id, uri: "http://mirror/1") }
      #expect(radio.channel?.uri == "http://mirror/1")
      #expect(radio.presetID == id)
    }
  }

  @Test func unknownPresetIsRefused() async throws {
    try await withRadio { radio, _, kept, _ in
      for id in [0, 7] as [UInt32] {
        #expect(throws: PresetError.unknown) { try radio.select(id, uri: "http://radio/1") }
      }
      #expect(radio.channel == nil)
      #expect(kept().isEmpty)
      #expect(radio.metadata(of: 7) == nil)
      #expect(radio.metadata(of: radio.presets.ids[0]) == "<First>")
    }
  }

  @Test func channelThatWasSetByAddressIsNoPreset() async throws {
    try await withRadio { radio, _, kept, _ in
      radio.setChannel(uri: "http://elsewhere/", metadata: "<x>")
      #expect(radio.presetID == 0)
      #expect(radio.channel == MediaItem(uri: "http://elsewhere/", metadata: "<x>"))
      radio.setChannel(uri: "http://radio/2", metadata: "<y>")
      #expect(radio.presetID == 0)
      #expect(radio.channel?.metadata == "<y>")
      radio.setChannel(uri: "", metadata: "")
      #expect(radio.channel == nil)
      #expect(kept().last == RadioState())
    }
  }

  @Test func newPresetsKeepChannel() async throws {
    try await withRadio { radio, player, kept, changes in
      let id = radio.presets.ids[0]
      #expect(throws: Never.self) { try radio.select(id) }
      radio.setPresets(Self.presets)
      #expect(changes() == 0)
      radio.setPresets([RadioPreset(title: "Renamed", uri: "http://radio/1"), Self.presets[1]])
      #expect(changes() == 1)
      #expect(radio.channel?.metadata == "<First>")
      #expect(radio.presetID == radio.presets.ids[0])
      #expect(radio.presetID != id)
      radio.setPresets([])
      #expect(radio.presetID == 0)
      #expect(radio.channel?.uri == "http://radio/1")
      #expect(kept().count == 1)
    }
  }

  @Test func savedChannelIsCued() async throws {
    let state = RadioState(uri: "http://radio/1", metadata: "<z>", presetID: 77)
    try await withRadio(channel: state) { radio, player, kept, _ in
      #expect(radio.channel == MediaItem(uri: "http://radio/1", metadata: "<z>", tag: 77))
      #expect(radio.presetID == radio.presets.ids[0])
      #expect(player.immediately { $0.deck(.radio).state } == .stopped)
      #expect(kept().isEmpty)
    }
  }
}

extension Player {
  fileprivate func perform(_ body: @Sendable (isolated Player) -> Void) { body(self) }
}
