import Glibc

/// Facts about machine and user.
enum Host {
  /// The host name without its domain.
  static var name: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "localhost" }
    let name = string(buffer)
    return name.split(separator: ".").first.map(String.init) ?? name
  }

  /// `Linux/6.1`, in the notation of the SERVER header (UDA 1.1 §1.2.2).
  static var operatingSystem: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "Linux/0" }
    let release = withUnsafeBytes(of: names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return "Linux/" + release.split(separator: ".").prefix(2).joined(separator: ".")
  }

  /// systemd's StateDirectory, else the system's folder for root, else the user's (XDG Base Directory 0.8).
  static var defaultStateFolder: String {
    if let folder = environment("STATE_DIRECTORY") { return folder }
    if geteuid() == 0 { return "/var/lib/swiftlet" }
    if let folder = environment("XDG_STATE_HOME"), folder.hasPrefix("/") { return folder + "/swiftlet" }
    return (environment("HOME") ?? "") + "/.local/state/swiftlet"
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func string(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
