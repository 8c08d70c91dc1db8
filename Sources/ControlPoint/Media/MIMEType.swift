/// A MIME type. Its synonyms are replaced by one name, so that types can be compared.
struct MIMEType: Hashable {
  enum Kind { case audio, video, image, unknown }

  /// The canonical name, such as `audio/flac`.
  let name: String

  /// - Parameter text: in lower case, without parameters.
  init(_ text: String) {
    var name = text
    if let slash = name.firstIndex(of: "/"), name[name.index(after: slash)...].hasPrefix("x-") {
      name.removeSubrange(name.index(after: slash)..<name.index(slash, offsetBy: 3))
    }
    self.name = Self.synonyms[name] ?? name
  }

  var kind: Kind {
    switch name.prefix(while: { $0 != "/" }) {
    case "audio": .audio
    case "video": .video
    case "image": .image
    default: .unknown
    }
  }

  /// Whether the format is lossless. MP4 and Matroska may contain either kind, and count as lossy.
  var isLossless: Bool { Self.lossless.contains(name) }

  /// Whether this is a playlist rather than audio.
  var isPlaylist: Bool { Self.playlists.contains(name) }

  /// The names to replace, without `x-`, which `init` removes.
  private static let synonyms = [
    "audio/wave": "audio/wav", "audio/vnd.wave": "audio/wav", "audio/pn-wav": "audio/wav",
    "audio/mp3": "audio/mpeg", "audio/mpeg3": "audio/mpeg", "audio/mpg": "audio/mpeg",
    "audio/m4a": "audio/mp4", "audio/mp4a-latm": "audio/mp4", "audio/alac": "audio/mp4",
    "audio/aacp": "audio/aac", "audio/vnd.dlna.adts": "audio/aac", "audio/hx-aac-adts": "audio/aac",
    "audio/aif": "audio/aiff", "application/ogg": "audio/ogg", "audio/vorbis": "audio/ogg",
    "audio/vorbis+ogg": "audio/ogg", "application/flac": "audio/flac", "audio/monkeys-audio": "audio/ape",
    "video/matroska": "video/x-matroska",
  ]
  private static let lossless: Set = [
    "audio/flac", "audio/wav", "audio/aiff", "audio/l8", "audio/l16", "audio/l20", "audio/l24", "audio/ape",
    "audio/wavpack", "audio/tta", "audio/dsf", "audio/dff", "audio/dsd", "audio/basic", "audio/caf",
  ]
  private static let playlists: Set = ["audio/mpegurl", "audio/scpls", "application/xspf+xml", "audio/ms-asx"]
}
