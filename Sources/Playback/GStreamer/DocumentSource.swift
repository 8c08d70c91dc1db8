import CGStreamer

/// Reads what is at an address as it is, up to `PlaylistDocument.limit`: a decoder gives up a text as soon as it sees
/// that it is one, and what it has seen may be the beginning only.
///
/// Used on the pipeline's thread only, but for `context`.
final class DocumentSource {
  let id: Int
  /// Holds what has been read.
  let context: SourceContext
  private let pipeline: ElementReference

  /// Starts to read; `documentEnded` is posted once all is there. Nil if the address is not to be read.
  init?(id: Int, uri: String, settings: PlayerSettings, mailbox: Mailbox) {
    guard let pipeline = ElementReference(factory: "pipeline"),
      let reader = gst_element_make_from_uri(GST_URI_SRC, uri, nil, nil).map({ ElementReference($0) }),
      let sink = ElementReference(factory: "fakesink")
    else { return nil }
    self.id = id
    self.pipeline = pipeline
    context = SourceContext(id: id, mailbox: mailbox, input: sink, settings: settings)
    for element in [reader, sink] { element.add(to: pipeline) }
    gst_element_link(reader.pointer, sink.pointer)
    let data = Unmanaged.passUnretained(context).toOpaque()
    onSourceSetup(nil, reader.pointer, data)
    if let bus = gst_element_get_bus(pipeline.pointer) {
      gst_bus_set_sync_handler(bus, onSourceMessage, data, nil)
      gst_object_unref(bus)
    }
    gst_element_set_state(pipeline.pointer, GST_STATE_PLAYING)
  }

  func dispose() { Disposal.end(pipeline, context) }
}
