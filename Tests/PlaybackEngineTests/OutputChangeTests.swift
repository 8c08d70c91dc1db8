import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackEngine
@testable import PlaybackModel

/// Changes of the output while the player runs.
@Suite(.serialized, .timeLimit(.minutes(2))) struct OutputChangeTests {
  /// The first output plays the beginning. The second one plays the rest, from a position that the first one had
  /// reached.
  @Test(arguments: [true, false], [true, false])
  func aTrackContinuesWhereItWasHeard(withRanges: Bool, paused: Bool) async throws {
    let sound = Sound(seconds: 3, seed: 140)
    let (first, second) = try await capture(sound, withRanges: withRanges) { test, clock, change in
      clock.run(until: .milliseconds(600))
      await test.wait("half a second") { $0.position > .milliseconds(500) }
      if paused { try await test.player.pause() }
      await change()
      await test.wait("the new output") { $0.output?.description.hasSuffix("/b") == true }
      if paused {
        #expect(await test.player.state == .paused)
        #expect(await test.player.position > .milliseconds(400))
        try await test.player.play()
      }
      clock.run()
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    #expect(Array(first).isSame(as: Array(sound.samples.prefix(first.count))))
    #expect(sound.samples.suffix(second.count).elementsEqual(second))
    #expect(first.count + second.count >= sound.samples.count, "\(first.count) and \(second.count) bytes")
    #expect(second.count < sound.samples.count - sound.rate)
  }

  @Test func tracksThatHaveJoinedAlreadyFollow() async throws {
    let sounds = (0..<4).map { Sound(seconds: 0.6, seed: 150 + $0) }
    let server = try await MediaServer.start()
    defer { server.close() }
    let urls = sounds.enumerated().map { server.serve("\($0).wav", $1.wav) }
    let folder = try TemporaryFolder()
    try await SimulatedClock.during { clock in
      try await withPlayer(.bin("filesink sync=true location=\(folder.path)/a")) { test in
        await test.player.setItem(MediaItem(uri: urls[0]))
        await test.player.setUpcoming(urls.dropFirst().map { MediaItem(uri: $0) })
        try await test.player.play()
        clock.run(until: .milliseconds(700))
        await test.wait("the second track") { $0.item?.uri == urls[1] }
        await test.player.setOutput(.bin("filesink sync=true location=\(folder.path)/b"))
        clock.run()
        await test.wait("the last track") { $0.item?.uri == urls[3] }
        await test.wait(for: .stopped)
        #expect(await test.player.error == nil)
      }
    }
    let (all, second) = (sounds.flatMap(\.samples), try folder.read("b"))
    #expect(all.suffix(second.count).elementsEqual(second))
    // The second output plays at least the tracks after the audible one.
    #expect(second.count >= sounds[0].samples.count * 2)
  }

  @Test func aStationContinuesAtThePresent() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("live", Sound(seconds: 1, seed: 160).wav) { $0.endless = true }
    let folder = try TemporaryFolder()
    try await withPlayer(.bin("fakesink sync=true")) { test in
      try await test.play(url)
      await test.wait("half a second") { $0.position > .milliseconds(500) }
      await test.player.setOutput(.bin("filesink sync=true location=\(folder.path)/b"))
      await test.wait("the new output") { $0.output?.description.hasSuffix("/b") == true }
      await test.wait("sound") { _ in (try? folder.read("b").isEmpty) == false }
      #expect(await test.player.error == nil)
    }
  }

  @Test func anOutputThatCannotBeOpenedStopsWithAnError() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("a.wav", Sound(seconds: 30, seed: 161).wav)
    try await withPlayer(.bin("fakesink sync=true")) { test in
      try await test.play(url)
      await test.wait(for: .playing)
      await test.player.setOutput(.alsa(device: "no-such-device"))
      await test.wait("the failure") { $0.error?.isDeviceFailure == true && $0.state == .stopped }
      #expect(await test.player.output == nil)
      await test.player.setOutput(.bin("fakesink"))
      await test.wait("the output") { $0.output == .bin("fakesink") }
      try await test.player.play()
      await test.wait(for: .playing)
      #expect(await test.player.error == nil)
    }
  }

  /// Plays a sound into two files: `a`, and after the change `b`.
  private func capture(
    _ sound: Sound, withRanges: Bool,
    _ body: (PlayerUnderTest, SimulatedClock, () async -> Void) async throws -> Void
  ) async throws -> ([UInt8], [UInt8]) {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("a.wav", sound.wav) {
      $0.ranges = withRanges
      $0.silentOnRanges = !withRanges
    }
    let folder = try TemporaryFolder()
    try await SimulatedClock.during { clock in
      try await withPlayer(.bin("filesink sync=true location=\(folder.path)/a")) { test in
        try await test.play(url)
        try await body(test, clock) {
          await test.player.setOutput(.bin("filesink sync=true location=\(folder.path)/b"))
        }
      }
    }
    return (try folder.read("a"), try folder.read("b"))
  }
}
