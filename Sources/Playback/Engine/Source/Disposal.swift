import CGStreamer
import Glibc
import PlaybackModel

/// Ends pipelines that read from servers, each on a thread that does nothing else.
enum Disposal {
  /// How many are being ended, in the whole program.
  private static let count = Monitor(0)

  /// What was posted to the mailbox and not yet read is to be ignored.
  ///
  /// libsoup may touch freed memory when a request is cancelled as its answer comes (3.2.3, one in thousands). So what
  /// reads is had to stop by itself, after the answer; that is waited for, but not for ever.
  /// - Parameters:
  ///   - unblock: lets go of what the reader may wait for.
  ///   - prepare: called when the reader is at rest. Both are called on that thread.
  static func end(
    _ pipeline: ElementReference, _ context: SourceContext, unblock: @escaping @Sendable () -> Void = {},
    prepare: @escaping @Sendable () -> Void = {}
  ) {
    count.update { $0 += 1 }
    // The context is what the callbacks of the pipeline were given: it must be there until the last of them is over.
    // The sound that it held lay between what others hold.
    NamedThread.start("dispose", afterwards: swiftlet_give_memory_back) {
      unblock()
      swiftlet_end_reading(pipeline.pointer)
      let deadline = ContinuousClock.now + context.settings.openTimeout
      // GStreamer has no way to wait for a task for so long and no longer.
      while swiftlet_is_reading(pipeline.pointer) != 0, .now < deadline { usleep(2000) }
      prepare()
      // A pipeline that is just completing another change of state may stop on the way down.
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

  /// Waits until all are gone, but not for long.
  static func wait(timeout: Duration) {
    _ = count.wait(timeout: timeout) { $0 == 0 ? true : nil }
  }
}
