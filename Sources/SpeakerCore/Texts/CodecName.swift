import PlaybackModel

/// The codec names that OpenHome's own player reports in Info.CodecName. Controllers choose icons by them.
package enum CodecName {
  /// Lower-case parts of GStreamer's descriptions, such as “Free Lossless Audio Codec (FLAC)”. The first match counts.
  private static let names: [(pattern: String, name: String)] = [
    ("flac", "FLAC"), ("alac", "ALAC"), ("apple lossless", "ALAC"), ("aac", "AAC"), ("mp3", "MP3"), ("layer 3", "MP3"),
    ("vorbis", "VORBIS"), ("opus", "Opus"), ("adpcm", "ADPCM"), ("pcm", "PCM"), ("uncompressed", "PCM"),
    ("wavpack", "WavPack"), ("wma", "WMA"),
  ]

  /// The codec of a stream; empty while it is unknown.
  package static func of(_ info: StreamInfo?) -> String {
    guard let info, let description = info.codecName else { return "" }
    let name = short(description)
    guard name == "PCM" else { return name }
    return switch info.container {
    case .wav: "WAV"
    case .aiff: "AIFF"
    case nil: name
    }
  }

  package static func short(_ description: String) -> String {
    let text = description.lowercased()
    return names.first { text.contains($0.pattern) }?.name ?? inParentheses(description) ?? description
  }

  /// The word in parentheses at the end, as in “MPEG-1 Layer 2 (MP2)”.
  private static func inParentheses(_ text: String) -> String? {
    guard text.hasSuffix(")"), let open = text.lastIndex(of: "(") else { return nil }
    let name = text[text.index(after: open)...].dropLast()
    return name.isEmpty || name.contains(where: \.isWhitespace) ? nil : String(name)
  }

  /// The bit depth that OpenHome's own player reports for lossy codecs: that of its decoder's output.
  package static func lossyBitDepth(_ name: String) -> Int { name == "MP3" ? 24 : 16 }
}
