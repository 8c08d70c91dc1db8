import Glibc

/// Where this run has its configuration from. The file is the only part of it that can change while the program runs.
struct ConfigurationSources: Sendable {
  private let options: [ConfigurationOption]
  let environment: [String: String]
  private let named: String?
  /// What was read last: the library does not give memory back, so that the same text is not read twice.
  private var last: (file: ConfigurationFile?, reading: ConfigurationReading)?

  /// - Parameter file: the one that was named.
  init(options: [ConfigurationOption], file: String?, environment: [String: String] = Self.environment) {
    self.options = options
    self.environment = environment
    named = file
  }

  /// Where the file is now; nil where there is none.
  var path: String? { ConfigurationFile.path(named: named, environment: environment) }

  /// Reads all of it; blocks for as long as the disk does.
  mutating func read() -> ConfigurationReading {
    do throws(ConfigurationMistake) {
      let file = if let path { try ConfigurationFile(path: path) } else { ConfigurationFile?.none }
      if let last, last.file == file { return last.reading }
      let reading = ConfigurationReading(file: file, environment: environment, options: options)
      last = (file, reading)
      return reading
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
