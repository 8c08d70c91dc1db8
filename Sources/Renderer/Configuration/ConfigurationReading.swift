/// A configuration read from its sources, with the origin of each value and all problems.
///
/// The sources, from the weakest to the strongest: the defaults, the file, the settings of the speaker's page, the
/// environment, the options.
struct ConfigurationReading: Sendable, Equatable {
  private(set) var configuration = Configuration()
  /// The origins of the values, by key name. Missing keys have their default.
  private(set) var origins: [String: ConfigurationOrigin] = [:]
  private(set) var problems: [ConfigurationProblem] = []
  /// Settings of the page that are not in force, with the reason.
  private(set) var ignored: [ConfigurationProblem] = []
  /// The elements of values that are lists, by key name. They give the lines of problems.
  private var tables: [String: [ConfigurationNode]] = [:]

  /// Options override the environment, and the environment overrides the file.
  /// - Parameter problems: problems that were found before anything could be read.
  init(
    file: ConfigurationFile? = nil, environment: [String: String] = [:], options: [ConfigurationOption] = [],
    problems: [ConfigurationProblem] = []
  ) {
    self.problems = problems
    if let file { read(file.text, path: file.path) }
    for key in ConfigurationKeys.all {
      guard let text = environment[key.variable], !text.isEmpty else { continue }
      set(key, ConfigurationNode(value: .plain(text)), from: .environment(variable: key.variable))
    }
    for option in options {
      set(option.key, ConfigurationNode(value: .plain(option.text)), from: .option(option.key.option))
    }
    self.problems += contradictions.map { problem($0) }
  }

  /// The configuration with the settings of the page between the file and the environment.
  ///
  /// A mistake in them does not keep the speaker from starting: settings that contradict the others are left out.
  /// - Parameter path: the path of the page's file.
  func adding(_ page: PageSettings, path: String) -> ConfigurationReading {
    var result = self
    for key in page.keys where origin(of: key).isBelowPage {
      page.copy(key, to: &result.configuration)
      result.origins[key.name] = .page(path: path)
    }
    for contradiction in result.contradictions where problems.isEmpty {
      let names = Set([contradiction.key.name, contradiction.limit.name])
      for key in page.keys where names.contains(key.name) && origin(of: key).isBelowPage {
        key.copy(from: configuration, to: &result.configuration)
        result.origins[key.name] = origins[key.name]
        result.ignored.append(
          ConfigurationProblem(
            origin: .page(path: path), key: key.name, sentence: "Not in force: \(contradiction.sentence)"))
      }
    }
    return result
  }

  private struct Contradiction {
    let key: any AnyConfigurationKey
    /// The key that the value contradicts.
    let limit: any AnyConfigurationKey
    let sentence: String
  }

  /// Values that are valid alone but contradict each other.
  private var contradictions: [Contradiction] {
    let keys = ConfigurationKeys.shared
    let limit = configuration.maximumVolume
    let checks: [(key: any AnyConfigurationKey, isWrong: Bool, sentence: String)] = [
      (
        keys.startupVolume, (configuration.startupVolume ?? 0) > limit,
        "\(configuration.startupVolume ?? 0) is more than \(keys.maximumVolume.name), which is \(limit)."
      ),
      (
        keys.fixedVolume, configuration.fixedVolume && limit < 100,
        "A fixed volume is 100, but \(keys.maximumVolume.name) is \(limit)."
      ),
    ]
    return checks.filter(\.isWrong).map {
      Contradiction(key: $0.key, limit: keys.maximumVolume, sentence: $0.sentence)
    }
  }

  private func problem(_ contradiction: Contradiction) -> ConfigurationProblem {
    ConfigurationProblem(
      origin: origin(of: contradiction.key), key: contradiction.key.name, sentence: contradiction.sentence)
  }

  func origin(of key: any AnyConfigurationKey) -> ConfigurationOrigin { origins[key.name] ?? .fallback }

  /// A problem with a value that could be read.
  /// - Parameter member: for a list of tables, the index of the table and the key in it.
  func problem(
    with key: String, member: (index: Int, key: String)? = nil, _ sentence: String
  ) -> ConfigurationProblem {
    let origin = origins[key] ?? .fallback
    guard let member else { return ConfigurationProblem(origin: origin, key: key, sentence: sentence) }
    let node = tables[key].flatMap { $0.indices.contains(member.index) ? $0[member.index] : nil }
    let inner: ConfigurationNode? = if case .table(let table)? = node?.value { table[member.key] } else { nil }
    return problem(with: key, member.key, line: inner?.line ?? node?.line, origin, sentence)
  }

