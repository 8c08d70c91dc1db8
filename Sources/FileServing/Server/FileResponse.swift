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
