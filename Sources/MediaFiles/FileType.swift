/// The MIME types of files by the extension of their name, in the spelling of most controllers and media servers.
package enum FileType {
  private static let audio = [
    "aac": "audio/aac", "aif": "audio/x-aiff", "aifc": "audio/x-aiff", "aiff": "audio/x-aiff", "ape": "audio/x-ape",
    "au": "audio/basic", "caf": "audio/x-caf", "dff": "audio/x-dff", "dsf": "audio/x-dsf", "flac": "audio/x-flac",
    "m4a": "audio/mp4", "m4b": "audio/mp4", "mka": "audio/x-matroska", "mp3": "audio/mpeg", "mpc": "audio/x-musepack",
    "oga": "audio/ogg", "ogg": "audio/ogg", "opus": "audio/ogg", "tta": "audio/x-tta", "wav": "audio/x-wav",
    "wave": "audio/x-wav", "wma": "audio/x-ms-wma", "wv": "audio/x-wavpack",
  ]
  private static let pictures = ["jpeg": "image/jpeg", "jpg": "image/jpeg", "png": "image/png"]
  /// The names of cover files, best first.
  private static let coverNames = ["cover", "folder", "front", "albumart", "album"]

  /// The MIME types of audio files.
  package static let audioTypes = Set(audio.values).sorted()

  /// The MIME type of an audio file; nil for other extensions.
  package static func audio(_ path: String) -> String? { audio[fileExtension(path)] }

  /// The MIME type of an audio file or picture; nil for other extensions.
  package static func of(_ path: String) -> String? { audio(path) ?? pictures[fileExtension(path)] }

  package static func playlist(_ path: String) -> PlaylistFile.Format? {
    switch fileExtension(path) {
    case "m3u", "m3u8": .m3u
    case "pls": .pls
    case "xspf": .xspf
    default: nil
    }
  }

  /// The name of the file with the cover, among the names in a folder.
  package static func cover(among names: [String]) -> String? {
    func rank(_ name: String) -> Int? {
      guard pictures[fileExtension(name)] != nil else { return nil }
      return coverNames.firstIndex(of: stem(name).lowercased())
    }
    return names.compactMap { name in rank(name).map { (name, $0) } }.min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
  }

  /// The last component of a path.
  package static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The name of a file without its extension.
  package static func stem(_ path: String) -> String {
    let name = name(path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// The extension in lower case, without the dot; empty if there is none.
  private static func fileExtension(_ path: String) -> String {
    let name = name(path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }
}
