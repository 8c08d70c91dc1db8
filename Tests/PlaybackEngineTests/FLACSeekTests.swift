import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import TestFixtures
import Testing

@testable import PlaybackFormats
@testable import PlaybackModel

/// Seeks in FLAC files without a seek table are exact and read little.
@Suite(.serialized, .timeLimit(.minutes(2))) struct FLACSeekTests {
  static let files = ["bare-44100.flac", "bare-96000.flac"]

  @Test(arguments: files, [0.93, 0.42]) func aSeekIsExactAndReadsLittle(_ name: String, part: Double) async throws {
    let fixture = try Fixtures.named(name)
    let server = try await MediaServer.start(folder: try Fixtures.folder())
    let target = Duration.seconds(Double(fixture.duration.nanoseconds) / 1e9 * part)
    let heard = try await play(server.url("/" + name), fixture) { test in
      try await test.player.seek(to: target)
      try await test.player.play()
    }
    let journal = server.journal
    await server.stop()
    #expect(heard.isSame(as: try Self.samples(fixture, from: target)), "\(heard.count) bytes")
    try expectLittleRead(journal, fixture, to: target)
  }

  /// Seeks forwards and back during playback; each seek uses what earlier ones learned about the file.
  @Test(arguments: files) func seeksWhileItPlays(_ name: String) async throws {
    let fixture = try Fixtures.named(name)
    let server = try await MediaServer.start(folder: try Fixtures.folder())
    let length = Double(fixture.duration.nanoseconds) / 1e9
    let targets = [length * 0.8, length * 0.5, length - 3.3].map { Duration.seconds($0) }
    let heard = try await play(server.url("/" + name), fixture, sync: true) { test in
      try await test.player.play()
      for target in targets {
        await test.wait("some of it") { $0.state == .playing && $0.position > .milliseconds(100) }
        try await test.player.seek(to: target)
        await test.wait("the place") { $0.state == .playing && $0.position > target }
      }
    }
    let journal = server.journal
    await server.stop()
    let rest = try Self.samples(fixture, from: targets[2])
    #expect(heard.ends(with: rest), "\(heard.count) bytes")
    try expectLittleRead(journal, fixture, to: targets[2])
  }

  /// GStreamer 1.22 loses its position in such a file, so the seek reads from the beginning.
  @Test func aSeekAmongFramesOfVaryingSizeFindsTheSample() async throws {
    let fixture = try Fixtures.named("bare-varying.flac")
    let server = try await MediaServer.start(folder: try Fixtures.folder())
    let heard = try await play(server.url("/" + fixture.name), fixture, sync: true) { test in
      try await test.player.play()
      for place in [20.3, 58.7] {
        await test.wait("some of it") { $0.state == .playing && $0.position > .milliseconds(100) }
        try await test.player.seek(to: .seconds(place))
      }
    }
    await server.stop()
    #expect(heard.ends(with: try Self.samples(fixture, from: .seconds(58.7))), "\(heard.count) bytes")
  }

  /// The second seek arrives while the first is still searching.
  @Test func aSeekReplacesTheOneBeforeIt() async throws {
    let fixture = try Fixtures.named(Self.files[0])
    let server = try await MediaServer.start()
    defer { server.close() }
    server.put("/a", .file(fixture.path)) { $0.openDelay = .milliseconds(50) }
    let heard = try await play(server.url("/a"), fixture, sync: true) { test in
      try await test.player.play()
      await test.wait(for: .playing)
      for place in [30.0, 50, 20, 58.5] { try await test.player.seek(to: .seconds(place)) }
    }
    #expect(heard.ends(with: try Self.samples(fixture, from: .seconds(58.5))))
  }

  @Test func aServerWithoutRangesIsReadFromTheBeginning() async throws {
    let fixture = try Fixtures.named(Self.files[0])
    let server = try await MediaServer.start()
    defer { server.close() }
    server.put("/a", .file(fixture.path)) {
      $0.ranges = false
      $0.silentOnRanges = true
    }
    let heard = try await play(server.url("/a"), fixture) { test in
      try await test.player.seek(to: .seconds(50))
      try await test.player.play()
    }
    #expect(heard.isSame(as: try Self.samples(fixture, from: .seconds(50))), "\(heard.count) bytes")
  }

  private static func samples(_ fixture: Fixture, from position: Duration) throws -> [UInt8] {
    let frame = Int((Double(position.nanoseconds) * Double(fixture.rate) / 1e9).rounded())
    return Array(try readFile(try #require(fixture.samplesPath))[(frame * fixture.channels * fixture.bits / 8)...])
  }

  /// The last request begins with a frame shortly before the target, and all ranges that were searched are small.
  private func expectLittleRead(_ journal: Journal, _ fixture: Fixture, to target: Duration) throws {
    let file = try readFile(fixture.path)
    var reader = HeadReader()
    _ = file.withUnsafeBytes { reader.read($0, at: 0) }
    let layout = try #require(reader.facts.flac)
    let ranges = journal.requests.compactMap { $0["Range"]?.dropFirst("bytes=".count).split(separator: "-") }
    let start = try #require(ranges.last { $0.count == 1 }?.first.flatMap { Int($0) })
    let found = FLACFrame.first(
      in: Array(file[start..<min(start + 64, file.count)]), at: start, of: layout, among: 0..<fixture.frames)
    let frame = Int(Double(target.nanoseconds) * Double(fixture.rate) / 1e9)
    let place = try #require(found)
    #expect(place.offset == start)
    #expect(place.sample <= frame)
    #expect((frame - place.sample) * fixture.channels * fixture.bits / 8 <= FLACSearch.nearBytes + 200_000)
    let parts = ranges.compactMap { $0.count == 2 ? (Int($0[1]) ?? .max) - (Int($0[0]) ?? 0) : nil }
    #expect(parts.reduce(0, +) < 512 << 10, "\(parts)")
  }

  private func play(
    _ url: String, _ fixture: Fixture, sync: Bool = false, _ body: (PlayerUnderTest) async throws -> Void
  ) async throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let form = "capsfilter caps=audio/x-raw,format=S\(fixture.bits)LE"
    try await withPlayer(.bin("\(form) ! filesink sync=\(sync) location=\(folder.path)/out")) { test in
      await test.player.setItem(MediaItem(uri: url))
      try await body(test)
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    return try folder.read("out")
  }
}
