/// The content type of raw samples, `audio/L16` (RFC 2586 section 4).
enum LinearPCMType {
  /// Whether the type leaves out the number of channels, so that it is one. A type without the sampling rate, which is
  /// not to be left out, tells nothing: what sends it means the samples of a CD.
  static func isMonoUnsaid(_ contentType: String) -> Bool {
    let parts = contentType.lowercased().split(separator: ";").map { part in
      part.split(separator: "=", maxSplits: 1).first.map(trimmed) ?? ""
    }
    return parts.first == "audio/l16" && parts.contains("rate") && !parts.contains("channels")
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop { $0 == " " || $0 == "\t" }
    return start.prefix { $0 != " " && $0 != "\t" }
  }
}
