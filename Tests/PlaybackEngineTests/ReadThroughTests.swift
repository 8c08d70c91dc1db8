import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import TestFixtures
import Testing

@testable import PlaybackModel

/// Formats that GStreamer cannot seek in: a seek reads from the beginning.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ReadThroughTests {
  static let lossless = ["half2-fragments.m4a", "half2-index.m4a", "half2-flac.mka"]

  @Test(arguments: lossless, [true, false]) func aSeekLandsOnTheSample(_ name: String, playing: Bool) async throws {
    let target = Duration.milliseconds(1_937)
    let heard = try await play(name, seekingTo: target, playing: playing)
    let original = try Fixtures.named("half2.wav").pcm(.s16LE)
    let rest = Array(original[(Int((Double(target.nanoseconds) / 1e9 * 44_100).rounded()) * 4)...])
    #expect(heard.ends(with: rest), "\(heard.count) bytes")
    // Matroska's timestamps are whole milliseconds.
    let tolerance = name == "half2-flac.mka" ? 45 * 4 : 0
    if !playing { #expect(abs(heard.count - rest.count) <= tolerance) }
  }

  /// A file with two streams in sequence: seeks into either of them, and the join between them.
  @Test(arguments: [Duration.milliseconds(1_200), .milliseconds(3_500)], [true, false])
  func aChainedFilePlaysToItsEndAfterASeek(_ target: Duration, playing: Bool) async throws {
    let heard = try await play("length-chained.ogg", seekingTo: target, playing: playing)
    let original = try (1...2).flatMap { Signal(try Fixtures.named("half\($0).wav").pcm(.s16LE)).left }
    let rest = Array(original[Int((Double(target.nanoseconds) / 1e9 * 44_100).rounded())...])
    let sound = Signal(heard).left
    #expect(playing || abs(sound.count - rest.count) <= 1, "\(sound.count) of \(rest.count)")
    let end = Array(sound.suffix(rest.count))
    for place in [2_000, rest.count - 3_000] {
      #expect(end.lag(of: rest, at: place) != nil, "around \(place)")
    }
  }

  private func play(_ name: String, seekingTo target: Duration, playing: Bool) async throws -> [UInt8] {
    let server = try await MediaServer.start(folder: try Fixtures.folder())
    let folder = try TemporaryFolder()
    let form = "audioconvert dithering=none ! audio/x-raw,format=S16LE"
    try await withPlayer(.bin("\(form) ! filesink sync=true location=\(folder.path)/out")) { test in
      await test.player.setItem(MediaItem(uri: server.url("/" + name)))
      if playing {
        try await test.player.play()
        await test.wait("some of it") { $0.state == .playing && $0.position > .milliseconds(200) }
      }
      try await test.player.seek(to: target)
      try await test.player.play()
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    await server.stop()
    return try folder.read("out")
  }
}
