import UPnP

/// Detects requests that the proxy cannot parse and relays unchanged.
enum MalformedRequest {
  private static let longestHead = 32 << 10
  private static let longestBody = 1 << 20

  /// Whether the bytes are the beginning of a malformed request.
  static func begins(_ bytes: [UInt8]) -> Bool {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return bytes.count > longestHead }
    let head = bytes[..<end.lowerBound]
    guard let text = String(validating: head, as: UTF8.self), !head.contains(0) else { return true }
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    guard lines.first != "" else { return true }
    let headers = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: parts[0].lowercased(), value: parts.count > 1 ? String(parts[1]).trimmingBlanks : "")
    }
    let lengths = headers.filter { $0.name == "content-length" }.map(\.value)
    let codings = headers.filter { $0.name == "transfer-encoding" }.map(\.value)
    let hasLength = lengths.allSatisfy { Int($0).map { (0...longestBody).contains($0) } ?? false }
    let isFramed = lengths.count + codings.count <= 1 && hasLength && codings.allSatisfy { $0 == "chunked" }
    let hasNames = headers.allSatisfy { !$0.name.isEmpty && !$0.name.contains { $0 == " " || $0 == "\t" } }
    return !isFramed || !hasNames || !isText(bytes[end.upperBound...])
  }

  /// Whether a body passes through a String unchanged.
  private static func isText(_ body: ArraySlice<UInt8>) -> Bool {
    // The last character may still be incomplete.
    (0..<min(4, body.count + 1)).contains { String(validating: body.dropLast($0), as: UTF8.self) != nil }
  }
}
