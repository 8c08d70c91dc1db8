import CGStreamer
import Glibc
import MediaStream
import PlaybackFormats
import PlaybackModel
import Synchronization

/// Implements `swiftlethttpsrc`: wraps the bytes of a `StreamReader` in GStreamer's buffers.
///
/// GStreamer calls it on its streaming thread, and `interrupt`, queries and properties on any thread.
final class HTTPSource: Sendable {
  /// Settings for the requests. Elements inside decoders (HLS) use the defaults.
  struct Options: Sendable {
    var userAgent = PlayerSettings().userAgent
    var headers: [(name: String, value: String)] = [("transferMode.dlna.org", "Streaming")]
    var timeout: Duration = .seconds(12)
    /// Whether the server is known to ignore range requests.
    var ignoresRanges = false
    /// Whether `.` and `..` segments of the path are removed. The demuxer for HLS leaves them in the addresses that it
    /// makes.
    var removesDotSegments = true
    /// Called with each answer of the server, before its first bytes.
    var onAnswer: @Sendable (StreamAnswer) -> Void = { _ in }
  }

  private struct State {
    var uri: String?
    var url: StreamURL?
    var options = Options()
    var stream: StreamReader?
    /// The rest of the part to deliver, and whether it was requested.
    var (position, end) = (0, Int?.none)
    var isRequested = false
    var isInterrupted = false
    /// Whether the answer to the current request was handled.
    var isAnswered = false
    var answer: StreamAnswer?
    var failure: StreamFailure?
    /// An element inside the demuxer for HLS reads all segments.
    var gaps = SegmentGaps()
    /// Whether a buffer was produced since the request. Tags must follow a segment, which precedes the first buffer.
    var hasProduced = false
    /// Title to push after the first buffer.
    var title: String?
  }

  private let state = Mutex(State())
  /// The element. It owns this object.
  private let element: Element

  private struct Element: @unchecked Sendable {
    // Safe to share: the pointer never changes, and GStreamer's functions lock the element.
    let pointer: gpointer
  }

  init(element: gpointer) { self.element = Element(pointer: element) }

  // MARK: Settings

  var uri: String? { state.withLock(\.uri) }

  /// - Returns: false for an address that cannot be requested.
  func set(_ uri: UnsafePointer<gchar>) -> Bool {
    let text = String(cString: uri)
    guard let url = StreamURL(text) else { return false }
    state.withLock { ($0.uri, $0.url, $0.stream, $0.answer) = (text, url, nil, nil) }
    return true
  }

  /// Call before the element starts.
  func configure(_ change: (inout Options) -> Void) { state.withLock { change(&$0.options) } }

  /// Why the last request failed.
  var failure: StreamFailure? { state.withLock(\.failure) }

  // MARK: Called by GStreamer

  var isSeekable: Bool { state.withLock { $0.answer?.isSeekable == true && !$0.options.ignoresRanges } }

  var size: Int? { state.withLock { $0.answer?.size } }

  func seek(_ segment: GstSegment) -> Bool {
    guard segment.rate > 0, segment.format == GST_FORMAT_BYTES, let start = Int(exactly: segment.start) else {
      return false
    }
    let end = Int(exactly: segment.stop)
    return state.withLock { state in
      if state.isRequested, state.position == start, state.end == end { return true }
      if state.isRequested, state.answer?.isSeekable != true || state.options.ignoresRanges { return false }
      (state.position, state.end, state.isRequested) = (start, end, false)
      return true
    }
  }

  func interrupt() {
    state.withLock { state in
      state.isInterrupted = true
      state.stream?.interrupt()
    }
  }

  func endInterruption() {
    state.withLock { state in
      state.isInterrupted = false
      state.stream?.endInterruption()
    }
  }

  func stop() -> gboolean {
    state.withLock { state in
      state.stream?.close()
      (state.stream, state.position, state.end, state.isRequested) = (nil, 0, nil, false)
    }
    return 1
  }

  /// Answers the query for the address; nil for other queries.
  func answer(_ query: UnsafeMutablePointer<GstQuery>) -> gboolean? {
    guard swiftlet_query_type(query) == GST_QUERY_URI else { return nil }
    let (uri, answer) = state.withLock { ($0.uri, $0.answer) }
    guard let uri else { return nil }
    gst_query_set_uri(query, uri)
    if let answer { gst_query_set_uri_redirection(query, answer.address) }
    return 1
  }

