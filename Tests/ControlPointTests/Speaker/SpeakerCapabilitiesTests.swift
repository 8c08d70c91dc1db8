import Testing

@testable import ControlPoint

/// Selects the service that performs a verb.
@Suite struct SpeakerCapabilitiesTests {
  typealias Mechanism = SpeakerCapabilities.Mechanism
  typealias Verb = SpeakerCapabilities.Verb

  static let playlist: Set = [
    "Play", "Pause", "Stop", "Next", "Previous", "SetRepeat", "Repeat", "SetShuffle", "Shuffle", "SeekSecondAbsolute",
    "SeekId", "TransportState", "Id", "ReadList", "Insert", "DeleteId", "DeleteAll", "IdArray",
  ]
  static let renderer: [Mechanism: Set<String>] = [
    .avTransport: [
      "SetAVTransportURI", "GetMediaInfo", "GetTransportInfo", "GetPositionInfo", "GetTransportSettings", "Stop",
      "Play",
      "Pause", "Seek", "Next", "Previous", "SetPlayMode", "SetNextAVTransportURI",
    ],
    .renderingControl: ["GetVolume", "SetVolume", "GetMute", "SetMute"],
  ]
  /// The services of an older OpenHome player, without Transport.
  static let openHome: [Mechanism: Set<String>] = [
    .product: ["SourceXml", "SourceIndex", "SetSourceIndex", "Standby", "SetStandby"], .playlist: playlist,
    .radio: ["Play", "Pause", "Stop", "TransportState", "SeekSecondAbsolute"],
    .receiver: ["Play", "Stop", "SetSender", "Sender", "TransportState"],
    .volume: ["Volume", "SetVolume", "Characteristics", "Mute", "SetMute"],
  ]
  static let transport: [Mechanism: Set<String>] = [
    .transport: [
      "Play", "Pause", "Stop", "SkipNext", "SkipPrevious", "SetRepeat", "Repeat", "SetShuffle", "Shuffle", "StreamId",
      "SeekSecondAbsolute", "TransportState",
    ]
  ]

  static func all(_ parts: [Mechanism: Set<String>]...) -> SpeakerCapabilities {
    SpeakerCapabilities(offered: parts.reduce(into: [:]) { $0.merge($1) { first, _ in first } })
  }

  /// Verbs, and their mechanisms on a renderer, on one that is also an older OpenHome player, and on a current one.
  @Test(
    arguments: [
      (.resume, .avTransport, .playlist, .transport), (.pause, .avTransport, .playlist, .transport),
      (.stop, .avTransport, .playlist, .transport), (.next, .avTransport, .playlist, .transport),
      (.previous, .avTransport, .playlist, .transport), (.seek, .avTransport, .playlist, .transport),
      (.readState, .avTransport, .playlist, .transport), (.play, .avTransport, .playlist, .playlist),
      (.enqueue, nil, .playlist, .playlist), (.announceNext, .avTransport, .avTransport, .avTransport),
      (.queue, .avTransport, .playlist, .playlist), (.remove, nil, .playlist, .playlist),
      (.clear, nil, .playlist, .playlist), (.readVolume, .renderingControl, .volume, .volume),
      (.setVolume, .renderingControl, .volume, .volume), (.readMute, .renderingControl, .volume, .volume),
      (.setMute, .renderingControl, .volume, .volume), (.readRepeat, .avTransport, .playlist, .transport),
      (.setRepeat, .avTransport, .playlist, .transport), (.readShuffle, .avTransport, .playlist, .transport),
      (.setShuffle, .avTransport, .playlist, .transport), (.sources, nil, .product, .product),
      (.selectSource, nil, .product, .product), (.readStandby, nil, .product, .product),
      (.setStandby, nil, .product, .product),
    ] as [(Verb, Mechanism?, Mechanism?, Mechanism?)])
  func mechanism(verb: Verb, renderer: Mechanism?, old: Mechanism?, current: Mechanism?) {
    #expect(Self.all(Self.renderer).mechanism(for: verb) == renderer)
    #expect(Self.all(Self.renderer, Self.openHome).mechanism(for: verb) == old)
    #expect(Self.all(Self.renderer, Self.openHome, Self.transport).mechanism(for: verb) == current)
    #expect(SpeakerCapabilities(offered: [:]).mechanism(for: verb) == nil)
  }

