import MediaOrigin

/// A file of the user that a check plays.
public struct MediaFile: Sendable {
  let name: String
  let resource: Resource
  /// The MIME types in lower case, the usual one first.
  let mimeTypes: [String]

  /// Types by the extension of files that cannot be generated.
  private static let others = [
    "ac3": ["audio/ac3"],
    "ape": ["audio/x-ape", "audio/ape", "audio/x-monkeys-audio"],
    "au": ["audio/basic", "audio/x-au"],
    "caf": ["audio/x-caf"],
    "dff": ["audio/x-dff", "audio/dff", "audio/dsd"],
    "dsf": ["audio/x-dsf", "audio/dsf", "audio/dsd"],
    "mka": ["audio/x-matroska"],
    "spx": ["audio/x-speex", "audio/speex"],
    "w64": ["audio/x-w64"],
    "webm": ["audio/webm"],
    "wma": ["audio/x-ms-wma"],
    "wv": ["audio/x-wavpack", "audio/wavpack"],
  ]
  private static let generated: [String: MediaFormat] = [
    "aac": .aac, "aif": .aiff, "aiff": .aiff, "flac": .flac, "m4a": .mp4, "mp3": .mp3, "mp4": .mp4, "oga": .vorbis,
    "ogg": .vorbis, "opus": .opus, "wav": .wav,
  ]

  /// - Returns: nil for an extension that is not known.
  public init?(path: String) {
    let name = String(path.split(separator: "/").last ?? "")
    let type = String(name.split(separator: ".").last ?? "").lowercased()
    guard let mimeTypes = Self.generated[type]?.mimeTypes ?? Self.others[type] else { return nil }
    self.init(name: name, resource: .file(path), mimeTypes: mimeTypes)
  }

  init(name: String, resource: Resource, mimeTypes: [String]) {
    self.name = name
    self.resource = resource
    self.mimeTypes = mimeTypes
  }
}
