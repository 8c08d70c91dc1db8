import NIOHTTP1

/// A planned response with a part of a file, without its body.
package struct FileResponse: Equatable {
  /// The properties of a file that headers report.
  package struct Facts: Sendable, Hashable {
    /// Bytes.
    package var size: Int
    package var mimeType: String
    /// A strong validator, with its quotation marks (RFC 9110 §8.8.3).
    package var entityTag: String
    /// Seconds since 1970.
    package var modified: Int

    package init(size: Int, mimeType: String, entityTag: String, modified: Int) {
      self.size = size
      self.mimeType = mimeType
      self.entityTag = entityTag
      self.modified = modified
    }
  }

  package var status: HTTPResponseStatus
  package var headers: HTTPHeaders
  /// The bytes of the file that are asked for; empty for errors.
  package private(set) var content: Range<Int>
  private let hasBody: Bool

  /// The bytes of the file to send; empty for HEAD and errors.
  package var body: Range<Int> { hasBody ? content : 0..<0 }

  /// Plans the response for a content.
  /// - Parameter method: GET or HEAD.
  package init(_ method: HTTPMethod, headers request: HTTPHeaders, facts: Facts) {
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
    content = 0..<facts.size
    hasBody = method != .HEAD
    if Self.honoursRange(request, facts) {
      switch ByteRange(request.first(name: "Range"), size: facts.size) {
      case .whole: break
      case .part(let part):
        status = .partialContent
        content = part
        headers.add(
          name: "Content-Range", value: "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(facts.size)")
      case .unsatisfiable:
        status = .rangeNotSatisfiable
        content = 0..<0
        headers.remove(name: "Content-Type")
        headers.add(name: "Content-Range", value: "bytes */\(facts.size)")
      }
    }
    headers.add(name: "Content-Length", value: "\(content.count)")
  }

  /// An error without a body.
  package init(_ status: HTTPResponseStatus, headers: HTTPHeaders = [:]) {
    self.status = status
    self.headers = headers
    self.headers.add(name: "Content-Length", value: "0")
    content = 0..<0
    hasBody = false
  }

  /// False if If-Range names another version of the file, whose parts would not fit together (RFC 9110 §13.1.5).
  private static func honoursRange(_ request: HTTPHeaders, _ facts: Facts) -> Bool {
    guard let condition = request.first(name: "If-Range") else { return true }
    return condition == facts.entityTag || condition == HTTPDate.text(secondsSinceEpoch: facts.modified)
  }
}

/// The fourth field of protocolInfo (DLNA guidelines 7.4.1.3.17), which is also a header.
package struct DLNAFeatures {
  private let isAudio: Bool
  private let profile: String

  package init(mimeType: String) {
    isAudio = mimeType.hasPrefix("audio/")
    // Profiles of other types also depend on the codec and the size, which the type does not tell.
    profile = mimeType == "audio/mpeg" ? "DLNA.ORG_PN=MP3;" : ""
  }

  /// The profile, if any; byte ranges, not converted; streaming or interactive transfer, background transfer, stalling allowed, DLNA 1.5.
  package var text: String {
    "\(profile)DLNA.ORG_OP=01;DLNA.ORG_CI=0;DLNA.ORG_FLAGS=\(isAudio ? "01700000" : "00D00000")000000000000000000000000"
  }

  /// The transfer mode for a client that asked for this one.
  package func transferMode(for mode: String) -> String {
    if mode.lowercased() == "background" { return "Background" }
    return isAudio ? "Streaming" : "Interactive"
  }
}
