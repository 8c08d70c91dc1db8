import Glibc
import PlaybackModel

/// Finds sources that are valid but cannot work. The speaker runs nevertheless.
extension ConfigurationReading {
  /// - Parameter root: the prefix of system paths, for tests.
  func sourceProblems(environment: [String: String], root: String = "") -> [ConfigurationProblem] {
    let key = ConfigurationKeys.shared.sources.name
    var problems: [ConfigurationProblem] = []
    let sources = configuration.sources
    for (index, source) in sources.enumerated() {
      func add(_ member: String, _ sentence: String) {
        problems.append(problem(with: key, member: (index, member), sentence))
      }
      for program in source.programs where !ProgramPath.isExecutable(program, searching: environment["PATH"]) {
        add("command", "“\(program)” is not an executable file. \(Self.remedy(program))")
      }
      if source.kind == .airplay {
        if sources[..<index].contains(where: { $0.kind == .airplay }) {
          add("type", "Two receivers of AirPlay would need the same port.")
        }
        if Self.isThere("\(root)/etc/systemd/system/multi-user.target.wants/shairport-sync.service") {
          add(
            "type",
            "The service of the package shairport-sync uses the same port: sudo systemctl disable --now shairport-sync")
        }
      }
      if let mistake = source.mistake { add("command", mistake) }
      if let fifo = source.fifo {
        var status = stat()
        if stat(fifo, &status) == 0, status.st_mode & S_IFMT != S_IFIFO { add("fifo", "\(fifo) is no named pipe.") }
      }
    }
    return problems
  }

  private static func remedy(_ program: String) -> String {
    switch program.split(separator: "/").last.map(String.init) {
    case "shairport-sync": "Install it: sudo apt install shairport-sync"
    case "arecord": "Install it: sudo apt install alsa-utils"
    case "busctl": "It tells the phone about the speaker's buttons and volume, and is part of systemd."
    case "librespot": "Debian does not have it: docs/sources.md says how to install it."
    default: "Install it, or correct the path."
    }
  }

  private static func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }
}

extension ProgramDescription {
  /// The programs that it needs.
  fileprivate var programs: [String] {
    let own = command.first ?? (kind == .airplay ? "shairport-sync" : nil)
    let controlling = control.first ?? (kind == .airplay ? "busctl" : nil)
    return [own, controlling].compactMap(\.self)
  }

  /// What is wrong with the arguments of well-known programs; nil for nothing.
  fileprivate var mistake: String? {
    func has(_ words: String...) -> Bool { command.contains { word in words.contains { word.hasSuffix($0) } } }
    switch command.first?.split(separator: "/").last {
    case "librespot": return has("pipe") ? nil : "librespot needs the arguments --backend pipe, or it plays by itself."
    case "shairport-sync":
      return has("stdout", "-c") || command.contains { $0.hasPrefix("--configfile") }
        ? nil : "shairport-sync needs the arguments -o stdout, or it plays by itself."
    case "arecord":
      if !has("raw") { return "arecord needs the arguments -t raw, or it begins with the header of a file." }
      guard let option = command.firstIndex(where: { ["-r", "--rate"].contains($0) }), option + 1 < command.count,
        let rate = Int(command[option + 1]), rate != format.rate
      else { return nil }
      return "arecord records at \(rate) Hz, but the format has \(format.rate) Hz."
    default: return nil
    }
  }
}
