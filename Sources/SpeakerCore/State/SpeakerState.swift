import Playback
import PlaybackModel
import UPnP

/// Everything that is shown of the speaker. Page, MQTT, MPRIS, beacon, hooks, status and metrics only translate this
/// value.
///
/// To add a fact, add a field, a line in `read` and, if no section has it, a section in `SpeakerSections`, all in this
/// file.
package struct SpeakerState: Sendable, Equatable {
  // MARK: Identity

  /// The speaker's name, as controllers show it.
  package var name = ""
  /// The configured room; nil without one.
  package var room: String?

  // MARK: Source

  package var source = Source.playlist
  /// All sources that the speaker has.
  package var sources = Source.builtIn
  package var isStandby = false
  /// The name of the speaker whose sound is received, empty without one; nil unless the source is Songcast with a sender.
  package var sender: String?
  /// Whether other rooms receive what this speaker plays.
  package var isSending = false

  // MARK: Playing

  package var state = TransportState.noMedia
  /// Whether the speaker waits for the sender of a received stream, which sends nothing.
  package var isWaiting = false
  package var abilities = TransportAbilities()
  /// Changes whenever a track becomes current, even if it is the same one again; 0 without a track.
  package var trackID = 0
  package var trackURI: String?
  /// The number of the current track in its item, from 1; 0 without an item.
  package var trackNumber = 0
  package var trackCount = 0
  package var title: String?
  package var artist: String?
  package var album: String?
  /// The station, if `title` is the title of its stream.
  package var station: String?
  /// The address of a picture, as the metadata names it.
  package var art: String?
  /// The DIDL-Lite that `art` is from; empty without a track.
  package var metadata = ""
  package var isLive = false
  /// Why playback stopped.
  package var failure: TrackFailure?
  /// The last track that was skipped because it failed, and why.
  package var skipped: TrackFailure?

  // MARK: Position

  /// The audible position when this value was made. While the state is `playing` it advances.
  package var position = Duration.zero
  package var duration: Duration?
  /// When this value was made.
  package var time = ContinuousClock.now

  // MARK: Format and output

  package var streamInfo: StreamInfo?
  /// Nil while there is no audio device.
  package var output: OutputDescription?
  /// Nil while the device is closed.
  package var outputFormat: OutputFormat?
  /// Nil while nothing plays.
  package var signalPath: SignalPath?
  /// The decoded sound that the device has not received yet.
  package var buffer = Duration.zero
  /// The delay of a stream that is sent in real time; nil for others.
  package var liveDelay: Duration?
  /// Underruns of the device since the start.
  package var xruns = 0
  /// Packets of other rooms that did not arrive in time since the start.
  package var lostPackets = 0
  /// Number of times that a track could not be played since the start.
  package var failedTracks = 0

  // MARK: Volume

  /// 0…100.
  package var volume = 0
  package var volumeLimit = 100
  package var isVolumeFixed = false
  package var isMuted = false
  package var balance = 0

  // MARK: Modes and queue

  package var repeats = false
  package var shuffles = false
  /// Changes with the tracks and their failures.
  package var queueRevision = ""
  package var queueCount = 0
  /// The id of the current track of the queue; 0 without one.
  package var queueID: UInt32 = 0
  package var queueIndex: Int?

  // MARK: Presets and pins

  package var presets = PresetList(configured: [], own: [])
  /// The preset that is the radio's channel; 0 without one.
  package var presetID: UInt32 = 0
  package var pins = PinSet()

  // MARK: Equalizer

  package var equalizer = Equalizer()

  // MARK: Alarms

  /// Nil while the sleep timer is off.
  package var sleep: SleepState?
  package var alarms = AlarmsState()

  // MARK: Announcements

  /// Whether an announcement is heard.
  package var isAnnouncing = false
  /// Number of announcements that wait.
  package var waitingAnnouncements = 0

  package init() {}

  /// The audible position at a later time.
  package func position(at now: ContinuousClock.Instant) -> Duration {
    state == .playing ? position + (now - time) : position
  }

  /// The number of the preset that plays, from 1; nil without one and on other sources.
  package var preset: Int? {
    source == .radio ? presets.presets.ids.firstIndex(of: presetID).map { $0 + 1 } : nil
  }
}

// MARK: - Reading

extension SpeakerState {
  /// The objects that the state is read from.
  struct Owners {
    let player: Player
    let playlist: PlaylistSource
    let radio: RadioSource
    let programs: ProgramSources
    let pins: PinBoard
    let equalizer: EqualizerBoard
    let alarms: AlarmControl?
  }

