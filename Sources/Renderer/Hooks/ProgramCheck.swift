import Companion
import Glibc

extension ConfigurationReading {
  /// Commands of hooks, buttons and presence whose program cannot be run. The speaker runs without them.
  /// - Parameter path: the folders in which programs without a slash are searched, with colons; nil for the usual ones.
  func missingPrograms(searching path: String?) -> [ConfigurationProblem] {
    func sentence(_ command: [String]) -> String? {
      guard let program = command.first, !ProgramPath.isExecutable(program, searching: path) else { return nil }
      return "“\(program)” is not an executable file."
    }
    let commands =
      HookEvent.allCases.map { (key: "hooks.\($0)", command: configuration.command(on: $0)) }
      + configuration.presenceCommands
    let ofButtons = configuration.buttons.enumerated().compactMap { index, binding -> ConfigurationProblem? in
      guard case .hook(let command) = binding.action, let sentence = sentence(command) else { return nil }
      return problem(with: "buttons", member: (index, "action"), sentence)
    }
    return commands.compactMap { key, command in sentence(command).map { problem(with: key, $0) } } + ofButtons
  }
}

enum ProgramPath {
  /// - Parameter path: the folders in which programs without a slash are searched, with colons; nil for the usual ones.
  static func isExecutable(_ program: String, searching path: String?) -> Bool {
    let folders = (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init)
    let candidates = program.utf8.contains(UInt8(ascii: "/")) ? [program] : folders.map { "\($0)/\(program)" }
    return candidates.contains(where: isExecutableFile)
  }

  /// Excludes folders, for which the permission to execute means something else.
  private static func isExecutableFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
