import CGStreamer
import Testing

@testable import PlaybackEngine
@testable import PlaybackModel

@Suite(.timeLimit(.minutes(1))) struct FeederTests {
  /// Found when a thousand random commands hung: halted between two samples it waited for work without saying that it had
  /// stopped, and the pipeline waited for that.
  @Test func itStopsAtWhateverMomentItIsHalted() throws {
    GStreamerLibrary.start()
    let source = try #require(ElementReference(factory: "audiotestsrc"))
    let sink = try #require(ElementReference(factory: "appsink"))
    let pipeline = try #require(ElementReference(factory: "pipeline"))
    for element in [source, sink] { element.add(to: pipeline) }
    gst_element_link(source.pointer, sink.pointer)
    swiftlet_set_bool(sink.pointer, "sync", 0)
    gst_element_set_state(pipeline.pointer, GST_STATE_PLAYING)
    defer { gst_element_set_state(pipeline.pointer, GST_STATE_NULL) }

    let mailbox = Mailbox()
    // Nothing is taken there: the feeder never waits for room.
    let output = try OutputChain(.bin("fakesink"), mailbox: mailbox)
    let feeder = Feeder(output: output, mailbox: mailbox)
    defer { feeder.quit() }
    for session in 1...20_000 {
      let context = SourceContext(mailbox: mailbox, input: sink, settings: PlayerSettings())
      feeder.begin(
        session: session,
        source: FeedSource(
          id: session, trackID: 1, sink: sink, context: context, start: .zero, shift: .zero, gap: nil, isLive: false))
      feeder.halt()
      try #require(feeder.waitUntilIdle(timeout: .seconds(10)), "session \(session)")
    }
  }
}
