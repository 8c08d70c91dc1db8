import Foundation
import Glibc
import Testing

@testable import Renderer

@Suite struct HookProcessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ script: String, limit: Duration = .seconds(30)) async -> HookProcess.Outcome {
    await Self.run(script, folder: folder.path, limit: limit)
  }

  private static func run(
    _ script: String, folder: String, limit: Duration = .seconds(30)
  ) async -> HookProcess.Outcome {
    await HookProcess.run(
      ["sh", "-c", script, "sh", "an argument"],
      environment: ["PATH": "/usr/bin:/bin", "OUT": "\(folder)/out", "FACT": "a \"fact\"; `of` $HOME"],
      limit: limit)
  }

  private var out: String? { folder.read("out") }

  /// Waits up to 30 s for the condition.
  private func comes(_ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    while !condition(), ContinuousClock.now < deadline { try? await Task.sleep(for: .milliseconds(5)) }
    return condition()
  }

  @Test(arguments: [
    (["true"], HookProcess.Outcome.exited(status: 0)), (["sh", "-c", "exit 3"], .exited(status: 3)),
    (["sh", "-c", "kill -9 $$"], .killed(signal: 9)), (["/nonexistent/program"], .notStarted(ENOENT)),
    (["swiftlet-no-such-program"], .notStarted(ENOENT)), (["/etc/passwd"], .notStarted(EACCES)),
    ([], .notStarted(EINVAL)),
  ])
  func reportsTheOutcome(words: [String], outcome: HookProcess.Outcome) async {
    let environment = ["PATH": "/usr/bin:/bin"]
    #expect(await HookProcess.run(words, environment: environment, limit: .seconds(30)) == outcome)
  }

  @Test func passesArgumentsAndEnvironmentUnchanged() async {
    #expect(await run(#"printf '%s|%s' "$1" "$FACT" >"$OUT""#) == .exited(status: 0))
    #expect(out == "an argument|a \"fact\"; `of` $HOME")
  }

  @Test func inheritsNeitherFilesNorSignals() async throws {
    // Without close-on-exec, like NIO's sockets.
    let file = open("/dev/null", O_RDONLY)
    defer { close(file) }
    let before = Glibc.signal(SIGUSR2, SIG_IGN)
    defer { Glibc.signal(SIGUSR2, before) }
    #expect(
      await run(#"(cd /proc/$$/fd && echo *; grep SigIgn /proc/$$/status; readlink 0) >"$OUT""#) == .exited(status: 0))
    let lines = try #require(out).split(separator: "\n")
    #expect(lines.first == "0 1 2")
    // The last eight digits are the signals 1 to 32. The C library uses signal 32 itself.
    #expect(lines.dropFirst().first?.suffix(8) == "00000000" || lines.dropFirst().first?.suffix(8) == "80000000")
    #expect(lines.last == "/dev/null")
  }

  @Test(arguments: [
    #"sleep 1000 & echo $! >"$OUT"; wait"#,
    #"trap '' TERM; sleep 1000 & echo $! >"$OUT"; while :; do wait; done"#,
    #"(trap '' TERM; exec sleep 1000) & echo $! >"$OUT"; sleep 1000"#,
  ])
  func timeoutKillsTheProcessGroup(script: String) async throws {
    // Long enough for the shell to begin on a busy machine.
    #expect(await run(script, limit: .seconds(2)) == .timedOut)
    let pid = try #require(out.flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) })
    // Zombies do not count.
    let isGone = await comes {
      let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
      return status.map { $0.contains(") Z ") } ?? true
    }
    #expect(isGone)
  }

  @Test func cancellationKillsIt() async {
    let task = Task { [path = folder.path] in await Self.run(#"echo >"$OUT"; sleep 1000"#, folder: path) }
    #expect(await comes { out != nil })
    task.cancel()
    #expect(await task.value == .killed(signal: SIGKILL))
  }
}
