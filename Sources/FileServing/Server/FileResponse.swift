import NIOHTTP1
import UPnP

/// A planned response without its body.
struct FileResponse: Equatable {
  var status: HTTPResponseStatus
  var headers: HTTPHeaders
  /// The bytes of the content to send; empty for HEAD and errors.
  var body: Range<Int>

  /// Plans the response for a content.
  /// - Parameter method: GET or HEAD.
  init(_ method: HTTPMethod, headers request: HTTPHeaders, facts: OpenContent.Facts) {
    headers = [
      "Content-Type": facts.mimeType, "Accept-Ranges": "bytes", "ETag": facts.entityTag,
      "Last-Modified": HTTPDate.text(secondsSinceEpoch: facts.modified),
    ]
    let dlna = DLNAFeatures(mimeType: facts.mimeType)
    if request.first(name: "getcontentFeatures.dlna.org") == "1" {
      headers.add(name: "contentFeatures.dlna.org", value: dlna.text)
    }
    if let mode = request.first(name: "transferMode.dlna.org") {
      headers.add(name: "transferMode.dlna.org", value: dlna.transferMode(for: mode))
    }
    status = .ok
    body = 0..<facts.size
    if Self.honoursRange(request, facts) {
      switch ByteRange(request.first(name: "Range"), size: facts.size) {
      case .whole: break
      case .part(let part):
        status = .partialContent
        body = part
        headers.add(
          name: "Content-Range", value: "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(facts.size)")
      case .unsatisfiable:
        status = .rangeNotSatisfiable
        body = 0..<0
        headers.remove(name: "Content-Type")
        headers.add(name: "Content-Range", value: "bytes */\(facts.size)")
      }
    }
    headers.add(name: "Content-Length", value: "\(body.count)")
    if method == .HEAD { body = 0..<0 }
  }

  /// An error without a body.
  init(_ status: HTTPResponseStatus, headers: HTTPHeaders = [:]) {
    self.status = status
    self.headers = headers
    self.headers.add(name: "Content-Length", value: "0")
    body = 0..<0
  }

  /// False if If-Range names another version of the file, whose parts would not fit together (RFC 9110 §13.1.5).
  private static func honoursRange(_ request: HTTPHeaders, _ facts: OpenContent.Facts) -> Bool {
    guard let condition = request.first(name: "If-Range") else { return true }
    return condition == facts.entityTag || condition == HTTPDate.text(secondsSinceEpoch: facts.modified)
  }
}

/// The fourth field of protocolInfo (DLNA guidelines 7.4.1.3.17), which is also a header.
struct DLNAFeatures {
  private let isAudio: Bool

  init(mimeType: String) { isAudio = mimeType.hasPrefix("audio/") }

  /// Byte ranges, not converted; streaming or interactive transfer, background transfer, stalling allowed, DLNA 1.5.
  var text: String {
    "DLNA.ORG_OP=01;DLNA.ORG_CI=0;DLNA.ORG_FLAGS=\(isAudio ? "01700000" : "00D00000")000000000000000000000000"
  }

  /// The transfer mode for a client that asked for this one.
  func transferMode(for mode: String) -> String {
    if mode.lowercased() == "background" { return "Background" }
    return isAudio ? "Streaming" : "Interactive"
  }
}

/// A parsed Range header (RFC 9110 §14).
enum ByteRange: Equatable {
  /// No range, or an ignored one: another unit, several ranges or invalid syntax.
  case whole
  /// Answered with 206.
  case part(Range<Int>)
  /// Outside the content; answered with 416.
  case unsatisfiable

  /// - Parameter size: of the content, in bytes.
  init(_ header: String?, size: Int) {
    self = .whole
    guard let header, header.lowercased().hasPrefix("bytes=") else { return }
    let bounds = header.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard bounds.count == 2 else { return }
    switch (Self.number(bounds[0]), Self.number(bounds[1])) {
    case (nil, let suffix?) where bounds[0].isEmpty:
      self = suffix > 0 && size > 0 ? .part(max(0, size - suffix)..<size) : .unsatisfiable
    case (let first?, nil) where bounds[1].isEmpty:
      self = first < size ? .part(first..<size) : .unsatisfiable
    case (let first?, let last?) where first <= last:
      self = first < size ? .part(first..<(last < size ? last + 1 : size)) : .unsatisfiable
    default: break
    }
  }

  /// Digits only. A number beyond the range of Int is past the end of every file.
  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text) ?? .max
  }
}
