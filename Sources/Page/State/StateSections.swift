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

/// Writes the sections of the state as JSON. docs/api.md describes every member.
struct StateSections {
  /// Number of queue items in the state.
  private static let window = 30

  let feed: StateFeed
  let playlist: PlaylistSource
  let facts: any SpeakerFacts
  let control: SpeakerControl
  let art: ArtLinks
  let reader: QueueReader
  /// Whether stations can be found by name.
  let hasDirectory: Bool

  var all: [StateSection] {
    [
      section("speaker", .identity) { ["name": $1.name, "room": $1.room ?? $1.name, "version": $0.facts.version] },
      section("access") { sections, _ in
        ["readOnly": sections.control.rights.isPageReadOnly, "lock": sections.control.rights.isLocked]
      },
      section("source", .source) { $0.sources($1) },
      section("playing", .playing) { $0.playing($1) },
      position,
      section("format", .format) { $0.format($1) },
      section("output", .output) { $0.output($1) },
      section("volume", .volume) { $0.volume($1) },
      section("modes", .modes) { ["repeat": $1.repeats, "shuffle": $1.shuffles] },
      section("queue", .queue) { $0.queue($1) },
      section("presets", .presets) { $0.presets($1) },
      section("pins", .pins) { $0.pinList($1) },
      section("announcement", .announcement) { ["playing": $1.isAnnouncing, "waiting": $1.waitingAnnouncements] },
      StateSection(name: "networks", encode: { JSON.encode(facts.networks) }),
      health,
      section("equalizer", [.equalizer, .format]) { EqualizerDocument($1).summary },
      sleep,
      section("alarms", .alarms) { $1.alarms.document },
    ]
  }

  private func section(
    _ name: String, _ shown: SpeakerSections = [], _ value: @escaping (StateSections, SpeakerState) -> JSONObject?
  ) -> StateSection {
    StateSection(name: name, shown: shown, encode: { JSON.encode(value(self, feed.state)) })
  }

  // MARK: Speaker

  private func sources(_ state: SpeakerState) -> JSONObject {
    let sources: [JSONObject] = state.sources.map { ["id": $0.word, "name": $0.name] }
    return [
      "current": state.source.word, "standby": state.isStandby, "sources": sources, "sender": state.sender,
      "sending": state.isSending,
    ]
  }

  private func volume(_ state: SpeakerState) -> JSONObject {
    [
      "level": state.volume,
      "decibels": VolumeScale.decibels(step: state.volume).map { ($0 * 10).rounded() / 10 },
      "limit": state.volumeLimit,
      "muted": state.isMuted,
      "fixed": state.isVolumeFixed,
      "balance": state.balance,
    ]
  }

  private var health: StateSection {
    let make = { (isWhole: Bool) -> JSONObject in
      let state = feed.state
      return [
        "uptime": isWhole ? facts.uptime : nil,
        "xruns": state.xruns,
        "buffer": isWhole ? state.buffer.inSeconds : nil,
        "delay": isWhole ? state.liveDelay?.inSeconds : nil,
        "troubles": facts.problems,
      ]
    }
    return StateSection(
      name: "health", encode: { JSON.encode(make(true)) }, comparedText: { JSON.encode(make(false)) })
  }

  private var sleep: StateSection {
    let make = { (isWhole: Bool) -> JSONObject? in feed.state.sleep?.document(isWhole: isWhole) }
    return StateSection(
      name: "sleep", shown: .alarms, encode: { JSON.encode(make(true)) }, comparedText: { JSON.encode(make(false)) })
  }

  // MARK: Track

  private func playing(_ state: SpeakerState) -> JSONObject {
    [
      "state": state.state.word,
      "waiting": state.isWaiting,
      "trackId": state.trackID,
      "uri": state.trackURI,
      "title": state.title,
      "artist": state.artist,
      "album": state.album,
      "station": state.station,
      "art": art.path(inMetadata: state.metadata),
      "live": state.isLive,
      "number": state.trackNumber,
      "count": state.trackCount,
      "queueId": state.source == .playlist ? state.queueID : 0,
      "presetId": state.source == .radio ? state.presetID : 0,
      "error": state.failure?.text,
      "failure": state.failure.map { FailureDocument($0) },
      "skipped": state.skipped.map { Skipped(state, $0) },
      "can": abilities(state.abilities),
    ]
  }

  private func abilities(_ can: TransportAbilities) -> JSONObject {
    ["play": can.play, "pause": can.pause, "seek": can.seek, "next": can.next, "previous": can.previous]
  }

  /// A track that was skipped because it failed: the failure's members, and the track's id in the queue.
  private struct Skipped: Encodable {
    let queueID: UInt32
    let failure: FailureDocument

    init(_ state: SpeakerState, _ failure: TrackFailure) {
      queueID = state.source == .playlist ? failure.tag : 0
      self.failure = FailureDocument(failure)
    }

    func encode(to encoder: any Encoder) throws {
      try failure.encode(to: encoder)
      try (["queueId": queueID] as JSONObject).encode(to: encoder)
    }
  }

  private var position: StateSection {
    var position = section("position", .position) { _, state in
      [
        "seconds": state.position.inSeconds,
        "duration": state.duration?.inSeconds,
        "advancing": state.state == .playing,
      ]
    }
    position.isAlwaysSent = true
    return position
  }

  private func format(_ state: SpeakerState) -> JSONObject? {
    state.streamInfo.map { info in
      [
        "codec": CodecName.of(info),
        "sampleRate": info.sampleRate,
        "bitDepth": info.bitDepth,
        "channels": info.channels,
        "bitRate": info.bitRate,
      ]
    }
  }

  private func output(_ state: SpeakerState) -> JSONObject {
    [
      "name": state.output?.shown,
      "sampleRate": state.outputFormat?.sampleRate,
      "bitDepth": state.outputFormat?.bitDepth,
      "channels": state.outputFormat?.channels,
      "bitPerfect": state.signalPath?.isBitPerfect,
      "reasons": state.signalPath?.reasons.map(\.rawValue) ?? [],
    ]
  }

  // MARK: Lists

  private func queue(_ state: SpeakerState) -> JSONObject {
    let offset = max(0, min((state.queueIndex ?? 0) - Self.window / 3, state.queueCount - Self.window))
    let window: JSONObject = [
      "offset": offset, "items": reader.items(offset..<offset + Self.window, of: playlist),
    ]
    return [
      "revision": state.queueRevision,
      "count": state.queueCount,
      "currentId": state.queueID,
      "currentIndex": state.queueIndex,
      "window": window,
    ]
  }

  private func presets(_ state: SpeakerState) -> JSONObject {
    [
      "revision": "\(state.presets.presets.token)",
      "presetId": state.presetID,
      "items": PresetItem.list(state.presets, art: art),
      "searchable": hasDirectory,
    ]
  }

  private func pinList(_ state: SpeakerState) -> JSONObject {
    [
      "revision": state.pins.ids.map { "\($0)" }.joined(separator: "."),
      "items": PinItem.list(state.pins, art: art),
    ]
  }
}
