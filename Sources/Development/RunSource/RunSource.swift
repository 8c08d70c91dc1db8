import ArgumentParser
import Glibc
import PlaybackEngine
import PlaybackModel

/// `run-source`: opens one address like the engine, decodes it to its end, and prints what it found.
@main
struct RunSource: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run-source", abstract: "Open an address like the engine, decode it, and print format and checksum.")

  @Argument(help: "An http, https or file URI.")
  var uri: String

  @Option(help: "Stop after this many seconds of sound, for live streams.")
  var seconds: Int?

  func run() throws {
    do throws(PlaybackError) {
      let report = try SourceProbe.run(uri, limit: seconds.map { .seconds($0) })
      let played = Double(report.frames) / Double(report.rate)
      print("format    \(report.format)")
      print("duration  \(report.duration.map { "\($0 / .milliseconds(1) / 1000) s" } ?? "unknown")")
      if let codec = report.codec { print("codec     \(codec)") }
      if let bitRate = report.bitRate { print("bit rate  \(bitRate / 1000) kbit/s") }
      if let title = report.title { print("title     \(title)") }
      if let gain = report.replayGain { print("gain      \(gain)") }
      print("decoded   \(report.frames) frames, \(played) s")
      print("md5       \(report.checksum)")
    } catch {
      let line = "run-source: \(uri): \(error)\n"
      _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
      throw ExitCode(EX_UNAVAILABLE)
    }
  }
}
