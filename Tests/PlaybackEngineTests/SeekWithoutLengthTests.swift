import MediaOrigin
import Playback
import PlaybackTestKit
import PlayerTestKit
import TestFixtures
import Testing

@testable import PlaybackEngine
@testable import PlaybackFormats
@testable import PlaybackModel

/// Servers that generate a file on the fly: they send no length and support no ranges.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SeekWithoutLengthTests {
  static let files = [
    "noise1-44100-16-2-3s.flac", "noise1-44100-16-2-3s.wav", "half2-vorbis.ogg", "half2-note.mp3", "adts.aac",
  ]
  private static let form = "audioconvert dithering=none ! audio/x-raw,format=S16LE,channels=2"
  private static let target = Duration.milliseconds(1_937)

  @Test(arguments: files, [true, false]) func aSeekReadsUpToItsTarget(_ name: String, playing: Bool) async throws {
    let whole = try await play(name) { _ in }
    let heard = try await play(name) { test in
      if playing {
        try await test.player.play()
        await test.wait("some of it") { $0.state == .playing && $0.position > .milliseconds(200) }
        #expect(await test.player.canSeek)
        #expect(await test.player.streamInfo?.isLive == false)
        // A FLAC header declares the duration.
        if name.hasSuffix(".flac") { #expect(await test.player.duration == .seconds(3)) }
      }
      try await test.player.seek(to: Self.target)
    }
    let rest = Array(whole[(Int((1.937 * 44_100).rounded()) * 4)...])
    let isExact = name.hasPrefix("noise")
    #expect(playing || abs(heard.count - rest.count) <= (isExact ? 0 : 256), "\(heard.count) of \(rest.count) bytes")
    if isExact {
      let endsWithRest = heard.ends(with: rest)
      #expect(endsWithRest)
    }
    // Vorbis padding after the end plays if the stream is not known to be a file.
    let tolerance = isExact ? 0 : playing ? 40 : 1
    let (sound, original) = (Signal(Array(heard.suffix(rest.count))).left, Signal(rest).left)
    for place in [3_000, original.count - 3_000] {
      let lag = sound.lag(of: original, at: place)
      #expect(lag.map { abs($0) <= tolerance } == true, "\(String(describing: lag)) around \(place)")
    }
  }

  private func play(_ name: String, _ body: (PlayerUnderTest) async throws -> Void) async throws -> [UInt8] {
    let server = try await MediaServer.start()
    defer { server.close() }
    server.put("/" + name, .file(try Fixtures.named(name).path)) {
      $0.framing = .chunked
      $0.ranges = false
      $0.silentOnRanges = true
    }
    let folder = try TemporaryFolder()
    try await SimulatedClock.during { clock in
      try await withPlayer(.bin("\(Self.form) ! filesink sync=true location=\(folder.path)/out")) { test in
        await test.player.setItem(MediaItem(uri: server.url("/" + name)))
        clock.run(until: .milliseconds(500))
        try await body(test)
        clock.run()
        try await test.player.play()
        await test.wait(for: .stopped)
        #expect(await test.player.error == nil)
      }
    }
    return try folder.read("out")
  }

  /// A live stream without a station's headers begins differently on each request.
  @Test func aSeekInALiveStreamContinuesLive() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    func broadcast(seed: UInt64) throws {
      let sound = try Sound(seconds: 20, seed: seed).encoded("lamemp3enc bitrate=128 cbr=true target=bitrate")
      server.put("/live.mp3", .bytes(sound)) {
        $0.endless = true
        $0.framing = .chunked
        $0.ranges = false
      }
    }
    try broadcast(seed: 31)
    try await withPlayer(.null) { test in
      try await test.play(server.url("/live.mp3"))
      await test.wait(for: .playing)
      #expect(await test.player.canSeek)
      try broadcast(seed: 32)
      try await test.player.seek(to: .seconds(600))
      await test.wait("sound again") { $0.state == .playing && $0.position < .seconds(60) }
      #expect(await test.player.canSeek == false)
      #expect(await test.player.error == nil)
    }
  }

  /// Reading up to the target may take long.
  @Test func aSeekWaitsForASlowServer() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    server.put("/a.wav", .bytes(Sound(seconds: 10, seed: 33).wav)) {
      $0.framing = .chunked
      $0.ranges = false
      $0.rate = 300_000
    }
    var settings = PlayerSettings()
    settings.stallTimeout = .seconds(2)
    try await withPlayer(.null, settings: settings) { test in
      await test.player.setItem(MediaItem(uri: server.url("/a.wav")))
      try await test.player.seek(to: .seconds(7))
      try await test.player.play()
      await test.wait("sound there") { $0.state == .playing && $0.position > .seconds(7) }
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
  }
}
