/// Content types of raw samples without a header: `audio/L16` (RFC 2586) and `audio/L24` (RFC 3190).
///
/// Samples are signed, interleaved and packed, with the most significant byte first.
package enum LinearPCMType {
  private static let widths = ["audio/l16": 2, "audio/l24": 3]

  /// The layout that a content type declares; nil for other types and impossible values. If the rate, which both RFCs
  /// require, is missing, CD format is assumed (44.1 kHz, stereo). Otherwise the default is one channel.
  package static func layout(_ contentType: String) -> BlockLayout? {
    let parts = contentType.lowercased().split(separator: ";", omittingEmptySubsequences: false)
    guard let type = parts.first.map(trimmed), let width = widths[String(type)] else { return nil }
    var values: [Substring: Int] = [:]
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else { continue }
      values[trimmed(pair[0])] = Int(trimmed(pair[1])) ?? 0
    }
    let rate = values["rate"]
    return BlockLayout(
      rawWidth: width, isLittleEndian: false, rate: rate ?? 44_100,
      channels: values["channels"] ?? (rate == nil ? 2 : 1))
  }

  /// Removes surrounding white space and quotation marks.
  private static func trimmed(_ text: Substring) -> Substring {
    let outside: Set<Character> = [" ", "\t", "\""]
    let start = text.drop { outside.contains($0) }
    guard let last = start.lastIndex(where: { !outside.contains($0) }) else { return "" }
    return start[...last]
  }
}
