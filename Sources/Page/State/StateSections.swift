import Playback
import PlaybackModel
import Providers

/// A top-level member of the state.
struct StateSection {
  let name: String
  /// The changes of the player that may change it.
  var changes: PlayerChanges = []
  /// The JSON text; nil if the values cannot be written. The section then keeps its last text.
  let encode: () -> [UInt8]?
  /// The text that decides whether the section has changed, without values that change all the time; nil for the JSON
  /// text.
  var comparedText: (() -> [UInt8]?)?
  /// Whether the section is part of an event whenever it was touched. Its JSON text is then made again for every
  /// document.
  var isAlwaysSent = false
}

/// Makes the sections of the state from the parts of the speaker.
struct StateSections {
  /// Number of queue items in the state.
  private static let window = 30

  let player: Player
  let playlist: PlaylistSource
  let radio: RadioSource
  let pins: PinBoard
  let facts: any SpeakerFacts
  let access: Access
  let art: ArtLinks
  let reader: QueueReader

  private static let ofTrack: PlayerChanges = [.state, .item, .source, .streamInfo]

  var all: [StateSection] {
    [
      section("speaker") { $0.speaker },
      section("access") { $0.accessRights },
      section("source", [.source, .standby]) { $0.sources },
      section(
        "playing", Self.ofTrack.union([.next, .title, .error, .capabilities, .duration, .standby])
      ) { $0.playing },
      position,
      section("format", Self.ofTrack) { $0.format },
      section("output", [.output, .signalPath]) { $0.output },
      section("volume", [.volume, .mute, .balance, .volumeLimit]) { $0.volume },
      section("modes") { StateDocument.Modes(repeat: $0.playlist.list.repeats, shuffle: $0.playlist.list.shuffles) },
      section("queue", [.item, .source]) { $0.queue },
      section("presets", [.item, .source]) { $0.presets },
      section("pins") { $0.pinList },
      section("networks") { $0.facts.networks },
      health,
    ]
  }

  private func section<Value: Encodable>(
    _ name: String, _ changes: PlayerChanges = [], _ value: @escaping (StateSections) -> Value
  ) -> StateSection {
    StateSection(name: name, changes: changes, encode: { JSON.encode(value(self)) })
  }

  // MARK: Speaker

  private var speaker: StateDocument.Speaker {
    StateDocument.Speaker(name: facts.name, room: facts.room, version: facts.version)
  }

  private var accessRights: StateDocument.Access {
    StateDocument.Access(readOnly: access.isReadOnly, lock: access.lock?.isLocked ?? false)
  }

  private var sources: StateDocument.Sources {
    StateDocument.Sources(
      current: SourceID(player.immediately { $0.source }).rawValue, standby: player.immediately { $0.isStandby },
      sources: SourceID.allCases.map { StateDocument.Sources.Source(id: $0.rawValue, name: $0.name) })
  }

  private var volume: StateDocument.Volume {
    player.immediately { player in
      StateDocument.Volume(
        level: player.volume, decibels: VolumeScale.decibels(step: player.volume).map { ($0 * 10).rounded() / 10 },
        limit: player.volumeLimit, muted: player.isMuted, fixed: player.isVolumeFixed, balance: player.balance)
    }
  }

  private var health: StateSection {
    let make = { (isWhole: Bool) in
      StateDocument.Health(
        uptime: isWhole ? facts.uptime : nil, xruns: player.immediately { $0.xruns },
        buffer: isWhole ? player.immediately { $0.bufferLevel }.inSeconds : nil, troubles: facts.problems)
    }
    return StateSection(
      name: "health", encode: { JSON.encode(make(true)) }, comparedText: { JSON.encode(make(false)) })
  }

  // MARK: Track

  private var deck: Deck { player.immediately { $0.deck() } }

  private var playing: StateDocument.Playing {
    let (source, deck) = player.immediately { ($0.source, $0.deck()) }
    let now = NowPlaying(deck)
    // The metadata of a play list does not describe its tracks, but its picture may suit them.
    let texts = MetadataTexts(deck.item?.metadata ?? "")
    let isLive = deck.streamInfo?.isLive ?? false
    let station = isLive || source == .radio ? texts.title : nil
    return StateDocument.Playing(
      state: deck.state.name, trackID: deck.trackID, uri: deck.trackURI, title: now.title, artist: now.artist,
      album: now.album, station: station == now.title ? nil : station, art: art.path(for: texts.art), live: isLive,
      number: deck.trackNumber, count: deck.trackCount, queueID: source == .playlist ? playlist.list.currentID : 0,
      presetID: source == .radio ? radio.presetID : 0, error: deck.failure?.text,
      failure: deck.failure.map { FailureDocument($0) }, skipped: deck.skipped.map { skipped(source, $0) },
      can: TransportAbilities(player, playlist, radio))
  }

  private func skipped(_ source: Source, _ failure: TrackFailure) -> StateDocument.Skipped {
    StateDocument.Skipped(queueID: source == .playlist ? failure.tag : 0, failure: FailureDocument(failure))
  }

  private var position: StateSection {
    StateSection(
      name: "position", changes: Self.ofTrack.union([.position, .duration]),
      encode: {
        let deck = self.deck
        return JSON.encode(
          StateDocument.Position(
            seconds: deck.position.inSeconds, duration: deck.duration?.inSeconds, advancing: deck.state == .playing))
      }, isAlwaysSent: true)
  }

  private var format: StateDocument.Format? {
    deck.streamInfo.map { info in
      StateDocument.Format(
        codec: CodecName.of(info), sampleRate: info.sampleRate, bitDepth: info.bitDepth, channels: info.channels,
        bitRate: info.bitRate)
    }
  }

  private var output: StateDocument.Output {
    player.immediately { player in
      StateDocument.Output(
        name: player.output?.shown, sampleRate: player.outputFormat?.sampleRate,
        bitDepth: player.outputFormat?.bitDepth, channels: player.outputFormat?.channels,
        bitPerfect: player.signalPath?.isBitPerfect, reasons: player.signalPath?.reasons.map(\.rawValue) ?? [])
    }
  }

  // MARK: Lists

  private var queue: StateDocument.Queue {
    let list = playlist.list
    let index = list.index(of: list.currentID)
    let offset = max(0, min((index ?? 0) - Self.window / 3, list.count - Self.window))
    return StateDocument.Queue(
      revision: playlist.revision, count: list.count, currentId: list.currentID, currentIndex: index,
      window: .init(offset: offset, items: reader.items(offset..<offset + Self.window, of: playlist)))
  }

  private var presets: StateDocument.Presets {
    StateDocument.Presets(
      revision: "\(radio.presets.token)", presetId: radio.presetID, items: PresetItem.list(radio.list, art: art))
  }

  private var pinList: StateDocument.Pins {
    StateDocument.Pins(
      revision: pins.pins.ids.map { "\($0)" }.joined(separator: "."), items: PinItem.list(pins.pins, art: art))
  }
}

extension TransportState {
  fileprivate var name: String {
    switch self {
    case .noMedia: "empty"
    case .stopped: "stopped"
    case .transitioning: "buffering"
    case .playing: "playing"
    case .paused: "paused"
    }
  }
}
