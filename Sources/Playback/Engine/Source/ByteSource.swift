import CGStreamer
import PlaybackModel

/// Reads what is at an address as it is, up to `PlaylistDocument.limit`: the whole of a text, which a decoder gives up as
/// soon as it has seen its beginning, or a part of a file.
///
/// Used on the pipeline's thread only, but for `context`.
final class ByteSource {
  /// Holds what has been read.
  let context: SourceContext
  private let pipeline: ElementReference
  /// How long a server may say nothing when it is asked for a part, in seconds: a track waits for it.
  private static let patience: guint = 3

  var id: Int { context.id }
  var bytes: [UInt8] { context.head }

  /// Starts to read; `documentEnded` or `failed` is posted when that is over. Nil if the address is not to be read.
  /// - Parameter range: which bytes; nil for all.
  init?(uri: String, range: Range<Int>? = nil, settings: PlayerSettings, mailbox: Mailbox) {
    guard let pipeline = ElementReference(factory: "pipeline"),
      let reader = gst_element_make_from_uri(GST_URI_SRC, uri, nil, nil).map({ ElementReference($0) }),
      let sink = ElementReference(factory: "fakesink")
    else { return nil }
    self.pipeline = pipeline
    context = SourceContext(mailbox: mailbox, input: sink, settings: settings)
    for element in [reader, sink] { element.add(to: pipeline) }
    gst_element_link(reader.pointer, sink.pointer)
    let data = Unmanaged.passUnretained(context).toOpaque()
    onSourceSetup(nil, reader.pointer, data)
    if let bus = gst_element_get_bus(pipeline.pointer) {
      gst_bus_set_sync_handler(bus, onSourceMessage, data, nil)
      gst_object_unref(bus)
    }
    if let range {
      if swiftlet_is_a(reader.pointer, "GstSoupHTTPSrc") != 0 {
        swiftlet_set_uint(reader.pointer, "timeout", Self.patience)
        swiftlet_set_int(reader.pointer, "retries", 0)
      }
      // Before it runs: it asks for nothing else then.
      gst_element_set_state(reader.pointer, GST_STATE_READY)
      let seek = gst_event_new_seek(
        1, GST_FORMAT_BYTES, GST_SEEK_FLAG_NONE, GST_SEEK_TYPE_SET, gint64(range.lowerBound), GST_SEEK_TYPE_SET,
        gint64(range.upperBound))
      gst_element_send_event(reader.pointer, seek)
    }
    gst_element_set_state(pipeline.pointer, GST_STATE_PLAYING)
  }

  func dispose() { Disposal.end(pipeline, context) }
}
