import DeviceStack
import Playback
import PlaybackModel
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

  private static let presentChanges: PlayerChanges = [.item, .duration, .streamInfo, .title, .source]

  private let player: Player
  private let tracks: TrackCounter
  private let variables: Info1.Variables
  private var trackMetadata = TrackMetadata()
  // The last reported state, to detect what the counters must count.
  private var trackCount: UInt32 = 0
  private var detailsCount: UInt32 = 0
  private var metatextCount: UInt32 = 0
  private var lastDetails = Details()
  private var lastTitle: String?

  /// On the player's executor, like all of this class.
  /// - Parameter tracks: the counter that Time uses, too.
  public init(player: Player, tracks: TrackCounter) {
    self.player = player
    self.tracks = tracks
    variables = Info1.Variables(
      trackCount: 0, detailsCount: 0, metatextCount: 0, uri: "", metadata: "", duration: 0, bitRate: 0, bitDepth: 0,
      sampleRate: 0, lossless: false, codecName: "", metatext: "")
    update(Self.presentChanges)
  }

  /// For a device to host.
  public var service: HostedService { Info1.hosted(by: self, variables) }

  /// Updates the evented variables after a change in the player.
  public func update(_ changes: PlayerChanges) {
    guard !changes.isDisjoint(with: Self.presentChanges) else { return }
    let deck = player.immediately { $0.deck() }
    let details = Self.details(deck)
    count(deck, details)
    variables.setTrackCount(trackCount)
    variables.setDetailsCount(detailsCount)
    variables.setMetatextCount(metatextCount)
    variables.setUri(deck.trackURI ?? "")
    variables.setMetadata(metadata(deck))
    variables.setDuration(details.duration)
    variables.setBitRate(details.bitRate)
    variables.setBitDepth(details.bitDepth)
    variables.setSampleRate(details.sampleRate)
    variables.setLossless(details.lossless)
    variables.setCodecName(details.codecName)
    variables.setMetatext(Self.metatext(deck))
  }

  /// Advances the counters. A new track restarts those of details and metatext.
  private func count(_ deck: Deck, _ details: Details) {
    let count = tracks.count(deck)
    if count != trackCount {
      trackCount = count
      (detailsCount, lastDetails) = (0, Details())
      (metatextCount, lastTitle) = (0, nil)
    }
    if details != lastDetails {
      detailsCount &+= 1
      lastDetails = details
    }
    if deck.title != lastTitle {
      metatextCount &+= 1
      lastTitle = deck.title
    }
  }

  private static func details(_ deck: Deck) -> Details {
    let info = deck.streamInfo
    let codecName = CodecName.of(info)
    return Details(
      duration: whole(deck.duration?.components.seconds), bitRate: whole(info?.bitRate),
      bitDepth: whole(info.map { $0.bitDepth ?? CodecName.lossyBitDepth(codecName) }),
      sampleRate: whole(info?.sampleRate), lossless: info?.lossless ?? false, codecName: codecName)
  }

  private static func whole(_ number: (some BinaryInteger)?) -> UInt32 { number.map { UInt32(clamping: $0) } ?? 0 }

  private func metadata(_ deck: Deck) -> String {
    // The metadata of a play list does not describe its tracks.
    let item = deck.trackCount > 1 ? deck.trackURI.map { MediaItem(uri: $0) } : deck.item
    return trackMetadata.text(for: item, liveTitle: nil)
  }

  private static func metatext(_ deck: Deck) -> String { deck.title.map { DIDLLite.item(title: $0) } ?? "" }

  // MARK: Actions

  public func counters() -> Info1.CountersOutput {
    Info1.CountersOutput(trackCount: trackCount, detailsCount: detailsCount, metatextCount: metatextCount)
  }

  public func track() -> Info1.TrackOutput {
    let deck = player.immediately { $0.deck() }
    return Info1.TrackOutput(uri: deck.trackURI ?? "", metadata: metadata(deck))
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
