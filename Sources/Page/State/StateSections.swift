import Playback
import PlaybackModel
import SpeakerCore

/// A top-level member of the state.
struct StateSection {
  let name: String
  /// The sections of the speaker's state that it shows.
  var shown: SpeakerSections = []
  /// The JSON text; nil if the values cannot be written. The section then keeps its last text.
  let encode: () -> [UInt8]?
  /// The text that decides whether the section has changed, without values that change all the time; nil for the JSON
  /// text.
  var comparedText: (() -> [UInt8]?)?
  /// Whether the section is part of an event whenever it was touched. Its JSON text is then made again for every
  /// document.
  var isAlwaysSent = false
}

/// Writes the sections of the state as JSON.
struct StateSections {
  /// Number of queue items in the state.
  private static let window = 30

  let feed: StateFeed
  let player: Player
  let playlist: PlaylistSource
  let facts: any SpeakerFacts
  let control: SpeakerControl
  let art: ArtLinks
  let reader: QueueReader

  var all: [StateSection] {
    [
      section("speaker", .identity) { $0.speaker($1) },
      section("access") { sections, _ in
        StateDocument.Access(readOnly: sections.control.rights.isPageReadOnly, lock: sections.control.rights.isLocked)
      },
      section("source", .source) { $0.sources($1) },
      section("playing", .playing) { $0.playing($1) },
      position,
      section("format", .format) { $0.format($1) },
      section("output", .output) { $0.output($1) },
      section("volume", .volume) { $0.volume($1) },
      section("modes", .modes) { StateDocument.Modes(repeat: $1.repeats, shuffle: $1.shuffles) },
      section("queue", .queue) { $0.queue($1) },
      section("presets", .presets) { $0.presets($1) },
      section("pins", .pins) { $0.pinList($1) },
      section("networks") { sections, _ in sections.facts.networks },
      health,
    ]
  }

  private func section<Value: Encodable>(
    _ name: String, _ shown: SpeakerSections = [], _ value: @escaping (StateSections, SpeakerState) -> Value
  ) -> StateSection {
    StateSection(name: name, shown: shown, encode: { JSON.encode(value(self, feed.state)) })
  }

  // MARK: Speaker

  private func speaker(_ state: SpeakerState) -> StateDocument.Speaker {
    StateDocument.Speaker(name: state.name, room: state.room ?? state.name, version: facts.version)
  }

  private func sources(_ state: SpeakerState) -> StateDocument.Sources {
    StateDocument.Sources(
      current: state.source.word, standby: state.isStandby,
      sources: Source.allCases.map { StateDocument.Sources.Source(id: $0.word, name: $0.name) })
  }

  private func volume(_ state: SpeakerState) -> StateDocument.Volume {
    StateDocument.Volume(
      level: state.volume, decibels: VolumeScale.decibels(step: state.volume).map { ($0 * 10).rounded() / 10 },
      limit: state.volumeLimit, muted: state.isMuted, fixed: state.isVolumeFixed, balance: state.balance)
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

  private func playing(_ state: SpeakerState) -> StateDocument.Playing {
    StateDocument.Playing(
      state: state.state.word, trackID: state.trackID, uri: state.trackURI, title: state.title, artist: state.artist,
      album: state.album, station: state.station, art: art.path(for: state.art), live: state.isLive,
      number: state.trackNumber, count: state.trackCount, queueID: state.source == .playlist ? state.queueID : 0,
      presetID: state.source == .radio ? state.presetID : 0, error: state.failure?.text,
      failure: state.failure.map { FailureDocument($0) }, skipped: state.skipped.map { skipped(state, $0) },
      can: .init(state.abilities))
  }

  private func skipped(_ state: SpeakerState, _ failure: TrackFailure) -> StateDocument.Skipped {
    StateDocument.Skipped(queueID: state.source == .playlist ? failure.tag : 0, failure: FailureDocument(failure))
  }

  private var position: StateSection {
    StateSection(
      name: "position", shown: .position,
      encode: {
        let state = feed.state
        return JSON.encode(
          StateDocument.Position(
            seconds: state.position.inSeconds, duration: state.duration?.inSeconds, advancing: state.state == .playing))
      }, isAlwaysSent: true)
  }

  private func format(_ state: SpeakerState) -> StateDocument.Format? {
    state.streamInfo.map { info in
      StateDocument.Format(
        codec: CodecName.of(info), sampleRate: info.sampleRate, bitDepth: info.bitDepth, channels: info.channels,
        bitRate: info.bitRate)
    }
  }

  private func output(_ state: SpeakerState) -> StateDocument.Output {
    StateDocument.Output(
      name: state.output?.shown, sampleRate: state.outputFormat?.sampleRate, bitDepth: state.outputFormat?.bitDepth,
      channels: state.outputFormat?.channels, bitPerfect: state.signalPath?.isBitPerfect,
      reasons: state.signalPath?.reasons.map(\.rawValue) ?? [])
  }

  // MARK: Lists

  private func queue(_ state: SpeakerState) -> StateDocument.Queue {
    let offset = max(0, min((state.queueIndex ?? 0) - Self.window / 3, state.queueCount - Self.window))
    return StateDocument.Queue(
      revision: state.queueRevision, count: state.queueCount, currentId: state.queueID,
      currentIndex: state.queueIndex,
      window: .init(offset: offset, items: reader.items(offset..<offset + Self.window, of: playlist)))
  }

  private func presets(_ state: SpeakerState) -> StateDocument.Presets {
    StateDocument.Presets(
      revision: "\(state.presets.presets.token)", presetId: state.presetID,
      items: PresetItem.list(state.presets, art: art))
  }

  private func pinList(_ state: SpeakerState) -> StateDocument.Pins {
    StateDocument.Pins(
      revision: state.pins.ids.map { "\($0)" }.joined(separator: "."), items: PinItem.list(state.pins, art: art))
  }
}
