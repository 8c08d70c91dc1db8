import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import TestFixtures
import Testing

@testable import PlaybackModel

/// The duration of a track, as declared by its file or estimated.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DurationsTests {
  static let declared = [
    "length-xing.mp3", "length-vbri.mp3", "length-constant.mp3", "length-vorbis.ogg", "length-opus.opus",
    "length-chained.ogg", "half2-fragments.m4a", "half2-index.m4a", "speex.ogg",
  ]
  /// Durations that are not a whole number of seconds.
  static let uneven = ["length-chained.ogg", "half2-fragments.m4a", "half2-index.m4a"]
  /// Frames of varying size, without a declared count.
  static let estimated = ["length-bare.mp3", "length-adts.aac"]

  @Test(arguments: declared + estimated, [true, false])
  func theDurationIsRight(_ name: String, isDeclared: Bool) async throws {
    let fixture = try Fixtures.named(name)
    // Media servers declare whole seconds.
    let (all, last) = try await durations(
      of: fixture, declared: isDeclared ? .seconds(fixture.duration.components.seconds) : nil)
    let errors = all.map { abs(seconds($0) / seconds(fixture.duration) - 1) }
    if isDeclared || !Self.estimated.contains(name) {
      #expect(!errors.isEmpty && errors.allSatisfy { $0 <= 0.01 || isDeclared && Self.uneven.contains(name) }, "\(all)")
    }
    // The duration includes the encoder's delay and padding if the file does not declare them.
    #expect(abs(seconds(last) - seconds(fixture.duration)) < 0.12, "\(last)")
  }

  /// Without a table of contents, a far seek goes to the same fraction of the file as of the duration.
  @Test(arguments: estimated) func aFarSeekGoesByTheFractionOfTheFile(_ name: String) async throws {
    let fixture = try Fixtures.named(name)
    let server = try await MediaServer.start()
    defer { server.close() }
    server.put("/a", .file(fixture.path))
    let size = try readFile(fixture.path).count
    var settings = PlayerSettings()
    settings.exactSeekBytes = 1_000
    try await withPlayer(.bin("fakesink sync=true"), settings: settings) { test in
      await test.player.setItem(MediaItem(uri: server.url("/a"), duration: .seconds(60)))
      try await test.player.play()
      // After a second the buffer is full, and the parser no longer updates its estimate with every frame.
      await test.wait("a second of it") { $0.position > .seconds(1) && $0.duration != nil }
      try await test.player.seek(to: .seconds(54))
      await test.wait("sound there") { $0.state == .playing && $0.position - .seconds(54) < .seconds(2) }
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    let places = server.journal.requests(for: "/a").compactMap { request in
      request["Range"].flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) }
    }
    let part = Double(places.max() ?? 0) / Double(size)
    #expect(abs(part - 0.9) < 0.05, "\(places) of \(size)")
  }

  /// All durations reported until the end, and the last one.
  private func durations(of fixture: Fixture, declared: Duration?) async throws -> ([Duration], Duration) {
    let server = try await MediaServer.start()
    defer { server.close() }
    server.put("/a", .file(fixture.path))
    let reported = Monitor<[Duration]>([])
    try await withPlayer(.bin("fakesink")) { test in
      await test.player.observe { [player = test.player] changes in
        guard changes.contains(.duration) || changes.contains(.state) else { return }
        player.immediately { player in
          if let duration = player.duration { reported.update { $0.append(duration) } }
        }
      }
      await test.player.setItem(MediaItem(uri: server.url("/a"), duration: declared))
      try await test.player.play()
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    let all = reported.withLock { $0 }
    return (all, try #require(all.last))
  }

  private func seconds(_ duration: Duration) -> Double { Double(duration.nanoseconds) / 1e9 }
}
