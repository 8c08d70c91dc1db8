import Glibc

/// The section `Service` of the installed unit with its drop-ins.
///
/// It reads the files, because the service manager may not be reachable: in a container, or for another root folder.
struct ServiceUnit: Equatable {
  /// The unit's own path.
  let path: String
  /// The assignments by key, in order. An empty assignment has removed those before it.
  private(set) var values: [String: [String]] = [:]

  /// The folders of units, from the weakest to the strongest (systemd.unit(5)).
  private static let folders = [
    "/lib/systemd/system", "/usr/lib/systemd/system", "/usr/local/lib/systemd/system", "/run/systemd/system",
    "/etc/systemd/system",
  ]
  private static let name = "swiftlet.service"
  private static let sizeLimit = 1 << 16

  /// - Parameters:
  ///   - root: the prefix of all paths, for tests.
  /// - Returns: nil if the unit is not installed.
  init?(root: String = "") {
    let units = Self.folders.map { "\($0)/\(Self.name)" }
    guard let path = units.last(where: { Self.text(root + $0) != nil }), let text = Self.text(root + path) else {
      return nil
    }
    self.path = path
    read(text)
    // A drop-in replaces those of the same name in weaker folders. An empty one only disables them.
    var dropIns: [String: String] = [:]
    for folder in Self.folders {
      for file in Self.files(in: "\(root)\(folder)/\(Self.name).d") where file.hasSuffix(".conf") {
        dropIns[file] = "\(root)\(folder)/\(Self.name).d/\(file)"
      }
    }
    for file in dropIns.keys.sorted() { dropIns[file].flatMap(Self.text).map { read($0) } }
  }

  /// The words of all values of a key.
  func words(_ key: String) -> [String] {
    (values[key] ?? []).flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
  }

  /// Whether the service reads this configuration file.
  func reads(_ configuration: String) -> Bool {
    if configuration == "/etc/swiftlet/swiftlet.toml" { return true }
    return ["ExecStart", "Environment"].flatMap(words).contains { $0.hasSuffix(configuration) }
  }

  private mutating func read(_ text: String) {
    var isService = false
    let text = text.split(separator: "\\\n", omittingEmptySubsequences: false).joined(separator: " ")
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.drop(while: \.isWhitespace)
      if line.hasPrefix("[") { isService = line.hasPrefix("[Service]") }
      guard isService, !line.hasPrefix("#"), !line.hasPrefix(";"), let equals = line.firstIndex(of: "=") else {
        continue
      }
      let key = String(line[..<equals].prefix { !$0.isWhitespace })
      let value = String(line[line.index(after: equals)...].drop(while: \.isWhitespace))
      if value.isEmpty { values[key] = [] } else { values[key, default: []].append(value) }
    }
  }

  static func text(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: sizeLimit)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }

  static func files(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
  }
}