  /// Reads sections again. Must be called on the player's executor.
  mutating func read(_ stale: SpeakerSections, from owners: Owners) {
    let deck = owners.player.immediately { player in
      if stale.contains(.source) { readSource(player) }
      if stale.contains(.volume) {
        (volume, volumeLimit, isVolumeFixed) = (player.volume, player.volumeLimit, player.isVolumeFixed)
        (isMuted, balance) = (player.isMuted, player.balance)
      }
      if stale.contains(.output) {
        (output, outputFormat, signalPath) = (player.output, player.outputFormat, player.signalPath)
      }
      if stale.contains(.announcement) {
        (isAnnouncing, waitingAnnouncements) = (player.announcements.isPlaying, player.announcements.count)
      }
      // These change without a notice.
      (buffer, xruns, failedTracks) = (player.bufferLevel, player.xruns, player.failedTracks)
      (lostPackets, liveDelay) = (player.lostPackets, player.liveDelay)
      return player.deck()
    }
    // The position advances without a change.
    (position, duration, time) = (deck.position, deck.duration, .now)
    let list = owners.playlist.list
    if stale.contains(.playing) { readTrack(deck, owners) }
    if stale.contains(.format) { streamInfo = deck.streamInfo }
    if stale.contains(.modes) { (repeats, shuffles) = (list.repeats, list.shuffles) }
    if stale.contains(.queue) {
      (queueRevision, queueCount, queueID) = (owners.playlist.revision, list.count, list.currentID)
      queueIndex = list.index(of: list.currentID)
    }
    if stale.contains(.presets) { (presets, presetID) = (owners.radio.list, owners.radio.presetID) }
    if stale.contains(.pins) { pins = owners.pins.pins }
    if stale.contains(.equalizer) { equalizer = owners.equalizer.equalizer }
    // The rest of the sleep timer changes without a notice.
    sleep = owners.alarms?.sleepState
    if stale.contains(.alarms), let alarms = owners.alarms { self.alarms = alarms.state }
  }

  private mutating func readSource(_ player: isolated Player) {
    (source, isStandby) = (player.source, player.isStandby)
    let received = source == .receiver ? player.deck().item : nil
    sender = received.map { DIDLLite.texts(of: ["title"], in: $0.metadata)["title"] ?? "" }
  }

  private mutating func readTrack(_ deck: Deck, _ owners: Owners) {
    let skip = SourceSkip(
      player: owners.player, playlist: owners.playlist, radio: owners.radio, programs: owners.programs)
    (state, isWaiting, abilities) = (deck.state, deck.isWaiting, skip.abilities())
    (trackID, trackURI) = (deck.trackID, deck.trackURI)
    (trackNumber, trackCount) = (deck.trackNumber, deck.trackCount)
    let now = NowPlaying(deck)
    (title, artist, album) = (now.title, now.artist, now.album)
    // The metadata of a playlist document does not describe its tracks, but its picture may suit them.
    metadata = deck.shownItem?.metadata ?? ""
    let texts = DIDLLite.texts(of: ["title", "albumArtURI"], in: metadata)
    art = texts["albumArtURI"]
    isLive = deck.isLive
    let station = isLive || source == .radio ? texts["title"] : nil
    self.station = station == now.title ? nil : station
    (failure, skipped) = (deck.failure, deck.skipped)
  }
}

extension PlaylistSource {
  /// Changes with the tracks and their failures.
  package var revision: String { "\(list.token)-\(failures.revision)" }
}

/// The sections of the state: each is read again after a change.
package struct SpeakerSections: OptionSet, Sendable, Hashable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let identity = SpeakerSections(rawValue: 1 << 0)
  package static let source = SpeakerSections(rawValue: 1 << 1)
  package static let playing = SpeakerSections(rawValue: 1 << 2)
  /// Its steady advance does not count as a change.
  package static let position = SpeakerSections(rawValue: 1 << 3)
  package static let format = SpeakerSections(rawValue: 1 << 4)
  package static let output = SpeakerSections(rawValue: 1 << 5)
  package static let volume = SpeakerSections(rawValue: 1 << 6)
  package static let modes = SpeakerSections(rawValue: 1 << 7)
  package static let queue = SpeakerSections(rawValue: 1 << 8)
  package static let presets = SpeakerSections(rawValue: 1 << 9)
  package static let pins = SpeakerSections(rawValue: 1 << 10)
  package static let equalizer = SpeakerSections(rawValue: 1 << 11)
  /// The sleep timer and the alarms.
  package static let alarms = SpeakerSections(rawValue: 1 << 12)

  package static let announcement = SpeakerSections(rawValue: 1 << 13)

  package static let all = SpeakerSections(rawValue: (1 << 14) - 1)

  private static let ofTrack: PlayerChanges = [.state, .item, .source, .streamInfo]

  /// The changes of the player that concern each section.
  private static let causes: [(section: SpeakerSections, changes: PlayerChanges)] = [
    (.source, [.source, .standby, .item]),
    (.playing, ofTrack.union([.next, .title, .error, .capabilities, .duration, .standby])),
    (.position, ofTrack.union([.position, .duration])),
    (.format, ofTrack),
    (.output, [.output, .signalPath]),
    (.volume, [.volume, .mute, .balance, .volumeLimit]),
    (.queue, [.item, .source]),
    (.presets, [.item, .source]),
    (.announcement, [.announcement]),
  ]

  /// The sections that changes of the player concern.
  package init(_ changes: PlayerChanges) {
    self = []
    for cause in Self.causes where !cause.changes.isDisjoint(with: changes) { insert(cause.section) }
  }
}
