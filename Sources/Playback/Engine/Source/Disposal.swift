import CGStreamer
import Glibc
import PlaybackModel

/// Stops pipelines that read from servers, each on a thread of its own.
///
/// Workaround: libsoup may access freed memory when a request is cancelled while its answer arrives, one time in
/// thousands. So the data that souphttpsrc pushes is refused, and the pipeline is stopped once its thread has ended by
/// that. Waiting is limited to `PlayerSettings.openTimeout`.
/// - Affected: libsoup 3.2.3, and GStreamer 1.22's souphttpsrc, which cancels by itself after a connection broke.
/// - Upstream: no issue found.
/// - Test: scripts/stress.sh, which crashes without it once in thousands of tracks.
/// - GStreamer 1.26: not checked.
enum Disposal {
  /// Pipelines that are being stopped, in the whole process.
  private static let count = Monitor(0)

  /// Events that the pipeline has posted and nobody has read yet must be ignored.
  /// - Parameters:
  ///   - context: kept until the pipeline's callbacks have returned.
  ///   - unblock: releases what the reader may wait for. Called on the new thread, as is `prepare`.
  ///   - prepare: called when the reader has stopped.
  static func end(
    _ pipeline: ElementReference, _ context: SourceContext, unblock: @escaping @Sendable () -> Void = {},
    prepare: @escaping @Sendable () -> Void = {}
  ) {
    count.update { $0 += 1 }
    // The buffers of several pipelines are mixed in the heap: after one is gone, free memory is returned to the system.
    NamedThread.start("dispose", afterwards: swiftlet_give_memory_back) {
      unblock()
      swiftlet_end_reading(pipeline.pointer)
      let deadline = ContinuousClock.now + context.settings.openTimeout
      // GStreamer cannot wait for a task with a timeout.
      while swiftlet_is_reading(pipeline.pointer) != 0, .now < deadline { usleep(2000) }
      prepare()
      // A pipeline that is completing another change of state may stop half-way.
      for _ in 0..<10 {
        gst_element_set_state(pipeline.pointer, GST_STATE_NULL)
        var state = GST_STATE_NULL
        var pending = GST_STATE_VOID_PENDING
        gst_element_get_state(pipeline.pointer, &state, &pending, 100_000_000)
        if state == GST_STATE_NULL { break }
      }
      withExtendedLifetime(context) {}
      count.update { $0 -= 1 }
    }
  }

  /// Waits until all pipelines have stopped.
  static func wait(timeout: Duration) {
    _ = count.wait(timeout: timeout) { $0 == 0 ? true : nil }
  }
}
