import MediaStream

/// Decides which missing segments of HLS are skipped: those that the server does not have, as FFmpeg and Safari do. GStreamer's
/// demuxer would end the track. It repeats a request after 0.1 s, and again after half a segment: a live segment may be listed
/// before it exists.
struct SegmentGaps {
  /// Failed requests before a segment is skipped. The demuxer gives up after eight.
  private static let attempts = 3
  /// Segments in a row that are skipped. If more are missing, the stream is gone.
  private static let longest = 5

  private var address = ""
  private var failures = 0
  private var skipped = 0

  /// Bytes of a segment have arrived.
  mutating func arrived() { (failures, skipped) = (0, 0) }

  /// - Returns: whether the segment counts as empty.
  mutating func skips(_ address: String, after failure: StreamFailure) -> Bool {
    guard failure == .status(404) || failure == .status(410) else { return false }
    if address != self.address { (self.address, failures) = (address, 0) }
    failures += 1
    guard failures >= Self.attempts, skipped < Self.longest else { return false }
    (failures, skipped) = (0, skipped + 1)
    return true
  }
}
