enum Figures {
  /// Seconds with one decimal, such as `1.5 s`.
  static func seconds(_ duration: Duration) -> String {
    let tenths = Int((duration / .milliseconds(100)).rounded())
    return "\(tenths / 10).\(abs(tenths % 10)) s"
  }

  /// Whole milliseconds, such as `350 ms`.
  static func milliseconds(_ duration: Duration) -> String { "\(Int((duration / .milliseconds(1)).rounded())) ms" }
}
