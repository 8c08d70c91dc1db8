import Glibc
import Logging
import NIOCore
import NIOPosix
import Playback
import PlaybackModel
import Testing

@testable import Renderer

@Suite struct WatchdogTests {
  /// Opening an output that is a FIFO without a reader blocks the pipeline's thread.
  @Test func hangingPipelineStopsSignsOfLife() async throws {
    let folder = try TemporaryFolder()
    let fifo = folder.path + "/fifo"
    try #require(mkfifo(fifo, 0o600) == 0)
    var reader: CInt = -1
    defer { close(reader) }
    try await withWatchdog(.bin("filesink location=\(fifo)"), in: folder) { test in
      await test.check()
      #expect(await test.listener.next() == "WATCHDOG=1\n")

      await test.player.setItem(MediaItem(uri: "http://127.0.0.1:1/"))
      try await test.player.play()
      for _ in 0..<5 { await test.check() }
      // Notices arrive in order, so earlier ones would precede it.
      test.manager.notify(.status("later"))
      #expect(await test.listener.next() == "STATUS=later\n")

      reader = open(fifo, O_RDONLY | O_NONBLOCK)
      // The pipeline answers the pending check, and then a new one.
      #expect(await test.listener.next() == "WATCHDOG=1\n")
      await test.check()
      #expect(await test.listener.next() == "WATCHDOG=1\n")
    }
  }

  private struct Test {
    let player: Player
    let manager: ServiceManager
    let listener: ListeningManager
    let check: () async -> Void
  }

  private func withWatchdog(
    _ output: OutputDescription, in folder: TemporaryFolder, _ body: (Test) async throws -> Void
  ) async throws {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let listener = try ListeningManager(folder.path + "/notify")
    let manager = ServiceManager(environment: ["NOTIFY_SOCKET": listener.path], processID: getpid())
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let eventLoop = group.next()
    let player = Player(executor: eventLoop.executor, output: .fixed(output), logger: logger)
    let watchdog = try await eventLoop.submit {
      NIOLoopBound(
        Watchdog(eventLoop: eventLoop, player: player, manager: manager, logger: logger), eventLoop: eventLoop)
    }.get()
    let sending = Task { await manager.run() }
    async let running: Void = player.run()
    try await body(
      Test(player: player, manager: manager, listener: listener) {
        try? await eventLoop.submit { watchdog.value.check() }.get()
      })
    await player.shutdown()
    await running
    sending.cancel()
    try await group.shutdownGracefully()
  }
}
