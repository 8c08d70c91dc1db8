/// A configuration, where each of its values comes from, and all that is wrong with it.
struct ConfigurationReading: Sendable, Equatable {
  private(set) var configuration = Configuration()
  /// By the names of the keys; those that are missing have their default.
  private(set) var origins: [String: ConfigurationOrigin] = [:]
  private(set) var mistakes: [ConfigurationMistake] = []

  /// Options are stronger than the environment, and that is stronger than the file.
  /// - Parameter mistakes: what was wrong before anything could be read.
  init(
    file: ConfigurationFile? = nil, environment: [String: String] = [:], options: [ConfigurationOption] = [],
    mistakes: [ConfigurationMistake] = []
  ) {
    self.mistakes = mistakes
    if let file { read(file.text, path: file.path) }
    for key in ConfigurationKey.all {
      guard let text = environment[key.variable], !text.isEmpty else { continue }
      set(key, ConfigurationNode(value: .plain(text)), from: .environment(variable: key.variable))
    }
    for option in options {
      set(option.key, ConfigurationNode(value: .plain(option.text)), from: .option(option.key.option))
    }
    self.mistakes += contradictions
  }

  /// Values that are right by themselves and not together.
  private var contradictions: [ConfigurationMistake] {
    let limit = configuration.maximumVolume
    let pairs: [(ConfigurationKey, isWrong: Bool, sentence: String)] = [
      (
        .startupVolume, (configuration.startupVolume ?? 0) > limit,
        "\(configuration.startupVolume ?? 0) is more than \(ConfigurationKey.maximumVolume.name), which is \(limit)."
      ),
      (
        .fixedVolume, configuration.isVolumeFixed && limit < 100,
        "A fixed volume is 100, which is more than \(ConfigurationKey.maximumVolume.name), which is \(limit)."
      ),
    ]
    return pairs.filter(\.isWrong).map { key, _, sentence in
      ConfigurationMistake(origin: origins[key.name] ?? .fallback, key: key.name, sentence: sentence)
    }
  }

  /// Variables that look like ours and are not.
  static func strangers(in environment: [String: String]) -> [ConfigurationMistake] {
    let known = ConfigurationKey.all.map(\.variable) + [ConfigurationFile.variable] + HookFacts.variables
    return environment.keys.sorted().filter { $0.hasPrefix("SWIFTLET_") && !known.contains($0) }.map { variable in
      ConfigurationMistake(
        origin: .environment(variable: variable), sentence: sentence("There is no such variable", variable, of: known))
    }
  }

  private mutating func read(_ text: String, path: String) {
    let document = TOMLDocument(text)
    mistakes += document.mistakes.map {
      ConfigurationMistake(origin: .file(path: path, line: $0.line), key: $0.key, sentence: $0.sentence)
    }
    read(document.root, prefix: "", path: path)
    // As they stand in the file, whoever found them.
    mistakes.sort { ($0.origin.line ?? 0) < ($1.origin.line ?? 0) }
  }

  private mutating func read(_ table: ConfigurationTable, prefix: String, path: String) {
    for member in table.members {
      let name = prefix + member.key
      let origin = ConfigurationOrigin.file(path: path, line: member.node.line)
      if let key = ConfigurationKey.all.first(where: { $0.name == name }) {
        set(key, member.node, from: origin)
      } else if case .table(let inner) = member.node.value, Self.isTable(name) {
        read(inner, prefix: name + ".", path: path)
      } else if Self.isTable(name) {
        let keys = ConfigurationKey.all.map(\.name).filter { $0.hasPrefix(name + ".") }.joined(separator: ", ")
        let sentence = "\(member.node.value.quoted) is not a table; its keys are \(keys)."
        mistakes.append(ConfigurationMistake(origin: origin, key: name, sentence: sentence))
      } else if !prefix.isEmpty, ConfigurationKey.all.contains(where: { $0.name == member.key }) {
        let sentence = "It stands in the table \(prefix.dropLast()): move \(member.key) up, before the first [table]."
        mistakes.append(ConfigurationMistake(origin: origin, key: name, sentence: sentence))
      } else {
        let sentence = Self.sentence("There is no such key", name, of: Self.names)
        mistakes.append(ConfigurationMistake(origin: origin, key: name, sentence: sentence))
      }
    }
  }

  private mutating func set(_ key: ConfigurationKey, _ node: ConfigurationNode, from origin: ConfigurationOrigin) {
    do throws(ConfigurationFault) {
      try key.set(node, &configuration)
      origins[key.name] = origin
    } catch {
      for reason in error.reasons {
        var origin = origin
        if case .file(let path, _) = origin, let line = reason.line { origin = .file(path: path, line: line) }
        let name = [key.name, reason.member].compactMap(\.self).joined(separator: ".")
        mistakes.append(ConfigurationMistake(origin: origin, key: name, sentence: reason.sentence))
      }
    }
  }

  /// Of keys, and of the tables that some of them are in.
  private static let names: [String] = {
    let keys = ConfigurationKey.all.map(\.name)
    let tables = keys.compactMap { key in key.firstIndex(of: ".").map { String(key[..<$0]) } }
    return keys + Set(tables).sorted()
  }()

  private static func isTable(_ name: String) -> Bool {
    ConfigurationKey.all.contains { $0.name.hasPrefix(name + ".") }
  }

  static func sentence(_ what: String, _ name: String, of names: [String]) -> String {
    name.nearest(of: names).map { "\(what); the nearest is \($0)." } ?? "\(what)."
  }
}

extension ConfigurationOrigin {
  fileprivate var line: Int? { if case .file(_, let line) = self { line } else { nil } }
}
