import Glibc
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackModel

@Suite struct ConfirmTests {
  @Test func hangingPipelineDoesNotConfirm() async throws {
    let folder = try TemporaryFolder()
    let fifo = folder.path + "/fifo"
    try #require(mkfifo(fifo, 0o600) == 0)
    var reader: Int32 = -1
    defer { close(reader) }
    try await withPlayer(.bin("filesink location=\(fifo)")) { test in
      let confirmed = Monitor(0)
      await test.player.confirm { confirmed.update { $0 += 1 } }
      #expect(confirmed.wait(timeout: .seconds(30)) { $0 == 1 ? true : nil } == true)

      // The device opens when the FIFO has a reader.
      try await test.play("http://127.0.0.1:1/")
      await test.player.confirm { confirmed.update { $0 += 1 } }
      #expect(confirmed.wait(timeout: .milliseconds(200)) { $0 == 2 ? true : nil } == nil)

      reader = open(fifo, O_RDONLY | O_NONBLOCK)
      #expect(confirmed.wait(timeout: .seconds(30)) { $0 == 2 ? true : nil } == true)
    }
  }
}
