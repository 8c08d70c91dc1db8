import ArgumentParser
import Glibc

/// Why the renderer cannot run, in one sentence for the person at the keyboard.
struct RendererError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Says it on standard error.
  /// - Returns: what ends the program with EX_UNAVAILABLE (sysexits.h): what was asked for is not to be had. What was
  ///   asked wrongly ends with EX_USAGE, 64, by the argument parser.
  func reported() -> ExitCode {
    Self.say("swiftlet: \(description)")
    return ExitCode(EX_UNAVAILABLE)
  }

  /// Says all that is wrong with the configuration on standard error.
  /// - Returns: what ends the program with EX_CONFIG (sysexits.h).
  static func reported(_ problems: [ConfigurationProblem]) -> ExitCode {
    for problem in problems { say(problem.description) }
    return ExitCode(EX_CONFIG)
  }

  private static func say(_ line: String) {
    let line = line + "\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  }
}
