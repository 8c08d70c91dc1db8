import NIOCore
import PlaybackModel
import Stations
import UPnP

/// A type of values: its name in messages, how it is read and how it is written.
struct ConfigurationKind<Value: Equatable & Sendable>: Sendable {
  /// The name in messages, with an article: “a whole number from 0 to 100”.
  let name: String
  let isList: Bool
  let read: @Sendable (ConfigurationNode) throws(ValueProblem) -> Value
  /// Writes a value as TOML.
  let write: @Sendable (Value) -> String
  /// The control on the speaker's page; nil if the page does not show this kind.
  private(set) var control: ConfigurationControl?
  /// The value as a text, number or Boolean; nil together with `control`.
  private(set) var plain: (@Sendable (Value) -> ConfigurationValue)?

  init(
    _ name: String, isList: Bool = false,
    read: @escaping @Sendable (ConfigurationNode) throws(ValueProblem) -> Value,
    write: @escaping @Sendable (Value) -> String
  ) {
    self.name = name
    self.isList = isList
    self.read = read
    self.write = write
  }

  /// The kind with a control on the speaker's page.
  func shown(
    as control: ConfigurationControl, _ plain: @escaping @Sendable (Value) -> ConfigurationValue
  ) -> Self {
    var kind = self
    (kind.control, kind.plain) = (control, plain)
    return kind
  }

  /// A kind whose only problem is “is not NAME”.
  init(
    _ name: String, reading read: @escaping @Sendable (ConfigurationValue) -> Value?,
    write: @escaping @Sendable (Value) -> String
  ) {
    self.init(
      name,
      read: { node throws(ValueProblem) in
        if let value = read(node.value) { return value }
        if case .text(let text) = node.value, read(.plain(text)) != nil {
          throw ValueProblem("\(node.value.quoted) is text because of its quotes: remove them.")
        }
        throw ValueProblem("\(node.value.quoted) is not \(name).")
      }, write: write)
  }
}

// MARK: Text and numbers

extension ConfigurationKind<String> {
  static var text: Self {
    Self(
      "text",
      read: { node throws(ValueProblem) in
        guard let text = node.value.text else {
          throw ValueProblem("\(node.value.quoted) is not text: put it in quotes.")
        }
        guard !text.allSatisfy(\.isWhitespace) else { throw ValueProblem("The value is empty.") }
        return text
      }, write: { $0.tomlText }
    ).shown(as: .text) { .text($0) }
  }

  static var optionalText: Self {
    Self("text, which may be empty", reading: { $0.text }, write: { $0.tomlText }).shown(as: .text) { .text($0) }
  }

  /// The host of a URL, without brackets.
  static var host: Self {
    Self(
      "a host name or an IP address", reading: { $0.text.flatMap { isHost($0) ? $0 : nil } }, write: { $0.tomlText })
  }

  private static func isHost(_ text: String) -> Bool {
    text.utf8.contains(UInt8(ascii: ":"))
      ? (try? SocketAddress(ipAddress: text, port: 0)) != nil
      : HTTPAddress("http://\(text)/")?.host == text && !text.contains(where: \.isWhitespace)
  }

  /// An absolute path. A relative one would depend on the working directory of the service.
  static var path: Self {
    Self(
      "a path that begins with /", reading: { $0.text.flatMap { $0.hasPrefix("/") ? $0 : nil } },
      write: { $0.tomlText })
  }

  static var timeZone: Self {
    Self(
      "the name of a time zone in /usr/share/zoneinfo, such as Europe/Berlin",
      reading: { $0.text.flatMap { TimeZoneName.exists($0) ? $0 : nil } }, write: { $0.tomlText })
  }
}

extension ConfigurationKind<Int> {
  static func integer(_ range: ClosedRange<Int>) -> Self {
    Self(
      "a whole number from \(range.lowerBound) to \(range.upperBound)",
      reading: { $0.integer.flatMap { range.contains($0) ? $0 : nil } }, write: { "\($0)" }
    ).shown(as: .integer(range)) { .integer($0) }
  }
}

extension ConfigurationKind<Duration> {
  static func seconds(_ range: ClosedRange<Double>) -> Self {
    let (least, most) = (Duration.seconds(range.lowerBound).tomlSeconds, Duration.seconds(range.upperBound).tomlSeconds)
    return Self(
      "a number of seconds from \(least) to \(most)",
      reading: { $0.number.flatMap { range.contains($0) ? .milliseconds(Int(($0 * 1000).rounded())) : nil } },
      write: { $0.tomlSeconds }
    ).shown(as: .seconds(range)) { .number(Double($0.milliseconds) / 1000) }
  }
}

extension ConfigurationKind<Double> {
  static func decibels(_ range: ClosedRange<Int>) -> Self {
    let bounds = Double(range.lowerBound)...Double(range.upperBound)
    return Self(
      "a number of decibels from \(range.lowerBound) to \(range.upperBound)",
      reading: { $0.number.flatMap { bounds.contains($0) ? $0 : nil } },
      write: { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }
    ).shown(as: .decibels(range)) { .number($0) }
  }
}

extension ConfigurationKind<Bool> {
  static var bool: Self {
    Self("true or false", reading: \.bool, write: { "\($0)" }).shown(as: .bool) { .bool($0) }
  }
}

