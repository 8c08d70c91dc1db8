import ArgumentParser
import Companion
import Glibc

/// `swiftlet buttons`: shows input devices and their keys, for the key `buttons` of the configuration.
struct ButtonsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "buttons",
    abstract: "List remotes, keyboards and volume knobs, and print what is pressed until Ctrl-C.",
    discussion: """
      The names are those that the key buttons of the configuration takes. A device that the running speaker uses is \
      listed, but its keys go to the speaker alone.
      """)

  func run() async throws {
    let monitor = await ButtonMonitor { line in
      let line = line + "\n"
      // If the reader has gone, SIGPIPE ends the program.
      _ = line.withCString { write(STDOUT_FILENO, $0, strlen($0)) }
    }
    await monitor.start()
    while true { try await Task.sleep(for: .seconds(86_400)) }
  }
}
