import Testing
import UPnP

@testable import ControlPoint

@Suite struct ResourceChoiceTests {
  /// A resource whose URI is its name.
  private static func resource(
    _ name: String, _ info: String, rate: Int? = nil, bits: Int? = nil, bytesPerSecond: Int? = nil,
    channels: Int? = nil
  ) -> MediaResource {
    MediaResource(
      uri: "http://192.0.2.1/\(name)", protocolInfo: ProtocolInfo(info), bytesPerSecond: bytesPerSecond,
      sampleFrequency: rate, bitsPerSample: bits, channels: channels)
  }

  private static func names(_ resources: [MediaResource]) -> [String] {
    resources.map { String($0.uri.split(separator: "/").last ?? "") }
  }

  private static let flac = resource("flac", "http-get:*:audio/x-flac:*", rate: 44100, bits: 16)
  private static let high = resource("high", "http-get:*:audio/flac:*", rate: 96000, bits: 24)
  private static let wav = resource("wav", "http-get:*:audio/x-wav:DLNA.ORG_PN=WAV;DLNA.ORG_CI=1", rate: 192000)
  private static let mp3 = resource(
    "mp3", "http-get:*:audio/mpeg:DLNA.ORG_PN=MP3;DLNA.ORG_OP=01", bytesPerSecond: 40000)
  private static let low = resource("low", "http-get:*:audio/mpeg:DLNA.ORG_PN=MP3", bytesPerSecond: 16000)
  private static let l16 = resource("l16", "http-get:*:audio/L16;rate=44100;channels=2:DLNA.ORG_PN=LPCM")
  private static let l16b = resource("l16b", "http-get:*:audio/L16:*", rate: 48000, channels: 2)
  private static let m4a = resource("m4a", "http-get:*:audio/x-m4a:*")
  private static let cover = resource("cover", "http-get:*:image/jpeg:DLNA.ORG_PN=JPEG_TN")
  private static let film = resource("film", "http-get:*:video/mp4:*")
  private static let rtsp = resource("rtsp", "rtsp-rtp-udp:*:audio/mpeg:*")
  private static let local = resource("local", "internal:192.0.2.9:audio/flac:*")
  private static let list = resource("list", "http-get:*:audio/x-mpegurl:*")
  private static let bare = resource("bare", "")

  static let table: [(sink: String, resources: [MediaResource], best: [String])] = [
    // All formats are accepted: originals before conversions, lossless before lossy, higher rates first; no pictures.
    ("", [cover, low, mp3, wav, flac, high], ["high", "flac", "mp3", "low", "wav"]),
    ("http-get:*:*:*", [cover, film, mp3, flac], ["flac", "mp3"]),
    ("*:*:*:*", [rtsp, mp3], ["mp3", "rtsp"]),
    // Several MIME types mean the same format.
    ("http-get:*:audio/flac:*", [flac, mp3], ["flac"]), ("http-get:*:audio/x-flac:*", [high], ["high"]),
    ("http-get:*:audio/wav:*", [wav], ["wav"]), ("http-get:*:audio/vnd.wave:*", [wav], ["wav"]),
    ("http-get:*:audio/mp4:*", [m4a], ["m4a"]), ("http-get:*:audio/mp3:*", [mp3], ["mp3"]),
    // A conversion is better than nothing.
    ("http-get:*:audio/wav:*,http-get:*:audio/flac:*", [wav, flac], ["flac", "wav"]),
    // Listed formats win over a wildcard, and a format's wildcard covers only it.
    ("http-get:*:audio/mpeg:*,http-get:*:*:*", [flac, mp3], ["mp3", "flac"]),
    ("http-get:*:audio/*:*", [film, mp3], ["mp3"]),
    // Another profile still plays, but after an exact one.
    ("http-get:*:audio/mpeg:DLNA.ORG_PN=MP3X", [mp3], ["mp3"]),
    ("http-get:*:audio/flac:*,http-get:*:audio/mpeg:DLNA.ORG_PN=MP3X", [mp3, flac], ["flac", "mp3"]),
    // Parameters, in the type or as attributes.
    ("http-get:*:audio/L16:*", [l16, l16b], ["l16b", "l16"]),
    ("http-get:*:audio/L16;rate=44100;channels=2:*", [l16, l16b], ["l16"]),
    ("http-get:*:audio/L16;rate=48000:*", [l16, l16b], ["l16b"]),
    // Transports and networks.
    ("http-get:*:*:*", [rtsp, mp3], ["mp3"]), ("internal:192.0.2.9:*:*", [local, flac], ["local"]),
    ("internal:192.0.2.9:*:*,http-get:*:*:*", [resource("other", "internal:192.0.2.8:audio/flac:*"), mp3], ["mp3"]),
    // Some servers send no protocolInfo.
    ("http-get:*:audio/flac:*", [bare], ["bare"]), ("http-get:*:audio/flac:*", [bare, flac], ["flac", "bare"]),
    // Playlists come last.
    ("", [list, low], ["low", "list"]),
    // Equal resources keep the server's order.
    ("", [resource("a", "http-get:*:audio/mpeg:*"), resource("b", "http-get:*:audio/mpeg:*")], ["a", "b"]),
  ]

  @Test(arguments: table)
  func ranks(sink: String, resources: [MediaResource], best: [String]) throws {
    let choice = ResourceChoice(sink: ProtocolInfo.list(sink))
    let ranked = try choice.ranked(MediaObject(title: "", resources: resources))
    #expect(Self.names(ranked) == best)
    #expect(try choice.best(of: MediaObject(title: "", resources: resources)) == ranked.first)
  }

  @Test(arguments: [
    ("", [], ResourceChoice.Failure.noResources), ("", [cover, film], .noAudio),
    ("http-get:*:audio/flac:*", [rtsp], .transport(["rtsp-rtp-udp"])),
    ("internal:192.0.2.1:*:*", [local], .transport(["internal"])),
    ("http-get:*:audio/flac:*", [mp3, rtsp, low, m4a], .format(["audio/mpeg", "audio/x-m4a"])),
    ("http-get:*:audio/L16;rate=48000:*", [l16], .format(["audio/l16"])),
  ])
  func saysWhyNothingFits(sink: String, resources: [MediaResource], failure: ResourceChoice.Failure) {
    #expect(throws: failure) {
      try ResourceChoice(sink: ProtocolInfo.list(sink)).best(of: MediaObject(title: "", resources: resources))
    }
  }

  @Test func theClassDecidesAboutUnknownTypes() throws {
    let film = MediaObject(title: "", objectClass: "object.item.videoItem.movie", resources: [Self.bare])
    #expect(throws: ResourceChoice.Failure.noAudio) { try ResourceChoice(sink: []).best(of: film) }
    #expect(try ResourceChoice(sink: [], acceptsVideo: true).best(of: film) == Self.bare)
  }
}
