import Glibc

/// The sources of this run's configuration. Only the file can change while the program runs.
struct ConfigurationSources: Sendable {
  private let options: [ConfigurationOption]
  let environment: [String: String]
  private let named: String?
  /// Whether the named file does not exist yet, and counts as empty.
  var isFileNew = false
  /// Avoids parsing the same text again: the TOML library does not free its memory.
  private var last: (file: ConfigurationFile?, reading: ConfigurationReading)?

  /// - Parameter file: the path given with `--config`.
  init(options: [ConfigurationOption], file: String?, environment: [String: String] = Self.environment) {
    self.options = options
    self.environment = environment
    named = file
  }

  /// The file's path; nil if there is none.
  var path: String? { ConfigurationFile.path(named: named, environment: environment) }

  /// Reads all sources, including the page's file, which is in the state folder. Blocks on the disk.
  mutating func read() -> (reading: ConfigurationReading, page: PageFile) {
    let owner = readOwner()
    let page = PageFile(of: owner.configuration)
    return (owner.adding(page.settings, path: page.path), page)
  }

  /// Reads everything but the page's file. Blocks on the disk.
  mutating func readOwner() -> ConfigurationReading {
    do throws(ConfigurationProblem) {
      let file = if let path, !isFileNew { try ConfigurationFile(path: path) } else { ConfigurationFile?.none }
      if let last, last.file == file { return last.reading }
      let reading = ConfigurationReading(file: file, environment: environment, options: options)
      last = (file, reading)
      return reading
    } catch {
      return ConfigurationReading(environment: environment, options: options, problems: [error])
    }
  }

  /// The environment of the process.
  static var environment: [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    return variables
  }
}

/// The configuration file and its text.
struct ConfigurationFile: Sendable, Equatable {
  let path: String
  let text: String

  /// Maximum size in bytes. A larger file was named by mistake.
  private static let sizeLimit = 1 << 16

  /// The environment variable that names the file.
  static let variable = "SWIFTLET_CONFIG"

  /// The default places of the file, for help texts.
  static let defaultPlaces = "$XDG_CONFIG_HOME/swiftlet/swiftlet.toml or /etc/swiftlet/swiftlet.toml"

  /// The named file, otherwise the first default place that exists; nil if none does.
  static func path(named name: String?, environment: [String: String]) -> String? {
    let named = name ?? environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    return named ?? places(environment).first { access($0, F_OK) == 0 }
  }

  /// The default places (XDG Base Directory 0.8).
  static func places(_ environment: [String: String]) -> [String] {
    let named = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let folder = named ?? environment["HOME"].map { $0 + "/.config" }
    return [folder, "/etc"].compactMap(\.self).map { $0 + "/swiftlet/swiftlet.toml" }
  }

  /// Where a new file belongs: for root, the system's place.
  static func newPath(_ environment: [String: String]) -> String {
    let places = places(environment)
    return (geteuid() == 0 ? places.last : places.first) ?? "/etc/swiftlet/swiftlet.toml"
  }

  /// Reads the file. Blocks on the disk.
  init(path: String) throws(ConfigurationProblem) {
    func problem(_ sentence: String, line: Int? = nil) -> ConfigurationProblem {
      ConfigurationProblem(origin: .file(path: path, line: line), sentence: sentence)
    }
    func readError() -> ConfigurationProblem {
      problem("The file cannot be read: \(String(cString: strerror(errno)).lowercased()).")
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw readError() }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw readError() }
      if count == 0 { break }
      bytes.append(contentsOf: chunk[..<count])
      if bytes.count > Self.sizeLimit { throw problem("The file is larger than 64 KiB.") }
    }
    if let text = String(validating: bytes, as: UTF8.self) {
      self.init(path: path, text: text)
      return
    }
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
    throw problem("The line is not valid UTF-8.", line: line.map { $0 + 1 })
  }

  init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}
