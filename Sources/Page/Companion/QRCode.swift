import CQREncode

/// QR codes (ISO/IEC 18004) as pictures.
enum QRCode {
  /// Number of light modules around the code, as the standard requires.
  private static let quietZone = 4

  /// An SVG document with one unit per module. Always dark on white, because many scanners do not read inverted codes.
  /// - Returns: nil if the text is too long for a code.
  static func svg(of text: String) -> String? {
    guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    guard let modules = code.pointee.data else { return nil }
    var path = ""
    for row in 0..<width {
      var column = 0
      while column < width {
        // The lowest bit of a module is its color; the others say what it belongs to.
        let start = column
        while column < width, modules[row * width + column] & 1 == 1 { column += 1 }
        if column > start { path += "M\(start + quietZone) \(row + quietZone)h\(column - start)v1h-\(column - start)z" }
        column += 1
      }
    }
    let size = width + 2 * quietZone
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" shape-rendering="crispEdges">\
      <rect width="\(size)" height="\(size)" fill="#fff"/><path d="\(path)"/></svg>
      """
  }
}
