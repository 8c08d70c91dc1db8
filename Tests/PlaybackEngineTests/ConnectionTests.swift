import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import Playback
@testable import PlaybackModel

/// Connections to media servers end in time, and a server gets few requests.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ConnectionTests {
  private static let sound = Sound(seconds: 30, rate: 48_000, seed: 95)

  /// Time limits that do not end a connection during a test.
  private static var patient: PlayerSettings {
    var settings = PlayerSettings()
    settings.openTimeout = .seconds(300)
    settings.silenceTimeout = .seconds(300)
    return settings
  }

  /// A server that falls silent after this many bytes of a response, or before its head.
  private static func stalling(after bytes: Int?) -> Manners {
    Manners { manners in
      if let bytes { manners.stall = .init(after: bytes) } else { manners.openDelay = .seconds(300) }
    }
  }

  /// Regression: the connection stayed open until the request's timeout, after which it was repeated.
  @Test(arguments: [nil, 0, 30_001, 600_001]) func aStopReleasesASilentServerAtOnce(after bytes: Int?) async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("a.wav", Self.sound.wav) { $0 = Self.stalling(after: bytes) }
    try await withPlayer(.bin("fakesink sync=true"), settings: Self.patient) { test in
      try await test.play(url)
      try await server.wait { $0.bytesSent["/a.wav", default: 0] >= bytes ?? 0 && $0.requests.count == 1 }
      await test.player.stop()
      try await server.wait { $0.openConnections == 0 }
    }
    #expect(server.requests.count == 1)
  }

  @Test func anotherItemReleasesASilentServerAtOnce() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let urls = ["a.wav", "b.wav"].map { server.serve($0, Self.sound.wav) { $0 = Self.stalling(after: 600_001) } }
    try await withPlayer(.bin("fakesink sync=true"), settings: Self.patient) { test in
      try await test.play(urls[0])
      await test.wait(for: .playing)
      await test.player.setItem(MediaItem(uri: urls[1]))
      try await server.wait {
        $0.openConnections(for: "/a.wav").isEmpty && !$0.openConnections(for: "/b.wav").isEmpty
      }
      await test.wait(for: .playing)
    }
    #expect(server.requests.map(\.path) == ["/a.wav", "/b.wav"])
  }

  /// Regression: a server that closes every connection at the same byte got more than twenty requests in two seconds.
  @Test(arguments: [false, true]) func aServerThatClosesAtTheSameByteGetsFewRequests(isFLAC: Bool) async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let close = Manners.EarlyClose(at: 400_044)
    let file = isFLAC ? try Self.sound.flac() : Self.sound.wav
    let url = server.serve("a", file) { $0.earlyClose = close }
    var settings = PlayerSettings()
    settings.stallTimeout = .seconds(1)
    try await withPlayer(.bin("fakesink sync=true"), settings: settings) { test in
      try await test.play(url)
      await test.wait(for: .stopped)
      #expect(await test.player.error == .truncated)
    }
    // The first request, its repetition, and attempts of at most four requests each: the head, and parts of the file.
    let times = server.requests.map(\.time)
    var rest = try #require(times.first).duration(to: try #require(times.last))
    var (policy, attempts) = (ResumePolicy(), 0)
    while case let pause = policy.failed(), pause <= rest {
      attempts += 1
      rest -= pause
    }
    #expect(times.count <= 2 + 4 * attempts, "\(times.count) requests in \(attempts) attempts")
  }
}
