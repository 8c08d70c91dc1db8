/// Something that is wrong in the configuration.
struct ConfigurationMistake: Error, Equatable, CustomStringConvertible {
  var origin: ConfigurationOrigin
  /// nil where it is not a matter of one key.
  var key: String?
  var sentence: String

  /// `file:line: key: sentence`
  var description: String {
    switch origin {
    case .fallback, .file: ([origin.description] + [key].compactMap(\.self) + [sentence]).joined(separator: ": ")
    case .environment, .option: "\(origin): \(sentence)"
    }
  }
}
