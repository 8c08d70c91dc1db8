import PlaybackModel

/// The names that OpenHome's own player gives codecs in Info.CodecName; controllers choose their badges by them.
enum CodecName {
  /// Marks in GStreamer's descriptions, such as “Free Lossless Audio Codec (FLAC)”, in lower case. The first match counts.
  private static let names: [(mark: String, name: String)] = [
    ("flac", "FLAC"), ("alac", "ALAC"), ("apple lossless", "ALAC"), ("aac", "AAC"), ("mp3", "MP3"), ("layer 3", "MP3"),
    ("vorbis", "VORBIS"), ("opus", "Opus"), ("adpcm", "ADPCM"), ("pcm", "PCM"), ("uncompressed", "PCM"),
    ("wavpack", "WavPack"), ("wma", "WMA"),
  ]

  /// The codec of a stream; empty while it is unknown.
  static func of(_ info: StreamInfo?) -> String {
    guard let info, let description = info.codecName else { return "" }
    let name = short(description)
    guard name == "PCM" else { return name }
    return switch info.container {
    case .wav: "WAV"
    case .aiff: "AIFF"
    case nil: name
    }
  }

  static func short(_ description: String) -> String {
    let text = description.lowercased()
    return names.first { text.contains($0.mark) }?.name ?? inBrackets(description) ?? description
  }

  /// The word in brackets at the end, as in “MPEG-1 Layer 2 (MP2)”.
  private static func inBrackets(_ text: String) -> String? {
    guard text.hasSuffix(")"), let open = text.lastIndex(of: "(") else { return nil }
    let name = text[text.index(after: open)...].dropLast()
    return name.isEmpty || name.contains(where: \.isWhitespace) ? nil : String(name)
  }

  /// The bit depth that OpenHome's own player reports for lossy codecs, which have none: that of its decoder's output.
  static func lossyBitDepth(_ name: String) -> Int { name == "MP3" ? 24 : 16 }
}
