import Glibc

/// The configuration file as it was read.
struct ConfigurationFile: Sendable, Equatable {
  let path: String
  let text: String

  /// No configuration comes near it; what is larger is another file.
  private static let sizeLimit = 1 << 16

  /// Names the file in the environment.
  static let variable = "SWIFTLET_CONFIG"

  /// The file to be read: the one that was named, else the first one that there is; nil where there is none.
  static func path(named name: String?, environment: [String: String]) -> String? {
    let named = name ?? environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    return named ?? places(environment).first { access($0, F_OK) == 0 }
  }

  /// Where a file that was not named is looked for (XDG Base Directory 0.8).
  static func places(_ environment: [String: String]) -> [String] {
    let named = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let folder = named ?? environment["HOME"].map { $0 + "/.config" }
    return [folder, "/etc"].compactMap(\.self).map { $0 + "/swiftlet/swiftlet.toml" }
  }

  /// Reads it; blocks for as long as the disk does.
  init(path: String) throws(ConfigurationMistake) {
    func mistake(_ sentence: String, line: Int? = nil) -> ConfigurationMistake {
      ConfigurationMistake(origin: .file(path: path, line: line), sentence: sentence)
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw mistake("It cannot be read: \(String(cString: strerror(errno)).lowercased()).") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw mistake("It cannot be read: \(String(cString: strerror(errno)).lowercased()).") }
      if count == 0 { break }
      bytes.append(contentsOf: chunk[..<count])
      if bytes.count > Self.sizeLimit { throw mistake("It is larger than 64 KiB, which no configuration is.") }
    }
    if let text = String(validating: bytes, as: UTF8.self) {
      self.init(path: path, text: text)
      return
    }
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
    throw mistake("What stands here is not text in UTF-8.", line: line.map { $0 + 1 })
  }

  init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}
