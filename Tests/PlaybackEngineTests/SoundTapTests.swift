import MediaOrigin
import PlaybackModel
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import Playback
@testable import PlaybackEngine
@testable import PlaybackModel

/// What listeners elsewhere get while a player plays.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SoundTapTests {
  private static let lead = TapListener.lead

  private func withTap<T>(
    _ listener: TapListener, _ output: String = "fakesink sync=true",
    _ body: (PlayerUnderTest, MediaServer) async throws -> T
  ) async throws -> T {
    let server = try await MediaServer.start()
    defer { server.close() }
    return try await withPlayer(
      { Player(executor: $0, output: .fixed(.bin(output)), tap: listener.tap, logger: $1) },
      { try await body($0, server) })
  }

  @Test func listenersGetEverySampleOfTracksThatFollowEachOther() async throws {
    let listener = TapListener()
    let sounds = [Sound(seconds: 0.5, seed: 400), Sound(seconds: 0.6, rate: 48_000, seed: 401)]
    try await withTap(listener) { test, server in
      server.serve("a", sounds[0].wav)
      server.serve("b", sounds[1].wav)
      // Balance, volume and equalizer are those of this room.
      await test.player.setEqualizer(EqualizerSettings(bands: [EqualizerBand(.peak, 1_000, gain: -6)]))
      await test.player.setVolume(50)
      await test.player.setBalance(-7)
      try await test.play(server.url("/a"), next: server.url("/b"))
      await test.wait("the end") { $0.state == .stopped && $0.item?.uri == server.url("/b") }
    }
    try await waitFor("all sound") { listener.samples.count == sounds.map(\.samples.count).reduce(0, +) }
    #expect(listener.samples == TapListener.bigEndian(sounds.flatMap(\.samples)))
    let tracks = Dictionary(grouping: listener.sounds, by: \.trackID).values.sorted { $0[0].begin < $1[0].begin }
    #expect(tracks.map { $0[0].position } == [0, 0])
    #expect(tracks.map { $0[0].form.rate } == [44_100, 48_000])
    #expect(tracks.map { $0[0].duration?.nanoseconds } == [500_000_000, 600_000_000])
    #expect(tracks.allSatisfy { $0[0].stream?.lossless == true })
    // There is no gap, neither within a track nor between the two.
    for (sound, next) in zip(listener.sounds, listener.sounds.dropFirst()) {
      let frames = sound.samples.count / sound.form.bytesPerFrame
      let end = sound.begin + Int64(frames) * 1_000_000_000 / Int64(sound.form.rate)
      #expect(abs(next.begin - end) < 100_000, "\(sound.position) of track \(sound.trackID)")
    }
    // The first sample leaves enough time, and so does the first of the next track.
    #expect(tracks[0][0].begin >= Self.lead.nanoseconds)
    let ahead = listener.arrivals.first { $0.sound.trackID == tracks[1][0].trackID }?.ahead
    #expect(try #require(ahead) > Self.lead.nanoseconds / 2)
  }

  /// An announcement concerns only this room, unless it is for the group. Neither delays the others.
  @Test(arguments: [false, true]) func announcements(isForGroup: Bool) async throws {
    let listener = TapListener()
    let music = Sound(seconds: 4, seed: 405)
    var bell = Sound(seconds: 0, seed: 0)
    bell.samples = [UInt8](repeating: 0x11, count: 44_100 * 4)
    let wav = bell.wav
    try await withTap(listener) { test, server in
      server.serve("a", music.wav)
      server.serve("bell", wav)
      try await test.play(server.url("/a"))
      await test.wait("sound") { $0.position > .milliseconds(500) }
      var request = AnnouncementRequest(.address(server.url("/bell")))
      (request.mode, request.isForGroup) = (.pause, isForGroup)
      _ = try await test.player.announce(request)
      await test.wait("the announcement") { $0.announcements.isPlaying }
      await test.wait("its end") { !$0.announcements.isPlaying }
      await test.wait(for: .stopped)
    }
    try await waitFor("all sound") { listener.samples.count == music.samples.count }
    let heard = Recording.frames(listener.samples).count { $0 == 0x1111_1111 }
    // Without the ramp, in which the music becomes silent.
    #expect(isForGroup ? heard > 44_100 / 2 : listener.samples == TapListener.bigEndian(music.samples), "\(heard)")
  }

  @Test func runsEndWithAPauseASeekAndAStop() async throws {
    let listener = TapListener()
    let sound = Sound(seconds: 20, seed: 410)
    try await withTap(listener) { test, server in
      server.serve("a", sound.wav)
      try await test.play(server.url("/a"))
      try await waitFor("sound") { listener.tap.moment != nil && !listener.sounds.isEmpty }
      let run = try #require(listener.tap.moment).run
      try await test.player.pause()
      try await waitFor("the pause") { listener.tap.moment == nil }
      try await test.player.play()
      try await waitFor("the end of the pause") { listener.tap.moment != nil }
      #expect(listener.tap.moment?.run == run)
      try await test.player.seek(to: .seconds(10))
      try await waitFor("the seek") { listener.sounds.last.map { $0.run != run } ?? false }
      let first = try #require(listener.sounds.first { $0.run != run })
      #expect(first.position == 441_000)
      #expect(first.begin >= Self.lead.nanoseconds)
      #expect(first.samples.starts(with: TapListener.bigEndian(Array(sound.samples[(441_000 * 4)..<(441_100 * 4)]))))
      await test.player.stop()
      try await waitFor("the stop") { listener.tap.moment == nil }
    }
  }

  @Test func withoutListenersNothingIsPassedOnOrDelayed() async throws {
    let listener = TapListener(isOn: false)
    let sound = Sound(seconds: 20, seed: 420)
    try await withTap(listener) { test, server in
      server.serve("a", sound.wav)
      try await test.play(server.url("/a"))
      await test.wait("sound") { $0.position > .milliseconds(500) }
      #expect(listener.sounds.isEmpty)
      // Somebody joins in the middle.
      listener.tap.setOn(true)
      try await waitFor("sound elsewhere") { !listener.sounds.isEmpty }
      let first = try #require(listener.sounds.first)
      #expect(first.position > 22_050)
      let start = Int(first.position) * 4
      #expect(first.samples == TapListener.bigEndian(Array(sound.samples[start..<start + first.samples.count])))
    }
  }

  /// Sound that is written as fast as possible is heard at no time.
  @Test func outputsWithoutAClockHaveNoListeners() async throws {
    let listener = TapListener()
    try await withTap(listener, "fakesink sync=false") { test, server in
      server.serve("a", Sound(seconds: 0.5, seed: 430).wav)
      try await test.play(server.url("/a"))
      await test.wait(for: .stopped)
    }
    #expect(listener.sounds.isEmpty)
  }
}

