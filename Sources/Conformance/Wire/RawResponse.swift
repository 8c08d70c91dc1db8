import UPnP

/// An HTTP answer as received, without tolerance for mistakes.
struct RawResponse: Sendable {
  /// How the answer marks its end.
  enum Framing: Sendable, Hashable {
    case length(Int)
    case chunked, connectionClose, noBody
  }

  var version: String
  var status: Int
  /// In the order of the answer.
  var headers: [(name: String, value: String)]
  var framing: Framing
  var body: [UInt8]

  /// The first header of that name, in any case.
  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The type in CONTENT-TYPE, without parameters and in lower case.
  var mediaType: String? {
    header("content-type").map { value in
      String(value.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }).lowercased()
    }
  }

  var text: String { String(decoding: body, as: UTF8.self) }

  enum Reading: Sendable {
    case incomplete
    /// - Parameter length: of the answer in bytes.
    case complete(RawResponse, length: Int)
    /// Not HTTP. The text is one sentence.
    case invalid(String)
  }

  /// Reads the first answer in the bytes.
  /// - Parameters:
  ///   - method: the request's method; the answer to HEAD has no body.
  ///   - isClosed: whether the device has closed the connection.
  static func read(_ bytes: ArraySlice<UInt8>, method: String, isClosed: Bool) -> Reading {
    var rest = bytes
    while true {
      let head: Head
      switch readHead(rest, isClosed: isClosed) {
      case .incomplete: return .incomplete
      case .invalid(let reason): return .invalid(reason)
      case .complete(let read): head = read
      }
      rest = rest[head.end...]
      // Interim answers precede the real one (RFC 9110 §15.2).
      if head.status < 200 { continue }
      var response = RawResponse(
        version: head.version, status: head.status, headers: head.lines.compactMap(header), framing: .noBody, body: [])
      return response.readBody(rest, method: method, isClosed: isClosed).map { length in
        .complete(response, length: length + head.end - bytes.startIndex)
      }
    }
  }

  private struct Head {
    var version: String
    var status: Int
    /// Of the headers.
    var lines: ArraySlice<Substring>
    /// The index of the first byte behind it.
    var end: Int
  }

  private enum HeadReading {
    case incomplete
    case complete(Head)
    case invalid(String)
  }

  private static func readHead(_ bytes: ArraySlice<UInt8>, isClosed: Bool) -> HeadReading {
    let separator: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
    guard let end = bytes.firstRange(of: separator) else {
      if isClosed {
        return .invalid(bytes.isEmpty ? "the connection was closed without an answer" : "the head has no end")
      }
      return bytes.count > 64 << 10 ? .invalid("the head is larger than 64 KiB") : .incomplete
    }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    let start = (lines.first ?? "").split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard start.count >= 2, start[0].hasPrefix("HTTP/1."), let status = Int(start[1]), (100...599).contains(status)
    else { return .invalid("the status line is \"\((lines.first ?? "").prefix(100))\"") }
    return .complete(
      Head(version: String(start[0]), status: status, lines: lines.dropFirst(), end: end.upperBound))
  }

  private static func header(_ line: Substring) -> (name: String, value: String)? {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    return (String(line[..<colon]), String(String(line[line.index(after: colon)...]).trimmingBlanks))
  }

  /// - Returns: the length of the framed body.
  private mutating func readBody(_ rest: ArraySlice<UInt8>, method: String, isClosed: Bool) -> BodyReading {
    if method == "HEAD" || status == 204 || status == 304 { return .length(0) }
    if header("transfer-encoding")?.lowercased().hasSuffix("chunked") == true {
      framing = .chunked
      return readChunks(rest, isClosed: isClosed)
    }
    if let text = header("content-length") {
      guard let length = Int(text), length >= 0 else { return .invalid("CONTENT-LENGTH is \"\(text.prefix(40))\"") }
      framing = .length(length)
      guard rest.count >= length else {
        return isClosed
          ? .invalid("the body has \(rest.count) bytes and CONTENT-LENGTH announces \(length)") : .incomplete
      }
      body = Array(rest.prefix(length))
      return .length(length)
    }
    framing = .connectionClose
    guard isClosed else { return .incomplete }
    body = Array(rest)
    return .length(rest.count)
  }

  private mutating func readChunks(_ rest: ArraySlice<UInt8>, isClosed: Bool) -> BodyReading {
    let incomplete = isClosed ? BodyReading.invalid("the chunked body has no end") : .incomplete
    var position = rest.startIndex
    while true {
      guard let lineEnd = rest[position...].firstRange(of: [0x0D, 0x0A]) else { return incomplete }
      let line = String(decoding: rest[position..<lineEnd.lowerBound], as: UTF8.self)
      guard let size = Int(String(line.prefix { $0 != ";" }).trimmingBlanks, radix: 16), (0...(64 << 20)).contains(size)
      else { return .invalid("a chunk begins with \"\(line.prefix(40))\"") }
      position = lineEnd.upperBound
      if size == 0 {
        // Trailers end with an empty line.
        guard let trailer = rest[lineEnd.lowerBound...].firstRange(of: [0x0D, 0x0A, 0x0D, 0x0A]) else {
          return incomplete
        }
        return .length(trailer.upperBound - rest.startIndex)
      }
      guard rest.endIndex - position >= size + 2 else { return incomplete }
      body += rest[position..<(position + size)]
      position += size + 2
    }
  }

  private enum BodyReading {
    case length(Int)
    case incomplete
    case invalid(String)

    func map(_ complete: (Int) -> Reading) -> Reading {
      switch self {
      case .length(let length): complete(length)
      case .incomplete: .incomplete
      case .invalid(let reason): .invalid(reason)
      }
    }
  }
}
