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

  private static let presentChanges: PlayerChanges = [.item, .duration, .streamInfo, .title, .source]

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
    guard !changes.isDisjoint(with: Self.presentChanges) else { return }
    let deck = player.immediately { $0.deck() }
    variables.apply(Self.values(deck, tracks, &counts, &trackMetadata))
  }

  /// The evented values. Advances the counters.
  private static func values(
    _ deck: Deck, _ tracks: TrackCounter, _ counters: inout Counters, _ trackMetadata: inout TrackMetadata
  ) -> Info1.Values {
    let details = details(deck)
    let metatext = metatext(deck)
    counters.advance(track: tracks.count(deck), details: details, metatext: metatext)
    return Info1.Values(
      trackCount: counters.track, detailsCount: counters.details, metatextCount: counters.metatext,
      uri: deck.trackURI ?? "", metadata: metadata(deck, &trackMetadata), duration: details.duration,
      bitRate: details.bitRate, bitDepth: details.bitDepth, sampleRate: details.sampleRate, lossless: details.lossless,
      codecName: details.codecName, metatext: metatext)
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

  private static func metadata(_ deck: Deck, _ trackMetadata: inout TrackMetadata) -> String {
    // The metadata of a play list does not describe its tracks.
    let item = deck.trackCount > 1 ? deck.trackURI.map { MediaItem(uri: $0) } : deck.shownItem
    return trackMetadata.text(for: item, liveTitle: nil, tags: deck.tags.isLive ? TrackTags() : deck.tags)
  }

  private static func metatext(_ deck: Deck) -> String {
    if let metatext = deck.metatext { return metatext }
    let tags = deck.tags.isLive ? deck.tags : TrackTags()
    return deck.title.map { DIDLLite.item(title: $0, artist: tags.artist, album: tags.album) } ?? ""
  }

  // MARK: Actions

  public func counters() -> Info1.CountersOutput {
    Info1.CountersOutput(
      trackCount: counts.track, detailsCount: counts.details, metatextCount: counts.metatext)
  }

  public func track() -> Info1.TrackOutput {
    let deck = player.immediately { $0.deck() }
    return Info1.TrackOutput(uri: deck.trackURI ?? "", metadata: Self.metadata(deck, &trackMetadata))
  }

  public func details() -> Info1.DetailsOutput {
    let details = Self.details(player.immediately { $0.deck() })
    return Info1.DetailsOutput(
      duration: details.duration, bitRate: details.bitRate, bitDepth: details.bitDepth, sampleRate: details.sampleRate,
      lossless: details.lossless, codecName: details.codecName)
  }

  public func metatext() -> Info1.MetatextOutput {
    Info1.MetatextOutput(value: Self.metatext(player.immediately { $0.deck() }))
  }
}
