/// The media types that music servers give for file names.
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

  /// The type for a path by its extension; `application/octet-stream` for one that is not known.
  static func of(path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
    return byExtension[name[name.index(after: dot)...].lowercased()] ?? "application/octet-stream"
  }
}
