import PlaybackModel

extension DeviceFormat {
  /// Reads sample format, rate in kHz and channels, such as `S16LE 44.1 2`.
  package init(_ text: String) {
    let fields = text.split(separator: " ")
    self.init(format: String(fields[0]), rate: Self.hertz(fields[1]), channels: Int(fields[2]) ?? 0)
  }

  package static func hertz(_ kilohertz: Substring) -> Int { Int((Double(kilohertz) ?? 0) * 1_000) }
}
