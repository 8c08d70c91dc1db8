import Logging
import PlaybackModel
import UPnP

/// How the value of a key is read, and written.
struct ConfigurationKind<Value: Equatable & Sendable>: Sendable {
  /// What such a value is: “a whole number from 0 to 100”.
  let name: String
  let read: @Sendable (ConfigurationNode) throws(ConfigurationFault) -> Value
  /// As TOML.
  let write: @Sendable (Value) -> String

  init(
    _ name: String, read: @escaping @Sendable (ConfigurationNode) throws(ConfigurationFault) -> Value,
    write: @escaping @Sendable (Value) -> String
  ) {
    self.name = name
    self.read = read
    self.write = write
  }

  /// A kind whose values are either read or not.
  init(
    _ name: String, reading read: @escaping @Sendable (ConfigurationValue) -> Value?,
    write: @escaping @Sendable (Value) -> String
  ) {
    self.init(
      name,
      read: { node throws(ConfigurationFault) in
        if let value = read(node.value) { return value }
        if case .text(let text) = node.value, read(.plain(text)) != nil {
          throw ConfigurationFault("\(node.value.quoted) stands in quotes, which make it text: write it without.")
        }
        throw ConfigurationFault("\(node.value.quoted) is not \(name).")
      }, write: write)
  }
}

extension ConfigurationKind where Value == String {
  static var text: Self {
    Self(
      "text",
      read: { node throws(ConfigurationFault) in
        guard let text = node.value.text else {
          throw ConfigurationFault("\(node.value.quoted) is not text, which stands in quotes.")
        }
        guard !text.allSatisfy(\.isWhitespace) else { throw ConfigurationFault("It is empty.") }
        return text
      }, write: { $0.tomlText })
  }

  static var optionalText: Self {
    Self("text, which may be empty", reading: { $0.text }, write: { $0.tomlText })
  }

  /// What a service is started from says nothing, so paths begin at the root.
  static var path: Self {
    Self(
      "a path that begins with /", reading: { $0.text.flatMap { $0.hasPrefix("/") ? $0 : nil } },
      write: { $0.tomlText })
  }
}

extension ConfigurationKind where Value == Int {
  static func whole(_ range: ClosedRange<Int>) -> Self {
    Self(
      "a whole number from \(range.lowerBound) to \(range.upperBound)",
      reading: { $0.whole.flatMap { range.contains($0) ? $0 : nil } }, write: { "\($0)" })
  }
}

extension ConfigurationKind where Value == Duration {
  static func seconds(_ range: ClosedRange<Int>) -> Self {
    let bounds = Double(range.lowerBound)...Double(range.upperBound)
    return Self(
      "a number of seconds from \(range.lowerBound) to \(range.upperBound)",
      reading: { $0.number.flatMap { bounds.contains($0) ? .milliseconds(Int($0 * 1000)) : nil } },
      write: { $0.tomlSeconds })
  }
}

