import CGStreamer
import PlaybackModel

/// Reads the bytes at an address without decoding them, up to `PlaylistDocument.limit`: a whole playlist document, or a
/// part of a file.
///
/// Used on the pipeline's thread, except for `context`.
final class ByteSource {
  /// Holds the bytes that have been read.
  let context: SourceContext
  private let pipeline: ElementReference
  /// Timeout of requests for a part of a file. It is short, since a track waits for the part.
  private static let partTimeout = Duration.seconds(3)

  var id: Int { context.id }
  var bytes: [UInt8] { context.head }

  /// Starts reading. Posts `documentEnded` or `failed` at the end. Nil if the address cannot be read.
  /// - Parameter range: the bytes to read; nil for all.
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
    context.observe(reader)
    if let bus = gst_element_get_bus(pipeline.pointer) {
      gst_bus_set_sync_handler(bus, onSourceMessage, data, nil)
      gst_object_unref(bus)
    }
    if let range {
      HTTPSourceElement.reader(reader.pointer)?.configure { $0.timeout = Self.partTimeout }
      // A seek before the element runs becomes part of the first request.
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

/// Reads parts of a track's file with separate requests, one at a time.
///
/// Used on the pipeline's thread.
final class PartReader {
  enum Purpose {
    /// A part that a `FLACSearch` needs.
    case search
    /// The tags of further parts of a concatenated MP3 file (`MP3Parts`).
    case mp3Parts
    /// The end of the file, where APE tags may be.
    case endTags
  }

  private(set) var request: ByteSource?
  private(set) var purpose: Purpose?
  private let uri: String
  private let context: SourceContext

  init(uri: String, context: SourceContext) {
    self.uri = uri
    self.context = context
  }

  /// Starts a request. No other request may be in progress.
  /// - Returns: false if the address cannot be read.
  func read(_ range: Range<Int>, for purpose: Purpose) -> Bool {
    request = ByteSource(uri: uri, range: range, settings: context.settings, mailbox: context.mailbox)
    self.purpose = request == nil ? nil : purpose
    return request != nil
  }

  /// - Returns: the bytes received and their purpose; nil if no request was in progress.
  @discardableResult func end() -> (purpose: Purpose, bytes: [UInt8])? {
    guard let request, let purpose else { return nil }
    let bytes = request.bytes
    request.dispose()
    self.request = nil
    self.purpose = nil
    return (purpose, bytes)
  }
}
