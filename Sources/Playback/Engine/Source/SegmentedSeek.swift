import CGStreamer
import Glibc

/// Seeks in hlsdemux without cancelling a request.
///
/// Workaround: hlsdemux cancels the request for the current segment at a seek, and libsoup may access freed memory when
/// a request is cancelled while its response arrives: about one seek in 2500. Therefore the data that souphttpsrc
/// pushes is refused, which ends its streaming thread without cancelling anything, and only then hlsdemux seeks.
/// `Disposal` does the same when a source ends.
/// - Affected: libsoup 3.2.3 with GStreamer 1.22.
/// - Upstream: no issue found.
/// - Test: StressTests.seeksInAPlaylistOfSegments, which crashes without it about once in six runs with
///   SWIFTLET_STRESS=40.
/// - GStreamer 1.26: not checked.
enum SegmentedSeek {
  /// A silent server cannot send a response that the seek would cancel, so waiting longer is useless.
  private static let timeout = Duration.milliseconds(500)

  /// Discards all buffered samples and continues at a position in the stream. Waits for the segment's next data.
  /// - Returns: false if hlsdemux refuses to seek.
  static func seek(_ pipeline: ElementReference, to place: Duration, _ flags: GstSeekFlags) -> Bool {
    // Without the lock, a flush in the middle of the change from PAUSED to PLAYING can end without ASYNC_DONE.
    swiftlet_lock_state(pipeline.pointer)
    defer { swiftlet_unlock_state(pipeline.pointer) }
    swiftlet_pause_segments(pipeline.pointer)
    let deadline = ContinuousClock.now + timeout
    // GStreamer cannot wait for a task with a timeout.
    while swiftlet_is_reading(pipeline.pointer) != 0, .now < deadline { usleep(1000) }
    return swiftlet_seek_segments(pipeline.pointer, flags, gint64(place.nanoseconds)) != 0
  }
}