extension ConfigurationKind where Value == Double {
  static func decibels(_ range: ClosedRange<Int>) -> Self {
    let bounds = Double(range.lowerBound)...Double(range.upperBound)
    return Self(
      "a number of decibels from \(range.lowerBound) to \(range.upperBound)",
      reading: { $0.number.flatMap { bounds.contains($0) ? $0 : nil } },
      write: { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" })
  }
}

extension ConfigurationKind where Value == Bool {
  static var truth: Self { Self("true or false", reading: \.truth, write: { "\($0)" }) }
}

extension ConfigurationKind where Value: RawRepresentable<String> & CaseIterable {
  static var choice: Self {
    let names = Value.allCases.map(\.rawValue)
    let list = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    return Self(list, reading: { $0.text.flatMap(Value.init(rawValue:)) }, write: { $0.rawValue.tomlText })
  }
}

extension ConfigurationKind where Value == OutputDescription {
  static var output: Self {
    described("an output") { text throws(OutputError) in try OutputDescription(parsing: text) }
  }
}

extension ConfigurationKind where Value == MixerDescription {
  static var mixer: Self {
    described("a mixer") { text throws(OutputError) in try MixerDescription(parsing: text) }
  }
}

extension ConfigurationKind where Value: CustomStringConvertible {
  /// What has a notation of its own, and its own words for what is wrong with it.
  fileprivate static func described(
    _ name: String, parse: @escaping @Sendable (String) throws(OutputError) -> Value
  ) -> Self {
    Self(
      name,
      read: { node throws(ConfigurationFault) in
        guard let text = node.value.text else { throw ConfigurationFault("\(node.value.quoted) is not \(name).") }
        do throws(OutputError) {
          return try parse(text)
        } catch {
          throw ConfigurationFault(error.description)
        }
      }, write: { $0.description.tomlText })
  }
}

extension ConfigurationKind where Value == UUID {
  static var uuid: Self {
    Self("8-4-4-4-12 hexadecimal digits", reading: { $0.text.flatMap(UUID.init) }, write: { $0.description.tomlText })
  }
}

extension ConfigurationKind where Value == CIDR {
  static var network: Self {
    Self(
      "a network such as 192.168.2.0/24", reading: { $0.text.flatMap { CIDR($0) } },
      write: { $0.description.tomlText })
  }
}

extension ConfigurationKind {
  /// A list of such values.
  /// - Parameter isSeparator: what an option or the environment has between them.
  static func list<Element>(
    of kind: ConfigurationKind<Element>, name: String? = nil,
    isSeparator: @escaping @Sendable (Character) -> Bool = { $0 == "," || $0.isWhitespace }
  ) -> Self where Value == [Element] {
    Self(
      name ?? "a list; each is \(kind.name)",
      read: { node throws(ConfigurationFault) in
        let nodes: [ConfigurationNode]
        switch node.value {
        case .list(let elements): nodes = elements
        case .plain(let text): nodes = text.listed(by: isSeparator)
        default:
          throw ConfigurationFault("\(node.value.quoted) is not a list, which stands in brackets: [\"…\"].")
        }
        var values: [Element] = []
        var reasons: [ConfigurationFault.Reason] = []
        for node in nodes {
          do throws(ConfigurationFault) {
            values.append(try kind.read(node))
          } catch {
            reasons += error.reasons
          }
        }
        guard reasons.isEmpty else { throw ConfigurationFault(reasons) }
        return values
      }, write: { "[" + $0.map(kind.write).joined(separator: ", ") + "]" })
  }
}

extension ConfigurationKind where Value == [String] {
  /// No shell reads it; so an option or the environment has blanks between words, and no quotes.
  static var command: Self {
    .list(of: .text, name: "a list: a program and its arguments", isSeparator: \.isWhitespace)
  }
}

extension ConfigurationValue {
  /// Text, however it was given.
  fileprivate var text: String? {
    switch self {
    case .text(let text), .plain(let text): text
    default: nil
    }
  }

  fileprivate var whole: Int? {
    switch self {
    case .whole(let number): number
    case .plain(let text): Int(text)
    default: nil
    }
  }

  fileprivate var truth: Bool? {
    switch self {
    case .truth(let truth): truth
    case .plain(let text): Bool(text.lowercased())
    default: nil
    }
  }

  /// With or without a fraction.
  fileprivate var number: Double? {
    switch self {
    case .whole(let number): Double(number)
    case .number(let number): number
    case .plain(let text): Double(text)
    default: nil
    }
  }
}

extension String {
  /// As TOML writes text (TOML 1.0, basic strings).
  var tomlText: String {
    var result = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// The elements of a list that came as one text: TOML's own notation in brackets, else what the separators part.
  func listed(by isSeparator: (Character) -> Bool) -> [ConfigurationNode] {
    if hasPrefix("["), case .list(let elements) = TOMLDocument.value(self) { return elements }
    guard !isEmpty else { return [ConfigurationNode(value: .plain(""))] }
    return split(whereSeparator: isSeparator).map { ConfigurationNode(value: .plain(String($0))) }
  }
}

extension Duration {
  /// Seconds, with a fraction only where there is one.
  fileprivate var tomlSeconds: String {
    let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)" : "\(Double(milliseconds) / 1000)"
  }
}
