/// Decides what to request, and what an answer or the end of a connection means. Pure: performs nothing.
///
/// A body that ends early is resumed if it has delivered something. The request goes to the original address, since a
/// redirect's token may have expired. The owner decides about all other failures: it knows how much sound is buffered.
package struct RequestMachine: Sendable {
  /// A request to send on a new connection.
  package struct Exchange: Sendable, Equatable {
    package var url: StreamURL
    package var text: String
  }

  package enum Step: Sendable, Equatable {
    case request(Exchange)
    case deliver(StreamAnswer, BodyDecoder.Framing, titleInterval: Int?)
    /// Ignore an interim response, and read another head.
    case awaitHead
    case finish
    case fail(StreamFailure)
  }

  /// How a connection ended.
  package enum End: Sendable, Equatable {
    case complete
    /// The server closed the connection in the middle of the body, or it broke.
    case early
    /// The encoding of the body is invalid.
    case malformed
  }

  static let maximumRedirects = 10

  private let request: StreamRequest
  private var url: StreamURL
  private var jar = CookieJar()
  /// The addresses of the current chain of redirects, each with the cookies that were sent there.
  private var visited: [(url: StreamURL, cookies: String?)] = []
  /// Offset of the next byte to deliver.
  package private(set) var position = 0
  /// Offset of the end to deliver; nil for the end of the file.
  private var end: Int?
  /// Whether the current request continues a body that ended early.
  private var isResuming = false
  /// Whether the current connection has delivered anything.
  private var hasProgressed = false
  /// The first answer, and the validator of the file's version (ETag or Last-Modified).
  package private(set) var answer: StreamAnswer?
  private var version: String?

  package init(_ request: StreamRequest) {
    self.request = request
    url = request.url
  }

  /// Requests a part of the file.
  package mutating func start(at offset: Int, end: Int?) -> Step {
    (position, self.end, isResuming) = (offset, end, false)
    if let end, end <= offset { return .finish }
    // A server would refuse the range (416).
    if let size = answer?.size, offset >= size { return .finish }
    return requestOriginal()
  }

  private mutating func requestOriginal() -> Step {
    url = request.url
    visited = []
    return sendRequest()
  }

  private mutating func sendRequest() -> Step {
    hasProgressed = false
    let cookies = jar.header(for: url)
    visited.append((url, cookies))
    // Credentials in the original address belong to its server only.
    let credentials = url.credentials
    return .request(
      Exchange(
        url: url,
        text: request.text(for: url, from: position, to: end, cookies: cookies, credentials: credentials)))
  }

  // MARK: Answers

  package mutating func answered(_ head: ResponseHead) -> Step {
    for cookie in head.values("set-cookie") { jar.store(cookie, from: url) }
    switch head.status {
    case 100..<200: return .awaitHead
    case 301, 302, 303, 307, 308: return redirected(head)
    case 200..<300: return accepted(head)
    // The file ends where the body ended early: the server had announced too much (RFC 9110 §15.5.17).
    case 416 where isResuming: return .finish
    default: return .fail(isResuming ? .endedEarly : .status(head.status))
    }
  }

  private mutating func redirected(_ head: ResponseHead) -> Step {
    guard let next = head["location"].flatMap({ url.resolve($0) }) else {
      return .fail(isResuming ? .endedEarly : .status(head.status))
    }
    // A server may set a cookie and redirect to the same address.
    let cookies = jar.header(for: next)
    guard visited.count <= Self.maximumRedirects,
      !visited.contains(where: { $0.url == next && $0.cookies == cookies })
    else {
      return .fail(isResuming ? .endedEarly : .redirects)
    }
    guard request.mayRedirect(url, next) else { return .fail(.otherHost) }
    url = next
    return sendRequest()
  }

  private mutating func accepted(_ head: ResponseHead) -> Step {
    let range = head.contentRange
    let start = head.status == 206 ? range.start ?? position : 0
    guard start == position, !head.isMultipartRange else { return .fail(isResuming ? .endedEarly : .rangeIgnored) }
    guard !head.isCompressed else { return .fail(isResuming ? .endedEarly : .encoded) }
    let length = head.hasNoBody ? 0 : head.isChunked ? nil : head.contentLength
    let size = head.status == 206 ? range.size ?? (end == nil ? length.map { start + $0 } : nil) : length
    let interval = head.titleInterval
    let version = head["etag"] ?? head["last-modified"]
    if isResuming, let answer, size != answer.size || version != self.version { return .fail(.endedEarly) }
    // A server need not announce whether it supports ranges (RFC 9110 §14.3). Python's server does not.
    let acceptsRanges =
      head["accept-ranges"].map { !$0.lowercased().hasPrefix("none") }
      ?? (head["server"]?.hasPrefix("SimpleHTTP/") != true)
    let new = StreamAnswer(
      address: url.text, size: size,
      isSeekable: interval == nil && (head.status == 206 || size != nil && acceptsRanges),
      contentType: head["content-type"],
      hasStationHeaders: head.hasField(withPrefix: "icy-") || head.hasField(withPrefix: "ice-"),
      isTitled: interval != nil, isChunked: head.isChunked)
    answer = new
    self.version = version
    let framing: BodyDecoder.Framing = length.map { .length($0) } ?? (head.isChunked ? .chunked : .untilClose)
    return .deliver(new, framing, titleInterval: interval)
  }

  // MARK: Bodies

  /// Sound has arrived.
  /// - Returns: how many of the bytes to deliver. Fewer than arrived if the requested part is complete.
  package mutating func received(_ count: Int) -> Int {
    let count = end.map { min(count, $0 - position) } ?? count
    position += count
    if count > 0 { hasProgressed = true }
    return count
  }

  /// Whether the requested part has been delivered.
  package var isComplete: Bool { end.map { position >= $0 } ?? false }

  /// The connection ended during a body.
  package mutating func ended(_ how: End) -> Step {
    if isComplete { return .finish }
    if how == .complete {
      // A server may answer with less than the whole file.
      guard let answer, answer.isSeekable, let size = answer.size, position < size else { return .finish }
    }
    guard how != .malformed, let answer, answer.isSeekable, answer.size != nil, hasProgressed else {
      return .fail(.endedEarly)
    }
    isResuming = true
    return requestOriginal()
  }

  /// No answer was received.
  package mutating func failed(_ failure: StreamFailure) -> Step { .fail(isResuming ? .endedEarly : failure) }
}