extension OnASoundCard {
  /// Listeners elsewhere, while a card with a clock and a buffer of its own plays.
  @Suite struct SoundTapTests {
    @Test func theCardAndListenersGetTheSameSound() async throws {
      let card = try StandInCard()
      let listener = TapListener()
      // The card is opened again for the last one.
      let sounds = [44_100, 44_100, 48_000].enumerated().map { Sound(seconds: 1, rate: $1, seed: UInt64(440 + $0)) }
      let server = try await MediaServer.start()
      defer { server.close() }
      let urls = sounds.enumerated().map { server.serve("\($0)", $1.wav) }
      try await withPlayer(
        { Player(executor: $0, output: .fixed(StandInCard.output), tap: listener.tap, logger: $1) },
        { test in
          await test.player.setItem(MediaItem(uri: urls[0]))
          await test.player.setUpcoming(urls.dropFirst().map { MediaItem(uri: $0) })
          try await test.player.play()
          await test.wait("the end") { $0.state == .stopped && $0.item?.uri == urls[2] }
          #expect(await test.player.xruns == 0)
        })
      let all = sounds.flatMap(\.samples)
      try await waitFor("all sound") { listener.samples.count >= all.count }
      #expect(listener.samples == TapListener.bigEndian(all))
      #expect(card.recording.isSame(as: all))
      let firsts = Dictionary(grouping: listener.arrivals, by: \.sound.trackID).values.map { $0[0] }
      #expect(firsts.count == 3)
      // A busy machine may take some of the time.
      for first in firsts where first.sound.trackID != listener.sounds[0].trackID {
        #expect(try #require(first.ahead) > TapListener.lead.nanoseconds / 2)
      }
    }
  }
}
