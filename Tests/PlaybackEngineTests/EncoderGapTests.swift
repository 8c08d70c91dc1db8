import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import TestFixtures
import Testing

@testable import PlaybackModel

/// Two halves of one sound, each encoded with a codec whose blocks do not end with the sound, join without missing or
/// additional samples.
@Suite(.serialized, .timeLimit(.minutes(2))) struct EncoderGapTests {
  static let kinds = [
    "lame-cbr.mp3", "lame-vbr.mp3", "lavc.mp3", "note.mp3", "edit.m4a", "edit-faststart.m4a", "note.m4a", "alac.m4a",
    "vorbis.ogg", "opus.opus",
  ]

  @Test(arguments: kinds, [true, false]) func twoHalvesJoinIntoOneSound(_ kind: String, ranges: Bool) async throws {
    let halves = try (1...2).map { try Fixtures.named("half\($0)-\(kind)") }
    let heard = try await play(halves, ranges: ranges) { test, urls in
      try await test.play(urls[0], next: urls[1])
      await test.wait("the second half") { $0.item?.uri == urls[1] }
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
      if ranges { #expect(await seconds(test.player.duration, are: halves[1].duration, within: .milliseconds(1))) }
    }
    let original = try (1...2).flatMap { Signal(try Fixtures.named("half\($0).wav").pcm(.s16LE)).left }
    // Opus has its own rate, at which neither half is a whole number of samples.
    let tolerance = kind == "opus.opus" ? 2 : 0
    #expect(abs(heard.count - original.count) <= tolerance, "\(heard.count) of \(original.count)")
    let join = halves[0].frames
    for place in [200, join / 2, join - 1_200, join - 500, join + 200, join + 20_000, original.count - 1_300] {
      #expect(heard.lag(of: original, at: place) == 0, "around \(place)")
    }
  }

  @Test(arguments: kinds) func aSeekLandsOnTheSampleAndThePaddingIsCut(_ kind: String) async throws {
    let half = try Fixtures.named("half2-\(kind)")
    let target = Duration.milliseconds(1_937)
    let heard = try await play([half], ranges: true) { test, urls in
      await test.player.setItem(MediaItem(uri: urls[0]))
      try await test.player.seek(to: target)
      try await test.player.play()
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    let original = Signal(try Fixtures.named("half2.wav").pcm(.s16LE)).left
    let rest = Array(original[Int((Double(target.nanoseconds) / 1e9 * 44_100).rounded())...])
    #expect(abs(heard.count - rest.count) <= (kind == "opus.opus" ? 2 : 0), "\(heard.count) of \(rest.count)")
    for place in [2_000, rest.count / 2, rest.count - 1_300] {
      let lag = heard.lag(of: rest, at: place)
      #expect(lag.map(abs) ?? 100 <= (kind == "opus.opus" ? 1 : 0), "around \(place): \(String(describing: lag))")
    }
  }

  private func play(
    _ files: [Fixture], ranges: Bool, _ body: (PlayerUnderTest, [String]) async throws -> Void
  ) async throws -> [Int16] {
    let server = try await MediaServer.start()
    for file in files { server.put("/" + file.name, .file(file.path)) { $0.ranges = ranges } }
    let folder = try TemporaryFolder()
    let form = "audioconvert dithering=none ! audioresample ! audio/x-raw,format=S16LE,rate=44100"
    try await withPlayer(.bin("\(form) ! filesink location=\(folder.path)/out")) { test in
      try await body(test, files.map { server.url("/" + $0.name) })
    }
    await server.stop()
    return Signal(try folder.read("out")).left
  }

  private func seconds(_ actual: Duration?, are expected: Duration, within tolerance: Duration) -> Bool {
    guard let actual else { return false }
    return actual - expected <= tolerance && expected - actual <= tolerance
  }
}
