/// Which codecs give back every sample, by the names that GStreamer has for them.
enum LosslessCodecs {
  private static let marks = [
    "flac", "alac", "lossless", "uncompressed", "pcm", "wavpack", "monkey", "true audio", "tta", "dsd",
  ]

  static func contains(_ codecName: String) -> Bool {
    let name = codecName.lowercased()
    return marks.contains { name.contains($0) } && !name.contains("adpcm")
  }
}
