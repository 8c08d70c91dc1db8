import UPnP

/// A planned response: its head, and how its body is sent.
struct Answer {
  /// The parts of a request that decide the answer.
  struct Request {
    var method: String
    var target: Target
    var headers: [Header]
    var isHTTP11: Bool

    subscript(name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
  }

  /// Time before the head is sent.
  private(set) var delay: Duration
  /// The status line and the headers, with the empty line at the end.
  let head: String
  /// The source of the body.
  let content: Content
  let script: BodyScript
  let chunked: Bool
  /// Whether the connection stays open afterwards.
  let keepsAlive: Bool
  let status: Int

  /// Plans the answer to a request.
  /// - Parameter content: nil if the resource does not exist.
  static func to(_ request: Request, content: Content?, manners: Manners) -> Answer {
    var answer =
      redirection(request, manners)
      ?? refusal(request, content: content, manners)
      ?? success(request, content: content ?? Content([]), manners)
    answer.delay = manners.openDelay
    return answer
  }

  /// A plain-text answer.
  static func text(_ status: Int, _ text: String, headers: [Header] = [], to request: Request) -> Answer {
    let content = Content(Array("\(text)\n".utf8))
    return Answer(
      request, status: status,
      headers: headers + [Header("Content-Type", "text/plain; charset=utf-8")],
      content: content, range: 0..<content.size, manners: Manners())
  }

  private static func redirection(_ request: Request, _ manners: Manners) -> Answer? {
    let location: String
    switch manners.redirect {
    case .hops(let count) where request.target.hop < count: location = request.target.nextHop
    case .endless: location = request.target.text
    case .to(let other): location = other
    case .hops, nil: return nil
    }
    return text(manners.redirectStatus, "See \(location)", headers: [Header("Location", location)], to: request)
  }

  private static func refusal(_ request: Request, content: Content?, _ manners: Manners) -> Answer? {
    if let status = manners.status {
      let headers = status.code == 401 ? [Header("WWW-Authenticate", "Basic realm=\"media\"")] : []
      return text(status.code, reason(status.code), headers: headers, to: request)
    }
    guard request.method == "GET" || request.method == "HEAD" && manners.head else {
      let allowed = manners.head ? "GET, HEAD" : "GET"
      return text(405, reason(405), headers: [Header("Allow", allowed)], to: request)
    }
    guard let content else { return text(404, reason(404), to: request) }
    if honoursRanges(request, manners), ByteRange(request["Range"], size: content.size) == .unsatisfiable {
      return text(416, reason(416), headers: [Header("Content-Range", "bytes */\(content.size)")], to: request)
    }
    return nil
  }

  private static func success(_ request: Request, content: Content, _ manners: Manners) -> Answer {
    let content = manners.garbage ? .garbage(size: content.size) : content
    var headers: [Header] = []
    if !manners.silentOnRanges {
      headers.append(Header("Accept-Ranges", manners.ranges && !manners.endless ? "bytes" : "none"))
    }
    switch manners.type {
    case .byName: headers.append(Header("Content-Type", MediaType.of(path: request.target.path)))
    case .given(let type): headers.append(Header("Content-Type", type))
    case .missing: break
    }
    if honoursRanges(request, manners), case .part(let part) = ByteRange(request["Range"], size: content.size) {
      headers.append(Header("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(content.size)"))
      return Answer(request, status: 206, headers: headers, content: content, range: part, manners: manners)
    }
    return Answer(
      request, status: 200, headers: headers, content: content, range: 0..<content.size, manners: manners)
  }

  /// The server has no validators, so If-Range never matches and the range is ignored (RFC 9110 §13.1.5).
  private static func honoursRanges(_ request: Request, _ manners: Manners) -> Bool {
    manners.ranges && !manners.endless && request["If-Range"] == nil
  }

  private init(
    _ request: Request, status: Int, headers: [Header], content: Content, range: Range<Int>, manners: Manners
  ) {
    var framing = manners.framing
    if manners.endless, framing != .chunked { framing = .close }
    if framing == .chunked, !request.isHTTP11 { framing = .close }
    var headers = headers
    switch framing {
    case .length: headers.append(Header("Content-Length", "\(range.count)"))
    case .wrongLength(let difference): headers.append(Header("Content-Length", "\(max(0, range.count + difference))"))
    case .chunked: headers.append(Header("Transfer-Encoding", "chunked"))
    case .close: break
    }
    let connection = request["Connection"]?.lowercased()
    let isHead = request.method == "HEAD"
    let asked = request.isHTTP11 ? connection != "close" : connection == "keep-alive"
    keepsAlive = asked && !manners.closes && (isHead || framing == .length || framing == .chunked)
    headers.append(Header("Connection", keepsAlive ? "keep-alive" : "close"))

    let icy = status == 200 ? manners.icy : nil
    let sendsTitles = icy != nil && request["Icy-MetaData"] == "1"
    if let icy, let name = icy.name { headers.append(Header("icy-name", name)) }
    if let icy, sendsTitles { headers.append(Header("icy-metaint", "\(icy.interval)")) }

    let version = icy?.statusLine == true ? "ICY" : "HTTP/1.1"
    let lines = (headers + manners.headers).map { "\($0.name): \($0.value)\r\n" }
    head = "\(version) \(status) \(Self.reason(status))\r\n\(lines.joined())\r\n"
    delay = .zero
    script =
      isHead
      ? BodyScript(range: 0..<0, manners: Manners(), icy: false)
      : BodyScript(range: range, manners: manners, icy: sendsTitles)
    chunked = framing == .chunked && !isHead
    self.content = content
    self.status = status
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 410: "Gone"
    case 416: "Range Not Satisfiable"
    case 500: "Internal Server Error"
    case 503: "Service Unavailable"
    default: "Status"
    }
  }
}

/// The media types of file name extensions, as music servers send them.
enum MediaType {
  private static let byExtension = [
    "aac": "audio/aac", "aif": "audio/x-aiff", "aiff": "audio/x-aiff", "asx": "video/x-ms-asf", "au": "audio/basic",
    "caf": "audio/x-caf", "flac": "audio/flac",
    "html": "text/html; charset=utf-8", "jpg": "image/jpeg", "l16": "audio/L16;rate=44100;channels=2",
    "l24": "audio/L24;rate=44100;channels=2",
    "m3u": "audio/x-mpegurl", "m3u8": "application/vnd.apple.mpegurl", "m4a": "audio/mp4", "mp3": "audio/mpeg",
    "ogg": "audio/ogg", "opus": "audio/ogg", "pls": "audio/x-scpls", "png": "image/png", "ts": "video/mp2t",
    "txt": "text/plain; charset=utf-8", "w64": "audio/x-w64", "wav": "audio/wav", "xml": "text/xml; charset=\"utf-8\"",
    "xspf": "application/xspf+xml",
  ]

  /// The type of a file; `application/octet-stream` for an unknown extension.
  static func of(path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
    return byExtension[name[name.index(after: dot)...].lowercased()] ?? "application/octet-stream"
  }
}
