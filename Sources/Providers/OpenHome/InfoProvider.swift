import DeviceStack
import Playback
import PlaybackModel
import SpeakerCore
import UPnP

/// Info:1: the track and the stream of the current source.
public final class InfoProvider: Info1.Provider {
  /// The properties of the stream in Info's units.
  private struct Details: Equatable {
    /// Seconds.
    var duration: UInt32 = 0
    /// Bits per second.
    var bitRate: UInt32 = 0
    var bitDepth: UInt32 = 0
    /// Hz.
    var sampleRate: UInt32 = 0
    var lossless = false
    var codecName = ""
  }

  /// Info's counters, from which controllers notice changes. A new track resets those of details and metatext.
  private struct Counters {
    private(set) var track: UInt32 = 0
    private(set) var details: UInt32 = 0
    private(set) var metatext: UInt32 = 0
    private var lastDetails = Details()
    private var lastMetatext = ""

    mutating func advance(track: UInt32, details: Details, metatext: String) {
      if track != self.track { self = Counters(track: track) }
      if details != lastDetails {
        self.details &+= 1
        lastDetails = details
      }
      if metatext != lastMetatext {
        self.metatext &+= 1
        lastMetatext = metatext
      }
    }

    init(track: UInt32 = 0) { self.track = track }
  }

  private let player: Player
  private let tracks: TrackCounter
  private let variables: Info1.Variables
  private var trackMetadata = TrackMetadata()
  private var counts = Counters()

  /// Call it on the player's executor, like all members of this class.
  /// - Parameter tracks: the counter, shared with Time.
  public init(player: Player, tracks: TrackCounter) {
    self.player = player
    self.tracks = tracks
    let deck = player.immediately { $0.deck() }
    variables = Info1.Variables(Self.values(deck, tracks, &counts, &trackMetadata))
  }

  /// The service for a device to host.
  public var service: HostedService { Info1.hosted(by: self, variables) }

  /// Updates the evented variables after a change in the player.
  public func update(_ changes: PlayerChanges) {
    guard !changes.isDisjoint(with: PlayingTexts.changes) else { return }
    let deck = player.immediately { $0.deck() }
    variables.apply(Self.values(deck, tracks, &counts, &trackMetadata))
  }

  /// The evented values. Advances the counters.
  private static func values(
    _ deck: Deck, _ tracks: TrackCounter, _ counters: inout Counters, _ trackMetadata: inout TrackMetadata
  ) -> Info1.Values {
    let details = details(deck)
    let texts = PlayingTexts(deck, &trackMetadata)
    counters.advance(track: tracks.count(deck), details: details, metatext: texts.metatext)
    return Info1.Values(
      trackCount: counters.track, detailsCount: counters.details, metatextCount: counters.metatext,
      uri: texts.uri, metadata: texts.metadata, duration: details.duration,
      bitRate: details.bitRate, bitDepth: details.bitDepth, sampleRate: details.sampleRate, lossless: details.lossless,
      codecName: details.codecName, metatext: texts.metatext)
  }

  private static func details(_ deck: Deck) -> Details {
    let info = deck.streamInfo
    let codecName = CodecName.of(info)
    return Details(
      duration: unsigned(deck.duration?.components.seconds), bitRate: unsigned(info?.bitRate),
      bitDepth: unsigned(info.map { $0.bitDepth ?? CodecName.lossyBitDepth(codecName) }),
      sampleRate: unsigned(info?.sampleRate), lossless: info?.lossless ?? false, codecName: codecName)
  }

  private static func unsigned(_ number: (some BinaryInteger)?) -> UInt32 { number.map { UInt32(clamping: $0) } ?? 0 }

  // MARK: Actions

  public func counters() -> Info1.CountersOutput {
    Info1.CountersOutput(
      trackCount: counts.track, detailsCount: counts.details, metatextCount: counts.metatext)
  }

  public func track() -> Info1.TrackOutput {
    let texts = PlayingTexts(player.immediately { $0.deck() }, &trackMetadata)
    return Info1.TrackOutput(uri: texts.uri, metadata: texts.metadata)
  }

  public func details() -> Info1.DetailsOutput {
    let details = Self.details(player.immediately { $0.deck() })
    return Info1.DetailsOutput(
      duration: details.duration, bitRate: details.bitRate, bitDepth: details.bitDepth, sampleRate: details.sampleRate,
      lossless: details.lossless, codecName: details.codecName)
  }

  public func metatext() -> Info1.MetatextOutput {
    Info1.MetatextOutput(value: PlayingTexts.metatext(player.immediately { $0.deck() }))
  }
}
