import CGStreamer
import PlaybackModel

/// Stops the pipelines of sources, each on its own thread, because stopping waits for their streaming threads.
enum Disposal {
  /// Number of pipelines being stopped in the whole process.
  private static let count = Monitor(0)

  /// Stops a pipeline. The caller must ignore events of the pipeline that are still in the mailbox.
  /// - Parameters:
  ///   - context: kept alive until the pipeline's callbacks have returned.
  ///   - prepare: stops elements that must stop before the pipeline. Called on the new thread.
  static func end(
    _ pipeline: ElementReference, _ context: SourceContext, prepare: @escaping @Sendable () -> Void = {}
  ) {
    count.update { $0 += 1 }
    // The buffers of several pipelines are interleaved in the heap: without help, the allocator keeps the freed memory.
    NamedThread.start("dispose", afterwards: swiftlet_give_memory_back) {
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
