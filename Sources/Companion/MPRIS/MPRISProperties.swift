import PlaybackModel
import SpeakerCore

/// Maps the speaker's state to the properties of `org.mpris.MediaPlayer2.Player` (MPRIS 2.2).
struct MPRISProperties {
  let moment: SpeakerState

  /// All properties that are announced when they change.
  var announced: [String: BusValue] {
    [
      "PlaybackStatus": .string(playbackStatus), "LoopStatus": .string(moment.repeats ? "Playlist" : "None"),
      "Shuffle": .bool(moment.shuffles), "Metadata": metadata, "Volume": .double(Double(moment.volume) / 100),
      "Rate": .double(1), "MinimumRate": .double(1), "MaximumRate": .double(1),
      "CanGoNext": .bool(moment.abilities.next), "CanGoPrevious": .bool(moment.abilities.previous),
      "CanPlay": .bool(moment.abilities.play), "CanPause": .bool(moment.abilities.pause),
      "CanSeek": .bool(moment.abilities.seek),
    ]
  }

  private var playbackStatus: String {
    switch moment.state {
    case .playing, .transitioning: "Playing"
    case .paused: "Paused"
    case .stopped, .noMedia: "Stopped"
    }
  }

  private var metadata: BusValue {
    var values: [String: BusValue] = ["mpris:trackid": .path(trackPath)]
    guard moment.trackID != 0 else { return .options(values) }
    values["mpris:length"] = moment.duration.map { .int64($0.microseconds) }
    values["mpris:artUrl"] = moment.art.map { .string($0) }
    values["xesam:title"] = moment.title.map { .string($0) }
    values["xesam:artist"] = moment.artist.map { .strings([$0]) }
    values["xesam:album"] = moment.album.map { .string($0) }
    values["xesam:url"] = moment.trackURI.map { .string($0) }
    return .options(values)
  }

  /// The object path of the track. MPRIS reserves all paths below /org/mpris except `NoTrack`.
  var trackPath: String {
    moment.trackID == 0 ? "/org/mpris/MediaPlayer2/TrackList/NoTrack" : "/swiftlet/track/\(moment.trackID)"
  }

  /// The audible position in microseconds.
  func position(at now: ContinuousClock.Instant) -> BusValue { .int64(moment.position(at: now).microseconds) }

  /// The step 0…100 of a volume 0…1, which is clamped to its range; nil for NaN.
  static func step(of volume: Double) -> Int? {
    volume.isNaN ? nil : Int((min(max(volume, 0), 1) * 100).rounded())
  }
}

extension Duration {
  var microseconds: Int64 {
    let (seconds, overflows) = components.seconds.multipliedReportingOverflow(by: 1_000_000)
    return overflows ? .max : seconds + components.attoseconds / 1_000_000_000_000
  }
}
