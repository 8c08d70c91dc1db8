import PlaybackModel

/// The control with which the speaker's page changes a value, and the accepted values. The page may accept fewer than
/// the file.
enum ConfigurationControl: Sendable, Equatable {
  case text
  case integer(ClosedRange<Int>)
  case seconds(ClosedRange<Double>)
  case decibels(ClosedRange<Int>)
  case bool
  case choice([String])
  /// An output that the machine has.
  case output

  /// Maximum characters of a text, because controllers show it in lists.
  static let longestText = 100

  /// Why the page may not set this value, which is valid in the file; nil if it may.
  func refusal(of value: ConfigurationValue) -> String? {
    guard case .text(let text) = value else { return nil }
    switch self {
    case .text where text.count > Self.longestText: return "The text is longer than \(Self.longestText) characters."
    case .text where text.unicodeScalars.contains { $0.properties.generalCategory == .control }:
      return "The text has a control character."
    case .choice(let names) where !names.contains(text): return "“\(text)” can only be set in the configuration file."
    case .output:
      guard case .bin? = try? OutputDescription(parsing: text) else { return nil }
      return "A GStreamer bin can only be set in the configuration file."
    default: return nil
    }
  }
}
