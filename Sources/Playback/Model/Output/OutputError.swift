/// Why an output cannot be used, in one sentence for people.
public struct OutputError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String
  /// What an item that was to be played there fails with.
  package let playbackError: PlaybackError

  package static let incomplete = OutputError(
    "GStreamer's base plugins are not installed (gstreamer1.0-plugins-base).")

  /// - Parameter playbackError: nil for one that says the same.
  package init(_ description: String, playbackError: PlaybackError? = nil) {
    self.description = description
    self.playbackError =
      playbackError ?? .deviceFailed(description.hasSuffix(".") ? String(description.dropLast()) : description)
  }
}
