enum Figures {
  /// Seconds with one decimal, such as `1.5 s`.
  static func seconds(_ duration: Duration) -> String {
    let tenths = Int((duration / .milliseconds(100)).rounded())
    return "\(tenths / 10).\(abs(tenths % 10)) s"
  }

  /// Minutes, and seconds if there are any, such as `5 minutes`.
  static func minutes(_ duration: Duration) -> String {
    let seconds = Int((duration / .seconds(1)).rounded())
    let minutes = seconds / 60 == 1 ? "1 minute" : "\(seconds / 60) minutes"
    return seconds % 60 == 0 ? minutes : seconds < 60 ? "\(seconds) s" : "\(minutes) and \(seconds % 60) s"
  }

  /// Whole milliseconds, such as `350 ms`.
  static func milliseconds(_ duration: Duration) -> String { "\(Int((duration / .milliseconds(1)).rounded())) ms" }
}
