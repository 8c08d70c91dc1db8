import ArgumentParser
import Glibc
import PlaybackEngine
import PlaybackModel
import Synchronization

/// `run-output`: plays a tone, or raw samples from standard input, through the engine's output chain.
@main
struct RunOutput: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run-output", abstract: "Play a tone, or raw samples from standard input, through the output chain.",
    discussion: "Samples are interleaved, 16 bits, little-endian.")

  @Argument(help: "An output as `swiftlet outputs` lists it; default: the first audio device.")
  var output: String?

  @Flag(help: "Play standard input instead of a tone.")
  var stdin = false

  @Option(help: "Frames per second.")
  var rate = 44_100

  @Option(help: "Number of channels.")
  var channels = 2

  @Option(help: "Length of the tone in seconds.")
  var seconds = 3

  func validate() throws {
    guard (8_000...768_000).contains(rate), (1...8).contains(channels), (1...3600).contains(seconds) else {
      throw ValidationError("Rate, channels or seconds are out of range.")
    }
  }

  func run() throws {
    do throws(OutputError) {
      let description = if let output { try OutputDescription(parsing: output) } else { try Outputs.preferred() }
      let read = stdin ? standardInput() : tone()
      try OutputProbe.play(to: description, rate: rate, channels: channels, read: read)
    } catch {
      let line = "run-output: \(error)\n"
      _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
      throw ExitCode(EX_UNAVAILABLE)
    }
  }

  private func standardInput() -> @Sendable (Int) -> [UInt8] {
    let frame = channels * 2
    return { limit in
      var bytes = [UInt8](repeating: 0, count: limit)
      var count = 0
      while count < limit {
        let more = bytes[count...].withUnsafeMutableBytes { Glibc.read(STDIN_FILENO, $0.baseAddress, $0.count) }
        if more < 0, errno == EINTR { continue }
        if more <= 0 { break }
        count += more
      }
      // Ends with the last whole frame.
      return Array(bytes[..<(count / frame * frame)])
    }
  }

  /// A sine of 440 Hz at −20 dB.
  private func tone() -> @Sendable (Int) -> [UInt8] {
    let (rate, channels) = (rate, channels)
    let position = Position(end: rate * seconds)
    return { limit in
      position.next(limit / (channels * 2)).flatMap { frame -> [UInt8] in
        let value = Int16(3277 * sin(2 * Double.pi * 440 * Double(frame) / Double(rate)))
        let bytes = [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        return Array(repeating: bytes, count: channels).flatMap(\.self)
      }
    }
  }
}

/// The next frame of the tone.
private final class Position: Sendable {
  private let frame = Mutex(0)
  private let end: Int

  init(end: Int) { self.end = end }

  /// Advances by at most this many frames.
  func next(_ count: Int) -> Range<Int> {
    frame.withLock { frame in
      let range = frame..<min(end, frame + count)
      frame = range.upperBound
      return range
    }
  }
}
