import CGStreamer

/// Resumes a pipeline, even if the pause interrupted its start.
///
/// Workaround: after the sink has prerolled, a thread of GStreamer's pool takes the pipeline on to PLAYING. If a pause
/// comes before that thread runs, the thread gives up, and nothing completes the pause. The pipeline then ignores
/// PLAYING until it has been in READY: there is no sound, and no error.
/// - Upstream: gst/gstelement.c (`gst_element_set_state_func`), gst/gstbin.c (`gst_bin_continue_func`); no issue known.
/// - Test: OutputChainTests, `aPauseDuringTheStartDoesNotPreventTheResume`.
enum InterruptedStart {
  static func play(_ pipeline: ElementReference) { swiftlet_play(pipeline.pointer) }
}
