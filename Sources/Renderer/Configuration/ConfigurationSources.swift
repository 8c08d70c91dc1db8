import Glibc

/// Where this run has its configuration from. The file is the only part of it that can change while the program runs.
struct ConfigurationSources: Sendable {
  let options: [ConfigurationOption]
  let environment: [String: String]
  /// nil where there is no file.
  let path: String?

  init(options: [ConfigurationOption], file: String?, environment: [String: String] = Self.environment) {
    self.options = options
    self.environment = environment
    path = ConfigurationFile.path(named: file, environment: environment)
  }

  /// Reads all of it; blocks for as long as the disk does.
  func read() -> ConfigurationReading {
    guard let path else { return ConfigurationReading(environment: environment, options: options) }
    do throws(ConfigurationMistake) {
      let text = try ConfigurationFile.text(path)
      return ConfigurationReading(file: (path, text), environment: environment, options: options)
    } catch {
      return ConfigurationReading(environment: environment, options: options, mistakes: [error])
    }
  }

  /// The program's own.
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