  private func problem(
    with key: String, _ member: String, line: Int?, _ origin: ConfigurationOrigin, _ sentence: String
  ) -> ConfigurationProblem {
    switch origin {
    case .file(let path, let lineOfKey):
      ConfigurationProblem(
        origin: .file(path: path, line: line ?? lineOfKey), key: "\(key).\(member)", sentence: sentence)
    default: ConfigurationProblem(origin: origin, key: "\(key).\(member)", sentence: "\(member): \(sentence)")
    }
  }

  /// Concerns only names that begin with `SWIFTLET_`.
  static func unknownVariables(in environment: [String: String]) -> [ConfigurationProblem] {
    let known =
      ConfigurationKeys.all.map(\.variable) + [ConfigurationFile.variable, HookVariable.eventPipe]
      + HookVariable.allCases.map(\.variable)
    return environment.keys.sorted().filter { $0.hasPrefix("SWIFTLET_") && !known.contains($0) }.map { variable in
      ConfigurationProblem(
        origin: .environment(variable: variable), sentence: sentence("Unknown variable", variable, of: known))
    }
  }

  private mutating func read(_ text: String, path: String) {
    let document = TOMLDocument(text)
    problems += document.problems.map {
      ConfigurationProblem(origin: .file(path: path, line: $0.line), key: $0.key, sentence: $0.sentence)
    }
    read(document.root, prefix: "", path: path)
    problems.sort { ($0.origin.line ?? 0) < ($1.origin.line ?? 0) }
  }

  private mutating func read(_ table: ConfigurationTable, prefix: String, path: String) {
    for member in table.members {
      let name = prefix + member.key
      let origin = ConfigurationOrigin.file(path: path, line: member.node.line)
      if let key = ConfigurationKeys.all.first(where: { $0.name == name }) {
        set(key, member.node, from: origin)
      } else if case .table(let inner) = member.node.value, Self.isTable(name) {
        read(inner, prefix: name + ".", path: path)
      } else if Self.isTable(name) {
        let keys = ConfigurationKeys.all.map(\.name).filter { $0.hasPrefix(name + ".") }.joined(separator: ", ")
        let sentence = "\(member.node.value.quoted) is not a table; its keys are \(keys)."
        problems.append(ConfigurationProblem(origin: origin, key: name, sentence: sentence))
      } else if let hint = ConfigurationHints.hint(for: name) {
        problems.append(ConfigurationProblem(origin: origin, key: name, sentence: "Unknown key. \(hint)"))
      } else if !prefix.isEmpty, ConfigurationKeys.all.contains(where: { $0.name == member.key }) {
        let sentence = "\(member.key) is not in the table \(prefix.dropLast()): move it up, before the first [table]."
        problems.append(ConfigurationProblem(origin: origin, key: name, sentence: sentence))
      } else {
        let sentence = Self.sentence("Unknown key", name, of: Self.names)
        problems.append(ConfigurationProblem(origin: origin, key: name, sentence: sentence))
      }
    }
  }

  private mutating func set(
    _ key: any AnyConfigurationKey, _ node: ConfigurationNode, from origin: ConfigurationOrigin
  ) {
    do throws(ValueProblem) {
      try key.set(node, in: &configuration)
      origins[key.name] = origin
      tables[key.name] = if case .list(let nodes) = node.value { nodes } else { nil }
    } catch {
      for reason in error.reasons {
        if let member = reason.member {
          problems.append(problem(with: key.name, member, line: reason.line, origin, reason.sentence))
          continue
        }
        var origin = origin
        if case .file(let path, _) = origin, let line = reason.line { origin = .file(path: path, line: line) }
        problems.append(ConfigurationProblem(origin: origin, key: key.name, sentence: reason.sentence))
      }
    }
  }

  /// The names of all keys and tables.
  private static let names: [String] = {
    let keys = ConfigurationKeys.all.map(\.name)
    let tables = keys.compactMap { key in key.firstIndex(of: ".").map { String(key[..<$0]) } }
    return keys + Set(tables).sorted()
  }()

  private static func isTable(_ name: String) -> Bool {
    ConfigurationKeys.all.contains { $0.name.hasPrefix(name + ".") }
  }

  static func sentence(_ what: String, _ name: String, of names: [String]) -> String {
    name.nearest(of: names).map { "\(what); did you mean \($0)?" } ?? "\(what)."
  }
}

extension ConfigurationOrigin {
  /// Whether a setting of the page overrides it.
  var isBelowPage: Bool {
    switch self {
    case .fallback, .file: true
    case .page, .environment, .option: false
    }
  }

  fileprivate var line: Int? { if case .file(_, let line) = self { line } else { nil } }
}
