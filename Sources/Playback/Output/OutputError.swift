/// Why an output cannot be used, in one sentence for people.
public struct OutputError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  static let incomplete = OutputError(
    "GStreamer's base plugins are not installed (gstreamer1.0-plugins-base).")

  init(_ description: String) { self.description = description }
}
