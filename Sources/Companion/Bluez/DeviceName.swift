extension String {
  /// The text without control characters, at most 60 Unicode scalars: another device has written it.
  var asDeviceName: String {
    let scalars = unicodeScalars.prefix(60).filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    return String(String.UnicodeScalarView(scalars))
  }
}
