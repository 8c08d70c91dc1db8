import Glibc
import PlaybackTestKit

@testable import PlaybackModel

/// A virtual sound card: PulseAudio's pipe sink, which runs at the speed of a clock, and a recording of its output.
/// (The null sink's monitor would lack the first milliseconds of every stream, which the server mixes after the fact.)
/// ALSA's pulse plugin provides it as the device `swiftlet_test`.
final class SoundCard {
  private let folder: TemporaryFolder
  private let server: ChildProcess
  private var recorder: ChildProcess?
  private var socket: String { folder.path + "/socket" }
  let rate: Int
  private let watch = Monitor(Watch())

  /// Measurements of the recording's growth over time.
  private struct Watch {
    var isOver = false
    /// The time at which frame 0 was heard, computed from each piece that arrived.
    var origins: [ContinuousClock.Instant] = []
    var longestStall = Duration.zero
  }

  init(rate: Int = 48_000) async throws {
    self.rate = rate
    folder = try TemporaryFolder()
    let environment = ["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path]
    server = try ChildProcess(
      [
        "pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disallow-exit",
        "-L", "module-native-protocol-unix socket=\(folder.path)/socket auth-anonymous=1",
        "-L",
        "module-pipe-sink sink_name=card file=\(folder.path)/pipe rate=\(rate) channels=2 format=s16le"
          + " use_system_clock_for_timing=yes",
      ], environment: environment)
    try folder.write(
      "asoundrc",
      Array(
        """
        </usr/share/alsa/alsa.conf>
        pcm.swiftlet_test { type pulse server "unix:\(folder.path)/socket" }
        ctl.swiftlet_test { type pulse server "unix:\(folder.path)/socket" }
        """.utf8))
    // Both are read when a device is opened. Only one card exists at a time, because its suites are serialised.
    setenv("PULSE_SERVER", "unix:\(folder.path)/socket", 1)
    setenv("ALSA_CONFIG_PATH", "\(folder.path)/asoundrc", 1)
    try await waitFor("the sound card") {
      access(socket, F_OK) == 0 && access(folder.path + "/pipe", F_OK) == 0
    }
  }

  func record() async throws {
    recorder = try ChildProcess(
      ["cat", folder.path + "/pipe"], output: folder.path + "/recording")
    try await waitFor("the recording") { recordedBytes > 0 }
    let file = folder.path + "/recording"
    NamedThread.start("watch") { [watch, rate] in
      let pause = Duration.milliseconds(2)
      var last = ContinuousClock.now
      var arrived = Self.size(of: file)
      while true {
        usleep(useconds_t(pause / .microseconds(1)))
        let size = Self.size(of: file)
        let now = ContinuousClock.now
        let isOver = watch.update { watch in
          watch.longestStall = max(watch.longestStall, last.duration(to: now) - pause)
          // The server writes a few hundredths of a second at once, at the time the first of them is heard.
          if size > arrived { watch.origins.append(now - .seconds(Double(arrived) / Double(4 * rate))) }
          return watch.isOver
        }
        if isOver { return }
        (last, arrived) = (now, size)
      }
    }
  }

  /// The time at which a frame was heard, by the majority of pieces; a busy machine delays some of them.
  func instant(ofFrame frame: Int) -> ContinuousClock.Instant? {
    let origins = watch.withLock(\.origins).sorted()
    return origins.isEmpty ? nil : origins[origins.count / 2] + .seconds(Double(frame) / Double(rate))
  }

  /// The longest time during the recording for which a runnable thread did not run.
  var longestStall: Duration { watch.withLock(\.longestStall) }

  var recordedBytes: Int { Self.size(of: folder.path + "/recording") }

  private static func size(of file: String) -> Int {
    var status = stat()
    return stat(file, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Waits until the card has played everything, and returns the recording.
  func recording() async throws -> [UInt8] {
    let enough = recordedBytes + rate * 4
    try await waitFor("the end of the recording") { recordedBytes >= enough }
    watch.update { $0.isOver = true }
    recorder?.end()
    recorder = nil
    return try folder.read("recording")
  }

  /// The number of programs that play on the card.
  func clients() throws -> Int {
    let list = folder.path + "/clients"
    let pactl = try ChildProcess(
      ["pactl", "--server=unix:\(socket)", "list", "short", "sink-inputs"], environment: ["HOME": folder.path],
      output: list)
    try pactl.waitForEnd()
    return try folder.read("clients").count { $0 == UInt8(ascii: "\n") }
  }

  func waitForClients(_ count: Int) async throws {
    try await waitFor("\(count) programs on the card") { (try? clients()) == count }
  }

  func end() {
    watch.update { $0.isOver = true }
    recorder?.end()
    server.end()
    unlink(socket)
  }
}
