/// A violation of a specification by a device, which the control point tolerated.
public struct Deviation: Sendable, Hashable, CustomStringConvertible {
  /// The document or message, such as `description` or `AVTransport SCPD`.
  public var place: String
  /// One sentence.
  public var text: String
  /// The violated section, such as `UDA 1.1 §2.3`.
  public var source: String

  public init(place: String, text: String, source: String) {
    self.place = place
    self.text = text
    self.source = source
  }

  public var description: String { "\(place): \(text) (\(source))" }
}

/// Collects deviations while a document is read. The number is bounded, so that a hostile document cannot fill the memory.
struct DeviationLog {
  static let limit = 100
  /// In Unicode scalars. The sentences quote texts of devices.
  private static let maximumLength = 300

  private let place: String
  private let source: String
  private(set) var deviations: [Deviation] = []

  init(place: String, source: String) {
    self.place = place
    self.source = source
  }

  mutating func add(_ text: String, source: String? = nil) {
    guard deviations.count < Self.limit else { return }
    // Scalars, since one character may have any number of them.
    let text = String(text.unicodeScalars.prefix(Self.maximumLength))
    deviations.append(Deviation(place: place, text: text, source: source ?? self.source))
  }

  /// Records a deviation if the text is missing or empty.
  /// - Returns: the text, unchanged; empty if it is missing.
  mutating func required(_ text: String?, _ name: String, in place: String) -> String {
    if text?.isEmpty ?? true { add("\(place) has no \(name).") }
    return text ?? ""
  }
}