extension ConfigurationKind where Value: RawRepresentable<String> & CaseIterable {
  static var choice: Self {
    let names = Value.allCases.map(\.rawValue)
    let list = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    return Self(list, reading: { $0.text.flatMap(Value.init(rawValue:)) }, write: { $0.rawValue.tomlText })
      .shown(as: .choice(names)) { .text($0.rawValue) }
  }
}

// MARK: Types with a notation of their own

extension ConfigurationKind<OutputDescription> {
  static var output: Self {
    described("an output") { text throws(OutputError) in try OutputDescription(parsing: text) }
      .shown(as: .output) { .text($0.description) }
  }
}

extension ConfigurationKind<MixerDescription> {
  static var mixer: Self {
    described("a mixer") { text throws(OutputError) in try MixerDescription(parsing: text) }
  }
}

extension ConfigurationKind where Value: CustomStringConvertible {
  /// - Parameter parse: its error becomes the message.
  fileprivate static func described(
    _ name: String, parse: @escaping @Sendable (String) throws(OutputError) -> Value
  ) -> Self {
    Self(
      name,
      read: { node throws(ValueProblem) in
        guard let text = node.value.text else { throw ValueProblem("\(node.value.quoted) is not \(name).") }
        do throws(OutputError) {
          return try parse(text)
        } catch {
          throw ValueProblem(error.description)
        }
      }, write: { $0.description.tomlText })
  }
}

extension ConfigurationKind<UUID> {
  static var uuid: Self {
    Self("8-4-4-4-12 hexadecimal digits", reading: { $0.text.flatMap(UUID.init) }, write: { $0.description.tomlText })
  }
}

extension ConfigurationKind<CIDR> {
  static var network: Self {
    Self(
      "a network such as 192.168.2.0/24", reading: { $0.text.flatMap { CIDR($0) } },
      write: { $0.description.tomlText })
  }
}

extension ConfigurationKind<StationDirectory.Place> {
  static var radioDirectory: Self {
    Self(
      "on, off or an http or https address", reading: { $0.text.flatMap { StationDirectory.Place($0) } },
      write: { $0.description.tomlText })
  }
}

extension ConfigurationKind<CountryCode> {
  static var country: Self {
    Self(
      "the two letters of a country, such as DE", reading: { $0.text.flatMap { CountryCode($0) } },
      write: { $0.text.tomlText })
  }
}

// MARK: Lists

extension ConfigurationKind {
  /// - Parameter isSeparator: separates elements in options and variables.
  static func list<Element>(
    of kind: ConfigurationKind<Element>, isSeparator: @escaping @Sendable (Character) -> Bool = Self.isCommaOrBlank
  ) -> Self where Value == [Element] {
    list(of: kind, name: "a list; each is \(kind.name)", isRepeated: true, isSeparator: isSeparator)
  }

  @Sendable static func isCommaOrBlank(_ character: Character) -> Bool { character == "," || character.isWhitespace }

  fileprivate static func list<Element>(
    of kind: ConfigurationKind<Element>, name: String, isRepeated: Bool,
    isSeparator: @escaping @Sendable (Character) -> Bool
  ) -> Self where Value == [Element] {
    Self(
      name, isList: isRepeated,
      read: { node throws(ValueProblem) in
        let nodes: [ConfigurationNode]
        switch node.value {
        case .list(let elements): nodes = elements
        case .plain(let text): nodes = text.listed(by: isSeparator)
        default: throw ValueProblem("\(node.value.quoted) is not a list: put it in brackets, [\"…\"].")
        }
        var values: [Element] = []
        var reasons: [ValueProblem.Reason] = []
        for node in nodes {
          do throws(ValueProblem) {
            values.append(try kind.read(node))
          } catch {
            reasons += error.reasons
          }
        }
        guard reasons.isEmpty else { throw ValueProblem(reasons) }
        return values
      }, write: { "[" + $0.map(kind.write).joined(separator: ", ") + "]" })
  }
}

extension ConfigurationKind<[String]> {
  /// A command line without a shell: in options and variables, blanks separate words and quotes mean nothing.
  static var command: Self {
    list(of: .text, name: "a list: a program and its arguments", isRepeated: false, isSeparator: \.isWhitespace)
  }
}

// MARK: Reading and writing

extension ConfigurationValue {
  fileprivate var text: String? {
    switch self {
    case .text(let text), .plain(let text): text
    default: nil
    }
  }

  fileprivate var integer: Int? {
    switch self {
    case .integer(let number): number
    case .plain(let text): Int(text)
    default: nil
    }
  }

  fileprivate var bool: Bool? {
    switch self {
    case .bool(let bool): bool
    case .plain(let text): Bool(text.lowercased())
    default: nil
    }
  }

  /// A number with or without a fraction.
  fileprivate var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    case .plain(let text): Double(text)
    default: nil
    }
  }
}

extension String {
  /// Quoted as a basic string of TOML 1.0.
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

  /// The elements of a list in an option or a variable: a TOML list, or words.
  fileprivate func listed(by isSeparator: (Character) -> Bool) -> [ConfigurationNode] {
    if hasPrefix("["), case .list(let elements) = TOMLDocument.value(self) { return elements }
    guard !isEmpty else { return [ConfigurationNode(value: .plain(""))] }
    return split(whereSeparator: isSeparator).map { ConfigurationNode(value: .plain(String($0))) }
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }

  /// Seconds, with a fraction only if it is not zero.
  var tomlSeconds: String {
    milliseconds % 1000 == 0 ? "\(milliseconds / 1000)" : "\(Double(milliseconds) / 1000)"
  }
}