  /// Produces the next buffer. Waits for the server.
  func create(_ buffer: inout UnsafeMutablePointer<GstBuffer>?) -> GstFlowReturn {
    guard let stream = request() else { return GST_FLOW_FLUSHING }
    while true {
      pushTitle()
      switch stream.next() {
      case .bytes:
        handleAnswer(of: stream)
        buffer = wrap(stream.take())
        return GST_FLOW_OK
      case .title(let title): state.withLock { $0.title = title }
      case .end:
        handleAnswer(of: stream)
        return GST_FLOW_EOS
      case .failed(let failure):
        if isSkipped(after: failure) { return GST_FLOW_EOS }
        state.withLock { $0.failure = failure }
        swiftlet_post_read_error(element.pointer, "\(failure)")
        return GST_FLOW_ERROR
      case .interrupted: return GST_FLOW_FLUSHING
      }
    }
  }

  /// Whether the demuxer for HLS goes on with the next segment.
  private func isSkipped(after failure: StreamFailure) -> Bool {
    guard swiftlet_is_inside(element.pointer, "GstAdaptiveDemux") != 0 else { return false }
    return state.withLock { state in state.gaps.skips(state.uri ?? "", after: failure) }
  }

  /// Reads the rest of the stream after the decoder refused its beginning. Blocks until `take` wants no more, the
  /// stream ends, or the element stops.
  /// - Parameter take: gets the next bytes and their offset, and returns whether it wants more.
  func readOn(_ take: (UnsafeRawBufferPointer, Int) -> Bool) {
    let source = swiftlet_base_src(element.pointer)
    swiftlet_source_lock_stream(source)
    defer { swiftlet_source_unlock_stream(source) }
    guard let stream = request() else { return }
    while true {
      switch stream.next() {
      case .bytes:
        let part = stream.take()
        let wantsMore = withExtendedLifetime(part.owner) { take(part.bytes, advance(by: part.bytes.count)) }
        guard wantsMore else { return }
      case .title: continue
      case .end, .failed, .interrupted: return
      }
    }
  }

  /// - Returns: the offset before the advance.
  private func advance(by count: Int) -> Int {
    state.withLock { state in
      defer { state.position += count }
      return state.position
    }
  }

  /// The stream, with the current part requested; nil while the element is stopping.
  private func request() -> StreamReader? {
    state.withLock { state in
      guard let url = state.url, !state.isInterrupted else { return nil }
      let target = state.options.removesDotSegments ? url.withoutDotSegments : url
      let stream = state.stream ?? Self.open(target, state.options)
      if !state.isRequested {
        stream.start(at: state.position, end: state.end)
        (state.isRequested, state.isAnswered, state.hasProduced, state.failure) = (true, false, false, nil)
      }
      state.stream = stream
      return stream
    }
  }

  private static func open(_ url: StreamURL, _ options: Options) -> StreamReader {
    var request = StreamRequest(url: url, userAgent: options.userAgent)
    request.headers = options.headers
    request.timeout = options.timeout
    request.proxy = proxy
    return StreamReader(request)
  }

  private static let proxy = getenv("http_proxy").flatMap { StreamURL(String(cString: $0)) }

  private func handleAnswer(of stream: StreamReader) {
    guard !state.withLock(\.isAnswered), let answer = stream.answer else { return }
    let onAnswer = state.withLock { state in
      state.isAnswered = true
      state.answer = answer
      return state.options.onAnswer
    }
    onAnswer(answer)
    swiftlet_source_set_size(swiftlet_base_src(element.pointer), gint64(answer.size ?? -1))
    guard let text = answer.contentType.flatMap({ LinearPCMType.layout($0)?.headerlessCaps }),
      let caps = gst_caps_from_string(text)
    else { return }
    gst_base_src_set_caps(swiftlet_base_src(element.pointer), caps)
    swiftlet_caps_unref(caps)
  }

  /// Makes a buffer of the bytes without copying them.
  private func wrap(_ part: StreamBytes) -> UnsafeMutablePointer<GstBuffer>? {
    let count = part.bytes.count
    let bytes = UnsafeMutableRawPointer(mutating: part.bytes.baseAddress)
    let buffer = gst_buffer_new_wrapped_full(
      GST_MEMORY_FLAG_READONLY, bytes, gsize(count), 0, gsize(count), Unmanaged.passRetained(part.owner).toOpaque(),
      { owner in owner.map { Unmanaged<AnyObject>.fromOpaque($0).release() } })
    state.withLock { state in
      state.hasProduced = true
      state.gaps.arrived()
    }
    swiftlet_buffer_set_offset(buffer, guint64(advance(by: count)))
    return buffer
  }

  private func pushTitle() {
    let title: String? = state.withLock { state in
      guard state.hasProduced else { return nil }
      defer { state.title = nil }
      return state.title
    }
    // GStreamer has no empty tags.
    if let title, !title.isEmpty { swiftlet_source_push_title(swiftlet_base_src(element.pointer), title) }
  }
}
