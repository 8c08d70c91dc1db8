import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackModel

@Suite struct OutputChoiceTests {
  @Test func playFailsWithoutADeviceAndWorksWithOneAtTheVolumeThatWasSet() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let sound = Sound(seconds: 0.5, seed: 200)
    let url = server.serve("a.wav", sound.wav)
    let folder = try TemporaryFolder()
    let present = Monitor<OutputDescription?>(nil)
    try await withPlayer(present.choice) { test in
      await test.player.setMuted(true)
      try await test.play(url)
      await test.wait("the failure") { $0.error == .deviceMissing && $0.state == .stopped }
      #expect(await test.player.output == nil)

      let device = OutputDescription.bin("filesink location=\(folder.path)/out")
      present.update { $0 = device }
      // Play looks for a device at once instead of waiting for the next poll.
      try await test.player.play()
      await test.wait("the end") { $0.state == .stopped && $0.error == nil }
      #expect(await test.player.output == device)
      let heard = try folder.read("out")
      #expect(heard.count == sound.samples.count)
      #expect(heard.allSatisfy { $0 == 0 })
    }
  }

  @Test func aNewDeviceIsFoundWithoutAPlay() async throws {
    let present = Monitor<OutputDescription?>(nil)
    try await withPlayer(present.choice) { test in
      #expect(await test.player.output == nil)
      present.update { $0 = .null }
      await test.wait("the device") { $0.output == .null }
    }
  }

  @Test func aDeviceThatReturnsUnderAnotherNameIsUsed() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let sound = Sound(seconds: 0.5, seed: 201)
    let url = server.serve("a.wav", sound.wav)
    let folder = try TemporaryFolder()
    let gone = OutputDescription.bin("filesink location=\(folder.path)/no/such/folder")
    let back = OutputDescription.bin("filesink location=\(folder.path)/out")
    let present = Monitor<OutputDescription?>(gone)
    try await withPlayer(present.choice) { test in
      await test.wait("the first") { $0.output == gone }
      present.update { $0 = back }
      try await test.play(url)
      await test.wait("the end") { $0.state == .stopped }
      #expect(await test.player.error == nil)
      #expect(try folder.read("out") == sound.samples)
    }
  }

  @Test func aDeviceThatCannotBeOpenedFailsWithItsReason() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("a.wav", Sound(seconds: 0.5, seed: 202).wav)
    let folder = try TemporaryFolder()
    let broken = OutputDescription.bin("filesink location=\(folder.path)/no/such/folder")
    try await withPlayer(.found(broken) { broken }) { test in
      try await test.play(url)
      await test.wait("the failure") { $0.error?.isDeviceFailure == true && $0.state == .stopped }
      // Play fails again instead of retrying forever.
      try await test.player.play()
      await test.wait("the failure") { $0.error?.isDeviceFailure == true && $0.state == .stopped }
    }
  }
}

extension Monitor<OutputDescription?> {
  /// Finds the device that is currently present.
  fileprivate var choice: OutputChoice {
    .found(nil) { () throws(OutputError) in
      if let output = self.withLock(\.self) { return output }
      throw OutputError("There is none.", playbackError: .deviceMissing)
    }
  }
}
