import CGStreamer
import Glibc
import PlaybackModel

/// Stops the pipelines of sources, each on its own thread.
///
/// Workaround: libsoup may access freed memory when a request is cancelled while its response arrives, once in
/// thousands of requests. Therefore the connections are closed (`HTTPConnections`) and the data that souphttpsrc pushes
/// is refused, which ends its streaming thread, and only then the pipeline is stopped. In HLS, whose connections stay
/// open until data arrives, waiting is limited to `PlayerSettings.openTimeout`.
/// - Affected: libsoup 3.2.3, and GStreamer 1.22's souphttpsrc, which itself cancels requests after a broken
///   connection.
/// - Upstream: no issue found.
/// - Test: scripts/stress.sh, which crashes without it once in thousands of tracks.
/// - GStreamer 1.26: not checked.
enum Disposal {
  /// Number of pipelines being stopped in the whole process.
  private static let count = Monitor(0)

  /// Stops a pipeline. The caller must ignore events of the pipeline that are still in the mailbox.
  /// - Parameters:
  ///   - context: kept alive until the pipeline's callbacks have returned.
  ///   - unblock: unblocks the reading thread. Called on the new thread, as is `prepare`.
  ///   - prepare: called when the reading thread has stopped.
  static func end(
    _ pipeline: ElementReference, _ context: SourceContext, unblock: @escaping @Sendable () -> Void = {},
    prepare: @escaping @Sendable () -> Void = {}
  ) {
    count.update { $0 += 1 }
    // Buffers of several pipelines are interleaved in the heap: after one is freed, free memory is returned to the
    // system.
    NamedThread.start("dispose", afterwards: swiftlet_give_memory_back) {
      unblock()
      swiftlet_end_reading(pipeline.pointer)
      context.connections.end()
      let deadline = ContinuousClock.now + context.settings.openTimeout
      // GStreamer cannot wait for a task with a timeout.
      while swiftlet_is_reading(pipeline.pointer) != 0, .now < deadline { usleep(2000) }
      prepare()
      // A pipeline in the middle of another state change may stop half-way.
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
