import Glibc

/// The values that the speaker's page has set: a layer of the configuration above the file and below the environment.
struct PageSettings: Sendable, Equatable {
  /// Unset keys have their default here.
  private var configuration = Configuration()
  private var names: Set<String> = []

  /// The keys that are set, in the order of the declarations.
  var keys: [any AnyConfigurationKey] { ConfigurationKeys.all.filter { names.contains($0.name) } }

  var isEmpty: Bool { names.isEmpty }

  func sets(_ key: any AnyConfigurationKey) -> Bool { names.contains(key.name) }

  /// Sets the value of a key that the page may change.
  mutating func set(_ key: any AnyConfigurationKey, to node: ConfigurationNode) throws(ValueProblem) {
    guard key.isOnPage, let control = key.control else { throw ValueProblem("The page cannot change this setting.") }
    var changed = configuration
    try key.set(node, in: &changed)
    if let refusal = key.value(in: changed).flatMap(control.refusal) { throw ValueProblem(refusal) }
    configuration = changed
    names.insert(key.name)
  }

  /// Forgets the value of a key.
  mutating func reset(_ key: any AnyConfigurationKey) {
    key.copy(from: Configuration(), to: &configuration)
    names.remove(key.name)
  }

  /// Copies the value of a key that is set.
  func copy(_ key: any AnyConfigurationKey, to target: inout Configuration) {
    if sets(key) { key.copy(from: configuration, to: &target) }
  }

  // MARK: The file

  /// The text of the file.
  var text: String {
    let head = """
      # Settings of the speaker's page. Swiftlet writes this file: changes made here while it runs are lost.
      # They override swiftlet.toml. Deleting a line, or the file, undoes a setting at the next start.

      """
    return head + keys.map { "\($0.name) = \($0.text(in: configuration) ?? "")\n" }.joined()
  }
}

/// The file of the page's settings in the state folder.
struct PageFile: Sendable, Equatable {
  static let name = "page.toml"

  let path: String
  private(set) var settings = PageSettings()
  /// The problems in the file. Its other settings are valid.
  private(set) var problems: [ConfigurationProblem] = []
  /// Reads the file, which need not exist. Blocks on the disk.
  /// - Parameter configuration: names the state folder.
  init(of configuration: Configuration) {
    let folder = configuration.stateFolder ?? Host.defaultStateFolder
    path = folder.hasSuffix("/") ? folder + Self.name : "\(folder)/\(Self.name)"
    guard access(path, F_OK) == 0 || errno != ENOENT else { return }
    do throws(ConfigurationProblem) {
      read(try ConfigurationFile(path: path).text)
    } catch {
      problems.append(ConfigurationProblem(origin: .page(path: path), sentence: error.sentence))
    }
  }

  /// A file with this text, for tests.
  init(path: String, text: String) {
    self.path = path
    read(text)
  }

  private mutating func read(_ text: String) {
    let document = TOMLDocument(text)
    problems += document.problems.map {
      ConfigurationProblem(origin: .file(path: path, line: $0.line), key: $0.key, sentence: $0.sentence)
    }
    read(document.root, prefix: "")
  }

  private mutating func read(_ table: ConfigurationTable, prefix: String) {
    for member in table.members {
      let name = prefix + member.key
      let origin = ConfigurationOrigin.file(path: path, line: member.node.line)
      if case .table(let inner) = member.node.value {
        read(inner, prefix: name + ".")
        continue
      }
      guard let key = ConfigurationKeys.all.first(where: { $0.name == name && $0.isOnPage }) else {
        problems.append(ConfigurationProblem(origin: origin, key: name, sentence: "The page has no such setting."))
        continue
      }
      do throws(ValueProblem) {
        try settings.set(key, to: member.node)
      } catch {
        problems += error.reasons.map { ConfigurationProblem(origin: origin, key: name, sentence: $0.sentence) }
      }
    }
  }
}
