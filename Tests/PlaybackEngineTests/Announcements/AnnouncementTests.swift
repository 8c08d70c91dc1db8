import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import Playback
@testable import PlaybackEngine
@testable import PlaybackModel

/// Announcements over music, by what the output gets: the music is noise, the announcement a constant.
@Suite(.serialized, .timeLimit(.minutes(2))) struct AnnouncementTests {
  private static let level: Int16 = 4_096

  /// Samples of two channels of 16 bits that are all the same.
  private static func announcement(seconds: Double, rate: Int = 44_100) -> Sound {
    var sound = Sound(seconds: 0, rate: rate, seed: 0)
    for _ in 0..<Int(seconds * Double(rate)) * 2 {
      sound.samples += withUnsafeBytes(of: level.littleEndian) { Array($0) }
    }
    return sound
  }

  private struct Setting {
    let test: PlayerUnderTest
    let clock: SimulatedClock
    let server: MediaServer
    let folder: TemporaryFolder

    /// Plays a sound until a second of it is heard.
    func play(_ sounds: Sound...) async throws {
      let items = sounds.enumerated().map { MediaItem(uri: server.serve("\($0).wav", $1.wav)) }
      await test.player.setItem(items[0])
      await test.player.setUpcoming(Array(items.dropFirst()))
      try await test.player.play()
      clock.run(until: .seconds(1))
      await test.wait("a second") { $0.position > .milliseconds(900) }
    }

    /// Announces, and waits until the samples of the announcement reach the output.
    func announce(
      _ sound: Sound, change: (inout AnnouncementRequest) -> Void = { _ in }
    ) async throws {
      var request = AnnouncementRequest(.address(server.serve("bell.wav", sound.wav)))
      change(&request)
      let announcement = request
      _ = try await test.player.announce(announcement)
      await test.wait("the announcement") { $0.announcements.isPlaying }
      await confirm()
    }

    /// Waits until the pipeline has performed all commands, before the clock runs on.
    func confirm() async {
      let isDone = Monitor(false)
      await test.player.confirm { isDone.update { $0 = true } }
      await test.wait("the pipeline") { _ in isDone.withLock { $0 } }
    }

    func awaitEnd() async {
      await test.wait("the end") { !$0.announcements.isPlaying && $0.announcements.count == 0 }
    }
  }

  private static func run(
    _ body: (Setting) async throws -> Void
  ) async throws -> [UInt8] {
    let server = try await MediaServer.start()
    defer { server.close() }
    let folder = try TemporaryFolder()
    try await SimulatedClock.during { clock in
      try await withPlayer(.bin("filesink sync=true buffer-mode=unbuffered location=\(folder.path)/out")) { test in
        try await body(Setting(test: test, clock: clock, server: server, folder: folder))
      }
    }
    return try folder.read("out")
  }

  /// The number of frames that contain the announcement alone.
  private static func heard(in output: [UInt8]) -> Int {
    Recording.frames(output).count { $0 == UInt32(UInt16(level)) << 16 | UInt32(UInt16(level)) }
  }

  @Test func theMusicIsExactAroundADuckedAnnouncement() async throws {
    let music = Sound(seconds: 6, seed: 200)
    let output = try await Self.run { setting in
      try await setting.play(music)
      try await setting.announce(Self.announcement(seconds: 1))
      setting.clock.run()
      await setting.awaitEnd()
      await setting.test.wait(for: .stopped)
    }
    #expect(output.count == music.samples.count)
    let changed = zip(Recording.frames(output), Recording.frames(music.samples)).enumerated()
      .filter { $1.0 != $1.1 }.map(\.offset)
    let (first, last) = (try #require(changed.first), try #require(changed.last))
    #expect(first > 44_100 / 2)
    // The announcement, the time in which another one may follow, and the ramp.
    #expect(abs(last - first - Int(1.7 * 44_100)) < 44_100 / 10)
  }

  @Test func theMusicGoesOnWhereItPaused() async throws {
    let music = Sound(seconds: 4, seed: 201)
    let output = try await Self.run { setting in
      try await setting.play(music)
      try await setting.announce(Self.announcement(seconds: 1)) { $0.mode = .pause }
      setting.clock.run()
      await setting.awaitEnd()
      await setting.test.wait(for: .stopped)
      #expect(setting.test.states == [.stopped, .transitioning, .playing, .stopped])
    }
    let stretches = Recording(output).stretches(of: [music])
    #expect(stretches.count == 2)
    #expect(stretches.first?.frames.lowerBound == 0)
    #expect(stretches.last?.frames.lowerBound == stretches.first?.frames.upperBound)
    #expect(stretches.last?.frames.upperBound == music.frames)
    #expect(Self.heard(in: output) == 44_100)
  }

  @Test(arguments: [AnnouncementRequest.Mode.duck, .pause])
  func aJoinMeanwhileIsExact(mode: AnnouncementRequest.Mode) async throws {
    let music = [Sound(seconds: 1.5, seed: 202), Sound(seconds: 4, seed: 203)]
    let output = try await Self.run { setting in
      try await setting.play(music[0], music[1])
      try await setting.announce(Self.announcement(seconds: 1)) { $0.mode = mode }
      setting.clock.run()
      await setting.awaitEnd()
      await setting.test.wait(for: .stopped)
      #expect(await setting.test.player.error == nil)
    }
    let both = music[0].samples + music[1].samples
    #expect(output.count == both.count + (mode == .pause ? 44_100 * 4 : 0))
    #expect(output.suffix(44_100 * 4).elementsEqual(both.suffix(44_100 * 4)))
  }

  @Test func aChangeOfRateMeanwhileKeepsIt() async throws {
    let music = [Sound(seconds: 1.5, seed: 204), Sound(seconds: 4, rate: 48_000, seed: 205)]
    let output = try await Self.run { setting in
      try await setting.play(music[0], music[1])
      try await setting.announce(Self.announcement(seconds: 1.2))
      setting.clock.run()
      await setting.awaitEnd()
      await setting.test.wait(for: .stopped)
      #expect(await setting.test.player.error == nil)
    }
    #expect(output.count == music[0].samples.count + music[1].samples.count)
    #expect(output.suffix(48_000 * 4).elementsEqual(music[1].samples.suffix(48_000 * 4)))
  }

  @Test func nothingElseIsHeardWhenStopped() async throws {
    let output = try await Self.run { setting in
      setting.clock.run()
      try await setting.announce(Self.announcement(seconds: 1))
      await setting.awaitEnd()
      #expect(await setting.test.player.state == .noMedia)
      #expect(setting.test.states.isEmpty)
    }
    #expect(Self.heard(in: output) == 44_100)
    #expect(Recording(output).sounding(in: 0..<output.count / 4) == 44_100)
  }

  @Test func itGoesOnOverSilenceAfterAStop() async throws {
    let music = Sound(seconds: 6, seed: 206)
    let output = try await Self.run { setting in
      try await setting.play(music)
      try await setting.announce(Self.announcement(seconds: 2))
      setting.clock.run(until: .seconds(2))
      await setting.test.wait("another second") { $0.position > .milliseconds(1_900) }
      await setting.test.player.stop()
      await setting.confirm()
      setting.clock.run()
      await setting.awaitEnd()
      #expect(await setting.test.player.state == .stopped)
    }
    let silence = Self.heard(in: output)
    // The rest after the stop, which comes within the second half.
    #expect(silence > 44_100 / 10 && silence < 44_100 * 3 / 2, "\(silence) of \(output.count / 4)")
  }

  @Test func aFailedOneChangesNothing() async throws {
    let music = Sound(seconds: 2, seed: 207)
    let output = try await Self.run { setting in
      try await setting.play(music)
      let id = try await setting.test.player.announce(AnnouncementRequest(.address("http://127.0.0.1:1/a.mp3")))
      await setting.test.wait("the failure") { $0.announcements.count == 0 }
      let outcomes = await setting.test.player.takeAnnouncementOutcomes()
      #expect(outcomes.map(\.id) == [id])
      #expect(outcomes.map(\.outcome) == [.finished(.failed(.refused))])
      setting.clock.run()
      await setting.test.wait(for: .stopped)
    }
    #expect(output.isSame(as: music.samples))
  }

  @Test func anOutputThatFailsIsReported() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    try await withPlayer(.alsa(device: "no-such-device")) { test in
      let url = server.serve("a.wav", Self.announcement(seconds: 0.1).wav)
      let id = try await test.player.announce(AnnouncementRequest(.address(url)))
      await test.wait("the failure") { !$0.announcements.isPlaying && $0.announcements.count == 0 }
      let outcomes = await test.player.takeAnnouncementOutcomes()
      #expect(outcomes.map(\.id) == [id, id])
      guard case .finished(.failed(let error)?)? = outcomes.last?.outcome else { throw SetupError("no failure") }
      #expect(error.isDeviceFailure)
    }
  }
}
