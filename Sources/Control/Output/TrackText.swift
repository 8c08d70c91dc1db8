import ControlPoint
import UPnP

/// Formats tracks as text.
enum TrackText {
  /// Title, artist, album and duration; the address if there is no title.
  static func line(_ track: SpeakerTrack) -> String {
    let duration = track.duration.map { "(\(time($0)))" }
    return [name(track), duration].compactMap { $0 }.joined(separator: "  ")
  }

  /// Title, artist and album; the address if there is no title.
  static func name(_ track: SpeakerTrack) -> String {
    [track.title ?? track.uri, track.artist, track.album].compactMap { $0 }.joined(separator: " — ")
  }

  /// An entry of a numbered list.
  static func numbered(_ number: Int, of count: Int, _ text: String, _ isCurrent: Bool) -> String {
    let margin = String(repeating: " ", count: max(0, "\(count)".count - "\(number)".count))
    return "\(isCurrent ? "*" : " ") \(margin)\(number)  \(text)"
  }

  /// `M:SS`, or `H:MM:SS` from an hour on.
  static func time(_ duration: Duration) -> String {
    let text = UPnPTime.text(duration)
    guard text.hasPrefix("0:") else { return text }
    return text.hasPrefix("0:0") ? String(text.dropFirst(3)) : String(text.dropFirst(2))
  }
}

/// A track in JSON.
struct TrackLine: Encodable {
  var uri: String
  var title, artist, album, artwork: String?
  /// Seconds.
  var duration: Double?

  init(_ track: SpeakerTrack) {
    uri = track.uri
    title = track.title
    artist = track.artist
    album = track.album
    artwork = track.artwork
    duration = track.duration.map { $0 / .seconds(1) }
  }
}
