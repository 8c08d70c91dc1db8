/// The declaration of one key: its name, type, default and help, whether a reload applies it, and whether the speaker's page
/// may change it.
struct ConfigurationKey<Value: Equatable & Sendable>: AnyConfigurationKey {
  let name: String
  let option: String
  let summary: String
  let defaultText: String
  let kindName: String
  let example: String
  let isReloadable: Bool
  let isOnPage: Bool
  let isList: Bool

  let defaultValue: Value
  private let read: @Sendable (ConfigurationNode) throws(ValueProblem) -> Value
  private let write: @Sendable (Value) -> String?
  private let plain: @Sendable (Value) -> ConfigurationValue?
  let control: ConfigurationControl?
  private var reloadRule: @Sendable (_ old: Value, _ new: Value) -> Bool

  /// - Parameters:
  ///   - defaultText: the default in words; nil for the value itself.
  ///   - option: the command-line option; nil for the name with dashes.
  init(
    _ name: String, _ kind: ConfigurationKind<Value>, default value: Value, defaultText: String? = nil,
    option: String? = nil, example: String, isReloadable: Bool = false, isOnPage: Bool = false, _ summary: String
  ) {
    self.init(
      name, kind, value, defaultText ?? kind.write(value), option, example, isReloadable, isOnPage, summary,
      read: kind.read, write: kind.write, plain: { kind.plain?($0) })
  }

  /// A key whose value may be unset.
  /// - Parameter unset: the effect of an unset value, in words.
  init<Wrapped>(
    _ name: String, _ kind: ConfigurationKind<Wrapped>, unset: String, option: String? = nil, example: String,
    isReloadable: Bool = false, isOnPage: Bool = false, _ summary: String
  ) where Value == Wrapped? {
    self.init(
      name, kind, nil, unset, option, example, isReloadable, isOnPage, summary,
      read: { node throws(ValueProblem) in try kind.read(node) }, write: { $0.map(kind.write) },
      plain: { $0.flatMap { kind.plain?($0) } })
  }

  private init<Kind>(
    _ name: String, _ kind: ConfigurationKind<Kind>, _ value: Value, _ defaultText: String, _ option: String?,
    _ example: String, _ isReloadable: Bool, _ isOnPage: Bool, _ summary: String,
    read: @escaping @Sendable (ConfigurationNode) throws(ValueProblem) -> Value,
    write: @escaping @Sendable (Value) -> String?, plain: @escaping @Sendable (Value) -> ConfigurationValue?
  ) {
    self.name = name
    self.option = option ?? String(name.map { $0 == "_" || $0 == "." ? "-" : $0 })
    self.summary = summary
    self.defaultText = defaultText
    self.kindName = kind.name
    self.example = example
    self.isReloadable = isReloadable
    reloadRule = { _, _ in isReloadable }
    self.isOnPage = isOnPage
    control = kind.control
    isList = kind.isList
    defaultValue = value
    self.read = read
    self.write = write
    self.plain = plain
  }

  /// A key whose changes are reloaded only if they meet a condition.
  func reloadable(if rule: @escaping @Sendable (_ old: Value, _ new: Value) -> Bool) -> Self {
    var key = self
    key.reloadRule = rule
    return key
  }

  func isReloadable(from old: Configuration, to new: Configuration) -> Bool { reloadRule(old[self], new[self]) }

  func set(_ node: ConfigurationNode, in configuration: inout Configuration) throws(ValueProblem) {
    configuration[self] = try read(node)
  }

  func text(in configuration: Configuration) -> String? { write(configuration[self]) }

  func value(in configuration: Configuration) -> ConfigurationValue? { plain(configuration[self]) }

  func isSame(_ first: Configuration, _ second: Configuration) -> Bool { first[self] == second[self] }

  func copy(from source: Configuration, to target: inout Configuration) { target[self] = source[self] }
}

/// A key without the type of its value.
protocol AnyConfigurationKey: Sendable {
  /// The name in the file, with a dot if it is in a table.
  var name: String { get }
  /// The option on the command line, without the dashes.
  var option: String { get }
  /// A sentence about the effect of the key.
  var summary: String { get }
  /// The default, in words.
  var defaultText: String { get }
  /// The accepted values, in words.
  var kindName: String { get }
  /// An example value in TOML.
  var example: String { get }
  /// Whether a reload applies a change. Otherwise it takes effect at the next start.
  var isReloadable: Bool { get }
  /// Whether a reload applies this change.
  func isReloadable(from old: Configuration, to new: Configuration) -> Bool
  /// Whether the speaker's page may change it. Never true for anything that runs programs, writes files, opens the network
  /// or protects the page.
  var isOnPage: Bool { get }
  /// The control on the speaker's page; nil for kinds that the page does not show.
  var control: ConfigurationControl? { get }
  /// Whether the value is a list whose option may be given more than once.
  var isList: Bool { get }

  /// Reads a value and stores it.
  func set(_ node: ConfigurationNode, in configuration: inout Configuration) throws(ValueProblem)
  /// The value as TOML; nil if it is unset.
  func text(in configuration: Configuration) -> String?
  /// The value as a text, number or Boolean; nil if it is unset or its kind has no control.
  func value(in configuration: Configuration) -> ConfigurationValue?
  func isSame(_ first: Configuration, _ second: Configuration) -> Bool
  func copy(from source: Configuration, to target: inout Configuration)
}

extension AnyConfigurationKey {
  /// The accepted values and the default, in a sentence.
  var takes: String { "\(kindName.prefix(1).uppercased())\(kindName.dropFirst()); default: \(defaultText)." }

  /// The variable in the environment.
  var variable: String {
    let variable = "SWIFTLET_" + String(name.uppercased().map { $0 == "." ? "_" : $0 })
    // A fact for commands must not be a setting of a program that they run.
    return HookVariable.allCases.contains { $0.variable == variable } ? variable + "S" : variable
  }
}
