import ControlPoint
import UPnP

/// The effects of playback on OpenHome's Product and Volume, and the playback of pins.
enum SpeakerPlaybackChecks {
  private static let product = ProductChecks.service
  private static let player = ProductChecks.player
  private static let pins = "Pins"
  private static let pinPlayer = "openhome/ohPipeline: OpenHome/Av/Pins/UrlPins.cpp"

  static let all: [Check] = productChecks + pinChecks

  // MARK: Product and Volume

  /// A check that gets a tone that is in the playlist.
  private static func playlist(
    _ id: String, _ requirement: String, source: String, needs: [Prerequisite], changes: Set<Setting> = [],
    steps: String, _ body: @escaping @Sendable (CheckContext, ServedMedia, _ id: UInt32) async throws(Finding) -> Void
  ) -> Check {
    Check(
      "oh/\(id)", .openHome, .practice, requirement, source: source,
      needs: [.service(PlaylistDriver.service)] + needs, changes: changes.union([.playlist, .source, .standby]),
      steps: steps
    ) { context async throws(Finding) in
      let media = try await context.slowTone()
      try await body(context, media, try await context.playlist.load([media])[0])
    }
  }

  private static let standby = Prerequisite.action(product, "SetStandby")

  private static let productChecks: [Check] = [
    playlist(
      "product/standby-stops", "Standby ends playback.", source: player, needs: [standby],
      steps: "Plays a tone and sets standby. TransportState is not Playing any more, and the connection is closed."
    ) { context, media, id async throws(Finding) in
      try await context.playlist.start(id)
      try await context.write(.standby, "1")
      try await context.wait(for: "another TransportState than Playing", "Playlist", "TransportState") {
        $0 != "Playing"
      }
      try await context.expectRelease(of: media)
    },
    playlist(
      "product/play-leaves-standby", "Play ends standby.",
      source: "openhome/ohPipeline: OpenHome/Av/Playlist/SourcePlaylist.cpp", needs: [standby],
      steps: "Sets standby and plays a tone. Standby becomes false, and the tone is fetched."
    ) { context, media, id async throws(Finding) in
      try await context.write(.standby, "1")
      try await context.expectSoon("1", of: "Standby", product, "after SetStandby")
      try await context.playlist.start(id)
      try await context.expectSoon("0", of: "Standby", product, "while a track plays")
      try await context.expectFetch(of: media)
    },
    playlist(
      "product/source-follows", "SourceIndex becomes that of the source that plays.", source: player,
      needs: [.action(product, "SourceXml"), .action(product, "SetSourceIndex")],
      steps: "Selects a source of another type than Playlist, and plays a tone of the playlist."
    ) { context, _, id async throws(Finding) in
      let sources = try await context.sources()
      guard let own = sources.firstIndex(where: { $0.type == "Playlist" }),
        let other = sources.firstIndex(where: { $0.type != "Playlist" && $0.isVisible == true })
      else { throw .skip("there is no other visible source") }
      try await context.write(.source, "\(other)")
      try await context.expectSoon("\(other)", of: "SourceIndex", product, "after SetSourceIndex")
      try await context.playlist.start(id)
      try await context.expectSoon("\(own)", of: "SourceIndex", product, "while the playlist plays")
    },
    playlist(
      "volume/mute-keeps-playing", "Mute leaves the device playing.",
      source: "OpenHome wiki, Av:Developer:Eriskay:VolumeService", needs: [.action("Volume", "SetMute")],
      changes: [.mute], steps: "Plays a tone and mutes the device. TransportState stays Playing."
    ) { context, _, id async throws(Finding) in
      try await context.playlist.start(id)
      try await context.write(.mute, "1")
      try await context.expectSoon("1", of: "Mute", "Volume", "after SetMute")
      let state = try await context.playlist.state()
      try context.expect(state == "Playing", "Playing", got: state)
    },
  ]

  // MARK: Pins

  /// A check that plays a pin of the mode url.
  private static func pin(
    _ id: String, _ requirement: String, needs: [Prerequisite], changes: Set<Setting> = [], steps: String,
    _ invoke: @escaping @Sendable (CheckContext, _ uri: String) async throws(Finding) -> Void
  ) -> Check {
    Check(
      "oh/pins/\(id)", .openHome, .practice, requirement, source: pinPlayer,
      needs: [.action(pins, "GetModes"), .action("Radio", "SetChannel")] + needs,
      changes: changes.union([.channel, .source, .standby]), steps: steps
    ) { context async throws(Finding) in
      guard try await context.texts("Modes", of: "GetModes", pins).contains("url") else {
        throw .skip("the device has no pins of the mode url")
      }
      let media = try await context.serveTone(seconds: 20)
      try await invoke(context, "url://stream?version=1&path=" + percentEncoded(media.url))
      try await context.expectFetch(of: media)
    }
  }

  private static let pinChecks: [Check] = [
    pin(
      "invoke-index", "InvokeIndex plays the stream of a pin.",
      needs: [.action(pins, "SetDevice"), .action(pins, "Clear"), .action(pins, "InvokeIndex")], changes: [.pins],
      steps: "Sets an empty device pin with the address of a tone, and invokes it. The tone is fetched."
    ) { context, uri async throws(Finding) in
      let index = try await context.emptyDevicePin()
      try await context.call(pins, "SetDevice", PinsChecks.arguments(index, replacing: "Uri", with: uri))
      try await context.call(pins, "InvokeIndex", [("Index", "\(index)")])
    },
    pin(
      "invoke-uri", "InvokeUri plays a stream.", needs: [.action(pins, "InvokeUri")],
      steps: "Invokes the address of a tone as a pin. The tone is fetched."
    ) { context, uri async throws(Finding) in
      try await context.call(
        pins, "InvokeUri", [("Mode", "url"), ("Type", "stream"), ("Uri", uri), ("Shuffle", "0")])
    },
  ]

  /// Encodes all but the unreserved characters of RFC 3986 §2.3.
  private static func percentEncoded(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        return String(Unicode.Scalar(byte))
      default: break
      }
      let code = String(byte, radix: 16, uppercase: true)
      return "%" + (code.count < 2 ? "0" : "") + code
    }.joined()
  }
}
