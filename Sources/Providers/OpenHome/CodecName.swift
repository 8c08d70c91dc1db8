/// Codecs as Info names them: short, as people do.
enum CodecName {
  /// - Parameter description: in GStreamer's words, such as “Free Lossless Audio Codec (FLAC)” or “MPEG-4 AAC audio”.
  static func short(_ description: String) -> String {
    if let name = inBrackets(description) { return name }
    for name in ["AAC", "PCM", "Vorbis", "Opus", "WavPack", "WMA"] {
      if description.lowercased().contains(name.lowercased()) { return name }
    }
    return description
  }

  /// What the last pair of brackets holds, if that is one word.
  private static func inBrackets(_ text: String) -> String? {
    guard text.hasSuffix(")"), let open = text.lastIndex(of: "(") else { return nil }
    let name = text[text.index(after: open)...].dropLast()
    return name.isEmpty || name.contains(where: \.isWhitespace) ? nil : String(name)
  }
}
