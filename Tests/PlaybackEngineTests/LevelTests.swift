import Glibc
import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import Playback

/// Volume, mute and balance on the real pipeline, measured at the sink.
@Suite(.serialized, .timeLimit(.minutes(2))) struct LevelTests {
  @Test(arguments: [(100, 0.0), (99, -0.6), (50, -30), (25, -45), (1, -59.4)])
  func volumeIsLinearInDecibels(step: Int, decibels: Double) async throws {
    // 24 bits, so that enough of it remains to be measured.
    let sound = Sound(seconds: 0.5, depth: 24, seed: 200)
    let heard = try await capture(sound) { $0.setVolume(step) }
    for (heard, sent) in zip(heard.levels, sound.levels) {
      #expect(abs(heard - sent - decibels) < 0.1, "\(heard - sent) dB")
    }
  }

  @Test(arguments: [(0, 0.0, 0.0), (-1, 0, -1), (-14, 0, -14), (7, -7, 0)])
  func balanceTurnsOneSideDown(step: Int, left: Double, right: Double) async throws {
    let sound = Sound(seconds: 0.5, seed: 201)
    let heard = try await capture(sound) { $0.setBalance(step) }
    #expect(abs(heard.levels[0] - sound.levels[0] - left) < 0.1)
    #expect(abs(heard.levels[1] - sound.levels[1] - right) < 0.1)
    if step == 0 { #expect(heard.samples.isSame(as: sound.samples)) }
  }

  @Test(arguments: [-15, 15], [16, 24])
  func extremeBalanceSilencesOneSideAndLeavesTheOtherUnchanged(_ step: Int, depth: Int) async throws {
    let sound = Sound(seconds: 0.3, depth: depth, seed: 202)
    let heard = try await capture(sound) { $0.setBalance(step) }
    let (on, off) = step < 0 ? (0, 1) : (1, 0)
    #expect(heard.channel(off).allSatisfy { $0 == 0 })
    #expect(heard.channel(on) == sound.channel(on))
  }

  @Test func balanceAffectsTheLoudspeakersOfAMonoTrackSeparately() async throws {
    let sound = Sound(seconds: 0.3, channels: 1, depth: 24, seed: 203)
    var heard = try await capture(sound) { $0.setBalance(15) }
    heard.channels = 2
    #expect(heard.channel(0).allSatisfy { $0 == 0 })
    #expect(heard.channel(1) == sound.channel(0))
  }

  /// The 0.3 s queued in front of the device stay mono.
  @Test func changingTheBalanceAffectsAPlayingMonoTrack() async throws {
    let sound = Sound(seconds: 4, channels: 1, seed: 204)
    let heard = try await capture(sound, after: .milliseconds(500)) { $0.setBalance(-15) }
    #expect(heard.samples.count > sound.samples.count)
    #expect(heard.samples.suffix(4_000).chunked(4).allSatisfy { $0[2...] == [0, 0] })
    #expect(heard.samples.suffix(4_000).contains { $0 != 0 })
  }

  @Test(arguments: [true, false])
  func mutedSamplesAreZero(_ byMute: Bool) async throws {
    let sound = Sound(seconds: 0.5, seed: 205)
    let heard = try await capture(sound) { player in
      if byMute { player.setMuted(true) } else { player.setVolume(0) }
    }
    #expect(heard.samples.count == sound.samples.count)
    #expect(heard.samples.allSatisfy { $0 == 0 })
  }

  @Test func samplesAreUnchangedAgainBackAtFullVolume() async throws {
    let sound = Sound(seconds: 5, seed: 206)
    let heard = try await capture(sound, after: .milliseconds(700)) { player in
      player.setVolume(100)
      player.setMuted(false)
      player.setBalance(0)
    } before: { player in
      player.setVolume(40)
      player.setBalance(3)
    }
    #expect(heard.samples.count == sound.samples.count)
    #expect(!heard.samples.isSame(as: sound.samples))
    #expect(heard.samples.ends(with: Array(sound.samples.suffix(44_100 * 4))))
  }

  /// Plays a sound while `body` changes the player, before the start or at a position, and returns the sink's samples.
  private func capture(
    _ sound: Sound, after position: Duration? = nil, during body: @Sendable (isolated Player) -> Void,
    before: @Sendable (isolated Player) -> Void = { _ in }
  ) async throws -> Sound {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("a.wav", sound.wav)
    let folder = try TemporaryFolder()
    let isClocked = position != nil
    try await withPlayer(.bin("filesink sync=\(isClocked) location=\(folder.path)/out")) { test in
      await before(test.player)
      if position == nil { await body(test.player) }
      try await test.play(url)
      if let position {
        await test.wait("\(position)") { $0.position > position }
        await body(test.player)
      }
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    var heard = sound
    heard.samples = try folder.read("out")
    return heard
  }
}

extension Sound {
  /// The samples of a channel; 1 is full scale.
  func channel(_ channel: Int) -> [Double] {
    let width = depth / 8
    return stride(from: channel * width, to: samples.count - width + 1, by: bytesPerFrame).map { index in
      let value = (0..<width).reduce(0) { $0 | Int64(samples[index + $1]) << (64 - depth + 8 * $1) }
      return Double(value >> (64 - depth)) / Double(Int64(1) << (depth - 1))
    }
  }

  /// The level of each channel in decibels.
  var levels: [Double] {
    (0..<channels).map { channel in
      let samples = self.channel(channel)
      return 10 * log10(samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count))
    }
  }
}

extension RandomAccessCollection where Index == Int {
  fileprivate func chunked(_ size: Int) -> [[Element]] {
    stride(from: startIndex, to: endIndex - size + 1, by: size).map { Array(self[$0..<$0 + size]) }
  }
}
