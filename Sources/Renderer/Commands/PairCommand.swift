import ArgumentParser
import Companion
import Glibc
import UnixSignals

/// `swiftlet pair`: opens a pairing window in BlueZ.
struct PairCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pair", abstract: "Pair a Bluetooth device: a remote control, a keyboard, a phone.",
    discussion: """
      Opens Bluetooth for pairing for 30 s, lists the devices that it finds, and pairs and trusts the one that you choose. \
      A phone can also be paired from its own settings meanwhile. The window is closed in any case, also by Ctrl-C. \
      Exit status 1 if nothing was paired, 69 if Bluetooth is not available.
      """)

  @Argument(help: "The name or address of the device to pair as soon as it is found; without it, you are asked.")
  var device: String?

  func run() async throws {
    let (results, result) = AsyncStream.makeStream(of: PairingTerminal.Result.self)
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
    let terminal = await PairingTerminal(wantedDevice: device) { line in
      TerminalLines.write(line)
    } end: { outcome in
      result.yield(outcome)
    }
    await terminal.open()
    let reader = await LineReader { line in terminal.enter(line) }
    let closing = Task { for await _ in signals { await terminal.close() } }
    var outcome = PairingTerminal.Result.notPaired
    for await value in results {
      outcome = value
      break
    }
    closing.cancel()
    await reader.end()
    switch outcome {
    case .paired: return
    case .notPaired: throw ExitCode(1)
    case .failed(let problem): throw UserMessage.failure(problem)
    case .unavailable(let problem): throw UserMessage.unavailable(problem)
    }
  }
}

/// Writes lines to standard output.
enum TerminalLines {
  static func write(_ line: String) {
    let line = line + "\n"
    line.withCString { text in
      var rest = text
      while true {
        let left = strlen(rest)
        guard left > 0 else { return }
        let count = Glibc.write(STDOUT_FILENO, rest, left)
        guard count > 0 || errno == EINTR else { return }
        if count > 0 { rest += count }
      }
    }
  }
}

/// Reads standard input on the companions' thread.
@CompanionActor private final class LineReader {
  private var watch: DescriptorWatch?
  private var text: [UInt8] = []
  private let body: @CompanionActor (String) -> Void

  init(_ body: @escaping @CompanionActor (String) -> Void) {
    self.body = body
    watch = DescriptorWatch(STDIN_FILENO, events: POLLIN) { [weak self] _ in self?.read() }
  }

  func end() { watch = nil }

  private func read() {
    var chunk = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
    // At the end of the input, only stop reading: the window stays open.
    guard count > 0 else { return end() }
    text += chunk[..<count]
    while let newline = text.firstIndex(of: UInt8(ascii: "\n")) {
      body(String(decoding: text[..<newline], as: UTF8.self))
      text.removeFirst(newline + 1)
    }
    if text.count > 4096 { text = [] }
  }
}
