import PlaybackModel
import Synchronization
import Testing

@testable import SpeakerCore

/// Commands of remotes, compared with the same commands by SOAP.
@Suite struct SpeakerControlTests {
  private final class Replies: Sendable {
    private let errors = Mutex<[CommandError?]>([])
    var all: [CommandError?] { errors.withLock { $0 } }
    func add(_ result: Result<CommandResult, CommandError>) {
      let error: CommandError? = if case .failure(let error) = result { error } else { nil }
      errors.withLock { $0.append(error) }
    }
  }

  /// Performs a command, and returns all replies to it.
  private func perform(_ text: String, _ renderer: RendererUnderTest) async throws -> [CommandError?] {
    try await perform(try #require(SpeakerCommand(text)), renderer)
  }

  private func perform(
    _ command: SpeakerCommand, _ renderer: RendererUnderTest, from origin: CommandOrigin = .mqtt
  ) async throws -> [CommandError?] {
    let replies = Replies()
    try await renderer.onLoop { services, _ in services.control.perform(command, from: origin, replies.add) }
    try await renderer.wait("a reply to \(command)") { _ in !replies.all.isEmpty }
    return replies.all
  }

  private func insertTracks(_ count: Int, _ renderer: RendererUnderTest) async throws {
    for number in 1...count {
      let track = ["AfterId": "\(number - 1)", "Uri": "http://host/\(number).flac", "Metadata": ""]
      try await renderer.perform("Playlist", "Insert", track)
    }
  }

  @Test(arguments: [
    ("play", CommandError.player(.noContents)), ("pause", .player(.transitionNotAvailable)),
    ("toggle", .player(.noContents)), ("stop", nil), ("next", .noNeighbour), ("previous", .noNeighbour),
    ("seek 1", .player(.transitionNotAvailable)), ("seek +1", .player(.transitionNotAvailable)), ("volume 5", nil),
    ("volume +1", nil), ("mute on", nil), ("source radio", nil), ("preset 1", nil), ("preset 9", .nothingThere),
    ("pin 1", .nothingThere), ("standby on", nil), ("repeat on", nil), ("shuffle on", nil),
    ("play playlist", .player(.noContents)), ("balance 3", nil),
  ])
  func everyCommandIsAnsweredOnce(_ text: String, _ error: CommandError?) async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.perform("Product", "SetSourceIndex", ["Value": "0"])
      #expect(try await perform(text, renderer) == [error])
    }
  }

  /// With the setting `lock_companions`, the party lock also restricts MQTT: it may only lower the volume.
  @Test func aLockedSpeakerObeysOnlyWhatGuestsMaySend() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.onLoop { services, _ in
        (services.control.rights.isLocked, services.control.rights.lockCoversCompanions) = (true, true)
      }
      #expect(try await perform(.setVolume(40), renderer) == [nil])
      for command in [SpeakerCommand.setVolume(41), .changeVolume(by: 1), .mute(false), .stop, .standby(true)] {
        #expect(try await perform(command, renderer) == [.locked], "\(command)")
      }
      for command in [SpeakerCommand.setVolume(39), .changeVolume(by: -1), .mute(true)] {
        #expect(try await perform(command, renderer) == [nil], "\(command)")
      }
      #expect(try await perform(.setVolume(30, unmutes: true), renderer) == [.locked])
      let track = PlaylistTrack(uri: "http://host/a.flac", metadata: "")
      #expect(try await perform(.queue(.add([track], .end)), renderer) == [nil])
      #expect(try await perform(.queue(.add([track], .now)), renderer) == [.locked])
      #expect(try await perform(.setVolume(50), renderer, from: .pageOwner) == [nil])
      #expect(try await renderer.onLoop { _, player in player.immediately { $0.volume } } == 50)
    }
  }

  @Test func aPinIsPlayed() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.perform(
        "Pins", "SetDevice",
        [
          "Index": "0", "Mode": "url", "Type": "stream",
          "Uri": "url://stream?version=1&path=http%3A%2F%2Fradio%2Flive", "Title": "", "Description": "",
          "ArtworkUri": "", "Shuffle": "0",
        ])
      #expect(try await perform("pin 1", renderer) == [nil])
      #expect(renderer.pipeline.current?.uri == "http://radio/live")
    }
  }

  /// A desktop may ask for a position of a track that has ended before the command arrives.
  @Test func aSeekMayNameItsTrack() async throws {
    try await RendererUnderTest.run { renderer in
      try await insertTracks(2, renderer)
      try await renderer.perform("Playlist", "SeekIndex", ["Value": "0"])
      let first = try await renderer.onLoop { _, player in player.immediately { $0.deck().trackID } }
      #expect(try await perform("next", renderer) == [nil])
      #expect(try await perform(.seek(to: .seconds(9), track: first), renderer) == [.anotherTrack])
      let second = try await renderer.onLoop { _, player in player.immediately { $0.deck().trackID } }
      #expect(second != first)
      #expect(try await perform(.seek(to: .seconds(9), track: second), renderer) != [.anotherTrack])
    }
  }

  @Test func skipsAsOpenHomeDoes() async throws {
    for isRemote in [true, false] {
      try await RendererUnderTest.run { renderer in
        func skip(_ command: String, _ action: String) async throws {
          if isRemote {
            #expect(try await perform(command, renderer) == [nil])
          } else {
            try await renderer.perform("Transport", action)
          }
        }
        try await insertTracks(2, renderer)
        try await renderer.perform("Playlist", "SeekIndex", ["Value": "0"])
        try await skip("next", "SkipNext")
        #expect(renderer.pipeline.current?.uri == "http://host/2.flac")
        try await skip("previous", "SkipPrevious")
        #expect(renderer.pipeline.current?.uri == "http://host/1.flac")
        try await renderer.perform("Transport", "PlayAs", ["Mode": "Radio", "Command": "index=0"])
        try await skip("next", "SkipNext")
        #expect(renderer.pipeline.current?.uri == ServicesUnderTest.presets[1].uri)
        try await skip("previous", "SkipPrevious")
        #expect(renderer.pipeline.current?.uri == ServicesUnderTest.presets[0].uri)
      }
    }
  }

  @Test func skippingFromAChannelThatIsNoPresetSaysSo() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.perform("Radio", "SetChannel", ["Uri": "http://elsewhere/", "Metadata": ""])
      try await renderer.perform("Radio", "Play")
      #expect(try await perform("next", renderer) == [.noPreset])
      #expect(try await perform("previous", renderer) == [.noPreset])
    }
  }

  /// At the last track, a button's Next has no effect, so that the music continues. OpenHome's Next stops the playlist.
  @Test func onlyOpenHomeSkipsBehindTheLastTrack() async throws {
    try await RendererUnderTest.run { renderer in
      try await insertTracks(1, renderer)
      try await renderer.perform("Playlist", "SeekIndex", ["Value": "0"])
      #expect(try await perform("next", renderer) == [.noNeighbour])
      #expect(renderer.pipeline.current?.uri == "http://host/1.flac")
      try await renderer.perform("Transport", "SkipNext")
      #expect(try await renderer.call("Transport", "TransportState")["State"] == "Stopped")
    }
  }

  /// A seek of an OpenHome controller plays. Others keep the state.
  @Test(arguments: [
    (CommandOrigin.openHome, "Buffering"), (.upnpAV, "Stopped"), (.mqtt, "Stopped"), (.pageOwner, "Stopped"),
  ])
  func onlyOpenHomePlaysAfterASeek(origin: CommandOrigin, state: String) async throws {
    try await RendererUnderTest.run { renderer in
      try await insertTracks(1, renderer)
      #expect(try await perform(.seek(to: .seconds(5)), renderer, from: origin) == [nil])
      #expect(try await renderer.call("Transport", "TransportState")["State"] == state)
    }
  }

  /// UPnP AV controllers can pause a live stream that one of them has set. For everyone else, a pause stops it.
  @Test(arguments: [
    (CommandOrigin.upnpAV, Source.upnpAV, TransportState.paused), (.openHome, .upnpAV, .stopped),
    (.pageOwner, .upnpAV, .stopped), (.upnpAV, .playlist, .stopped), (.openHome, .playlist, .stopped),
  ])
  func aPauseStopsALiveStream(origin: CommandOrigin, source: Source, state: TransportState) async throws {
    try await RendererUnderTest.run { renderer in
      try await insertTracks(1, renderer)
      try await renderer.setURI("http://host/live")
      #expect(try await perform(.transport(.play, of: source), renderer, from: origin) == [nil])
      renderer.pipeline.plays()
      renderer.pipeline.reportInfo(StreamInfo(isLive: true))
      try await renderer.wait("a live stream") { renderer in
        try await renderer.onLoop { services, _ in services.control.abilities().pauseStops }
      }
      #expect(try await perform(.transport(.pause, of: source), renderer, from: origin) == [nil])
      #expect(try await renderer.onLoop { _, player in player.immediately { $0.deck(source).state } } == state)
    }
  }
}
