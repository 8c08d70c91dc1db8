/// Which codecs give back every sample, by the names that GStreamer has for them.
enum LosslessCodecs {
  private static let marks = ["FLAC", "ALAC", "Apple Lossless", "PCM", "WavPack", "Monkey", "TTA", "DSD", "MLP"]

  static func contains(_ codecName: String) -> Bool {
    marks.contains { codecName.contains($0) } && !codecName.contains("ADPCM")
  }
}
