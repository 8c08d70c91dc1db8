import PlaybackModel

/// A stream to read, and the headers and limits of its requests.
package struct StreamRequest: Sendable {
  package var url: StreamURL
  package var userAgent: String
  /// Sent with each request, such as DLNA's.
  package var headers: [(name: String, value: String)] = []
  /// Whether the server may insert titles (ICY).
  package var wantsTitles = true
  /// Time limit for a connection, an answer, and each pause within a body.
  package var timeout: Duration = .seconds(12)
  /// Whether a redirect from the first address to the second is followed.
  package var mayRedirect: @Sendable (StreamURL, StreamURL) -> Bool = { _, _ in true }
  /// The proxy for all requests; nil for none.
  package var proxy: StreamURL?

  package init(url: StreamURL, userAgent: String) {
    self.url = url
    self.userAgent = userAgent
  }

  /// - Parameters:
  ///   - url: the address, perhaps after redirects.
  ///   - end: offset of the end; nil for the end of the file.
  func text(for url: StreamURL, from offset: Int, to end: Int?, cookies: String?, credentials: String?) -> String {
    let target = proxy != nil && !url.address.isSecure ? url.text : url.target
    var lines = [
      "GET \(target) HTTP/1.1", "Host: \(url.authority)", "User-Agent: \(userAgent)", "Accept-Encoding: identity",
      "Connection: close",
    ]
    if wantsTitles { lines.append("Icy-MetaData: 1") }
    if offset > 0 || end != nil { lines.append("Range: bytes=\(offset)-\(end.map { "\($0 - 1)" } ?? "")") }
    if let credentials { lines.append("Authorization: Basic \(credentials)") }
    if let proxy, !url.address.isSecure, let credentials = proxy.credentials {
      lines.append("Proxy-Authorization: Basic \(credentials)")
    }
    if let cookies { lines.append("Cookie: \(cookies)") }
    lines += headers.map { "\($0.name): \($0.value)" }
    // A line end in a value would begin another header.
    let text = lines.map { line in String(line.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }) }
    return text.joined(separator: "\r\n") + "\r\n\r\n"
  }
}

/// Facts about a stream from the server's answer.
package struct StreamAnswer: Sendable, Equatable {
  /// The address after redirects, without user information.
  package var address: String
  /// Size of the whole file in bytes; nil if unknown.
  package var size: Int?
  /// Whether the server is believed to answer range requests.
  package var isSeekable: Bool
  package var contentType: String?
  /// Whether the server sent headers of a radio station.
  package var hasStationHeaders: Bool
  /// Whether titles are inserted (ICY).
  package var isTitled: Bool
  /// Whether the server marks the end of a body without a length.
  package var isChunked: Bool
}
