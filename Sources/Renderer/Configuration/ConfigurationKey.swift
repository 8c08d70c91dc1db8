/// A key of the configuration: the one place that says what it is called, what it takes and what it does. The command
/// line and its help, the environment, the file, `swiftlet config` and the documents all follow from it.
struct ConfigurationKey: Sendable {
  /// As in the file; with dots where it is in a table.
  let name: String
  /// As on the command line, without the dashes.
  let option: String
  /// What it does, in one sentence.
  let summary: String
  /// What holds where it is not set, in words.
  let fallback: String
  /// What it takes, in words.
  let kind: String
  /// A value as it stands in the file.
  let example: String
  /// Whether a change takes effect when the file is read again, without a restart.
  let isLive: Bool

  /// Reads a value and sets it.
  let set: @Sendable (ConfigurationNode, inout Configuration) throws(ConfigurationFault) -> Void
  /// The value in force as TOML; nil where it was left open.
  let text: @Sendable (Configuration) -> String?
  /// Whether two configurations have the same value.
  let isSame: @Sendable (Configuration, Configuration) -> Bool
  /// Takes the value of the first over into the second.
  let copy: @Sendable (Configuration, inout Configuration) -> Void

  /// What it takes and its default, in a sentence.
  var takes: String { "\(kind.prefix(1).uppercased())\(kind.dropFirst()); default: \(fallback)." }

  /// In the environment.
  var variable: String { "SWIFTLET_" + String(name.uppercased().map { $0 == "." ? "_" : $0 }) }

  /// - Parameter option: where it is not the name with dashes.
  /// - Parameter fallback: where it is not simply the default's value.
  init<Value>(
    _ name: String, _ path: any WritableKeyPath<Configuration, Value> & Sendable, _ kind: ConfigurationKind<Value>,
    option: String? = nil, fallback: String? = nil, example: String, isLive: Bool = false, _ summary: String
  ) {
    self.init(
      name, option, summary, fallback ?? kind.write(Configuration()[keyPath: path]), kind.name, example, isLive, path,
      read: kind.read, write: kind.write)
  }

  /// A key that may be left open.
  init<Value>(
    _ name: String, _ path: any WritableKeyPath<Configuration, Value?> & Sendable, _ kind: ConfigurationKind<Value>,
    option: String? = nil, fallback: String, example: String, isLive: Bool = false, _ summary: String
  ) {
    self.init(
      name, option, summary, fallback, kind.name, example, isLive, path,
      read: { node throws(ConfigurationFault) in try kind.read(node) }, write: { $0.map(kind.write) })
  }

  private init<Value: Equatable & Sendable>(
    _ name: String, _ option: String?, _ summary: String, _ fallback: String, _ kind: String, _ example: String,
    _ isLive: Bool, _ path: any WritableKeyPath<Configuration, Value> & Sendable,
    read: @escaping @Sendable (ConfigurationNode) throws(ConfigurationFault) -> Value,
    write: @escaping @Sendable (Value) -> String?
  ) {
    self.name = name
    self.option = option ?? String(name.map { $0 == "_" || $0 == "." ? "-" : $0 })
    self.summary = summary
    self.fallback = fallback
    self.kind = kind
    self.example = example
    self.isLive = isLive
    set = { node, configuration throws(ConfigurationFault) in configuration[keyPath: path] = try read(node) }
    text = { write($0[keyPath: path]) }
    isSame = { $0[keyPath: path] == $1[keyPath: path] }
    copy = { $1[keyPath: path] = $0[keyPath: path] }
  }
}
