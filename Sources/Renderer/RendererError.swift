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
    let line = "swiftlet: \(description)\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    return ExitCode(EX_UNAVAILABLE)
  }
}
