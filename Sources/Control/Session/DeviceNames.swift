import ArgumentParser
import Glibc

/// The names that the user has given to devices with `use`, and the default device.
///
/// They are stored in `$XDG_CONFIG_HOME/swiftlet-control/devices`, one per line: `name = device`. The default device has
/// the name `@`.
struct DeviceNames: Equatable {
  /// The argument for the default device.
  static let defaultMark = "@"
  /// The argument for all speakers.
  static let all = "@all"
  /// Longer files are not read.
  private static let maximumSize = 64 << 10

  /// The texts that select devices, by name in lower case.
  private(set) var devices: [String: String] = [:]

  init(_ text: String = "") {
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingBlanks }
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { continue }
      devices[parts[0].lowercased()] = parts[1]
    }
  }

  /// Nil without a default device.
  var defaultDevice: String? { devices[Self.defaultMark] }

  /// The text that selects the device; the user's text if it is no name.
  func device(_ text: String) -> String { devices[text.lowercased()] ?? text }

  /// The devices of a list such as `Kitchen,Bedroom`. A name may stand for a list.
  func list(_ text: String) -> [String] {
    guard !text.contains("://") else { return [text] }
    return device(text).split(separator: ",").map { $0.trimmingBlanks }.filter { !$0.isEmpty }.map { device($0) }
  }

  /// - Parameter device: nil to forget the name.
  mutating func set(_ name: String, to device: String?) { devices[name.lowercased()] = device }

  /// The text of the file.
  var text: String {
    devices.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)\n" }.joined()
  }

  // MARK: The file

  private static var folder: String? {
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    let (configuration, home) = (variable("XDG_CONFIG_HOME"), variable("HOME"))
    if !configuration.isEmpty { return "\(configuration)/swiftlet-control" }
    return home.isEmpty ? nil : "\(home)/.config/swiftlet-control"
  }

  /// The names of this user; none if the file does not exist.
  static func read() -> DeviceNames {
    guard let path = folder.map({ "\($0)/devices" }), let file = fopen(path, "re") else { return DeviceNames() }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: maximumSize)
    let count = fread(&bytes, 1, bytes.count, file)
    return DeviceNames(String(decoding: bytes[..<count], as: UTF8.self))
  }

  /// - Throws: `ExitCode`, after a message.
  func write() throws {
    guard let folder = Self.folder else {
      Terminal.complain("The names cannot be stored: HOME is not set.")
      throw ExitCode(EX_CANTCREAT)
    }
    if let parent = folder.lastIndex(of: "/") { mkdir(String(folder[..<parent]), 0o755) }
    mkdir(folder, 0o755)
    let (path, new) = ("\(folder)/devices", "\(folder)/devices.new")
    // A new file replaces the old one, so that a full disk loses no names.
    if let file = fopen(new, "we") {
      let isWritten = fputs(text, file) >= 0
      if fclose(file) == 0, isWritten, rename(new, path) == 0 { return }
    }
    Terminal.complain("\(path) cannot be written: \(String(cString: strerror(errno))).")
    throw ExitCode(EX_CANTCREAT)
  }
}

extension StringProtocol {
  fileprivate var trimmingBlanks: String {
    String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