  @Test(
    arguments: [
      (.pause, "Playlist", .playlist), (.pause, "Radio", .radio), (.pause, "UpnpAv", .avTransport),
      (.resume, "Receiver", .receiver), (.stop, "Receiver", .receiver), (.readState, "Receiver", .receiver),
      (.pause, "Receiver", nil), (.seek, "Receiver", nil),
      (.pause, "Spotify", nil), (.next, "Radio", nil), (.seek, "Radio", .radio), (.seek, "UpnpAv", .avTransport),
      // The queue can be changed while any source plays.
      (.enqueue, "Radio", .playlist), (.play, "UpnpAv", .playlist), (.setVolume, "Radio", .volume),
    ] as [(Verb, String, Mechanism?)])
  func sourceDecides(verb: Verb, source: String, mechanism: Mechanism?) {
    #expect(Self.all(Self.renderer, Self.openHome).mechanism(for: verb, sourceType: source) == mechanism)
  }

  @Test func transportServesAllSources() {
    let all = Self.all(Self.renderer, Self.openHome, Self.transport)
    #expect(!all.dependsOnSource(.pause))
    #expect(all.mechanism(for: .pause, sourceType: "Spotify") == .transport)
    #expect(Self.all(Self.renderer, Self.openHome).dependsOnSource(.pause))
    #expect(!Self.all(Self.renderer, Self.openHome).dependsOnSource(.setVolume))
    #expect(!Self.all(Self.renderer).dependsOnSource(.pause))
  }

  @Test func optionalActionsCount() {
    var parts = Self.renderer
    parts[.avTransport]?.subtract(["Pause", "SetNextAVTransportURI", "SetPlayMode"])
    let capabilities = Self.all(parts)
    #expect(capabilities.mechanism(for: .pause) == nil)
    #expect(capabilities.mechanism(for: .announceNext) == nil)
    #expect(capabilities.mechanism(for: .setRepeat) == nil)
    #expect(capabilities.mechanism(for: .readRepeat) == .avTransport)
  }

  @Test func onlyRenderersWithoutQueueNeedFeeding() {
    #expect(Self.all(Self.renderer).needsFeeding)
    #expect(!Self.all(Self.renderer, Self.openHome).needsFeeding)
    #expect(!Self.all([.renderingControl: ["GetVolume"]]).needsFeeding)
  }

  @Test func refusalSaysWhatIsMissing() {
    #expect(throws: ControlPointError.notOffered("a queue of its own: it has no OpenHome Playlist service")) {
      try Self.all(Self.renderer).require(.enqueue)
    }
    #expect(throws: ControlPointError.notOffered("an action to pause while its source is of the type Spotify")) {
      try Self.all(Self.renderer, Self.openHome).require(.pause, sourceType: "Spotify")
    }
    for verb in Verb.allCases {
      #expect(throws: ControlPointError.self) { try SpeakerCapabilities(offered: [:]).require(verb) }
    }
  }

  @Test(
    arguments: [
      (true, ["NORMAL", "REPEAT_ALL"], "NORMAL", "REPEAT_ALL"),
      (true, ["NORMAL", "REPEAT_ONE"], "NORMAL", "REPEAT_ONE"),
      (true, ["NORMAL"], "NORMAL", nil), (true, [], "SHUFFLE", "REPEAT_ALL"),
      (false, ["NORMAL", "REPEAT_ALL"], "REPEAT_ALL", "NORMAL"), (false, ["NORMAL", "SHUFFLE"], "SHUFFLE", "SHUFFLE"),
      (false, [], "DIRECT_1", "DIRECT_1"),
    ] as [(Bool, [String], String, String?)])
  func repeatMode(isOn: Bool, allowed: [String], mode: String, result: String?) {
    let modes = PlayModes(allowed: allowed)
    #expect(modes.repeating(isOn, from: .init(rawValue: mode))?.rawValue == result)
  }

  @Test(
    arguments: [
      (true, ["NORMAL", "RANDOM"], "NORMAL", "RANDOM"), (true, ["NORMAL", "REPEAT_ALL"], "NORMAL", nil),
      (false, [], "SHUFFLE", "NORMAL"), (false, [], "REPEAT_ALL", "REPEAT_ALL"),
    ] as [(Bool, [String], String, String?)])
  func shuffleMode(isOn: Bool, allowed: [String], mode: String, result: String?) {
    let modes = PlayModes(allowed: allowed)
    #expect(modes.shuffling(isOn, from: .init(rawValue: mode))?.rawValue == result)
  }
}
