import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackModel

/// The player on the real pipeline: the sink gets the samples of the file.
@Suite(.serialized, .timeLimit(.minutes(2))) struct PlaybackOfFilesTests {
  @Test(arguments: ["wav", "flac"])
  func everySampleReachesTheSink(_ kind: String) async throws {
    let sound = Sound(seconds: 2.3, seed: 1)
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("a." + kind, kind == "wav" ? sound.wav : try sound.flac())
    let folder = try TemporaryFolder()
    try await withPlayer(.bin("filesink location=\(folder.path)/out")) { test in
      try await test.play(url)
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    #expect(try folder.read("out").isSame(as: sound.samples))
  }

  @Test func depthsAndRatesPassUnchanged() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    for (rate, depth) in [(44_100, 24), (96_000, 24), (192_000, 16), (8_000, 16)] {
      let sound = Sound(seconds: 0.7, rate: rate, depth: depth, seed: UInt64(rate))
      let url = server.serve("\(rate)-\(depth).wav", sound.wav)
      let folder = try TemporaryFolder()
      try await withPlayer(.bin("filesink location=\(folder.path)/out")) { test in
        try await test.play(url)
        await test.wait(for: .stopped)
        let info = await test.player.streamInfo
        #expect(info?.sampleRate == rate)
        #expect(info?.bitDepth == depth)
      }
      #expect(try folder.read("out").isSame(as: sound.samples), "\(rate) Hz, \(depth) bits")
    }
  }

  @Test func theNextTrackJoinsWithoutAGap() async throws {
    let first = Sound(seconds: 1.1, seed: 2)
    let second = Sound(seconds: 3, seed: 3)
    let server = try await MediaServer.start()
    defer { server.close() }
    let urls = [server.serve("1.flac", try first.flac()), server.serve("2.wav", second.wav)]
    let folder = try TemporaryFolder()
    try await withPlayer(.bin("filesink location=\(folder.path)/out")) { test in
      try await test.play(urls[0], next: urls[1])
      await test.wait("the second item") { $0.item?.uri == urls[1] && $0.next == nil }
      await test.wait(for: .stopped)
      #expect(await test.player.item?.uri == urls[1])
    }
    #expect(try folder.read("out").isSame(as: first.samples + second.samples))
  }

  @Test(arguments: ["wav", "flac"])
  func aSeekLandsOnTheSample(_ kind: String) async throws {
    let sound = Sound(seconds: 12, seed: 4)
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("a." + kind, kind == "wav" ? sound.wav : try sound.flac())
    let folder = try TemporaryFolder()
    let target = Duration.milliseconds(9_371)
    try await withPlayer(.bin("filesink sync=true location=\(folder.path)/out")) { test in
      try await test.play(url)
      await test.wait("half a second") { $0.position > .milliseconds(500) }
      try await test.player.seek(to: target)
      #expect(await test.player.position >= target)
      await test.wait(for: .stopped)
    }
    // The recording begins with the samples played before the seek.
    let heard = try folder.read("out")
    #expect(heard.ends(with: sound.from(target)), "\(heard.count) bytes")
    let before = heard.dropLast(sound.from(target).count)
    #expect(Array(before).isSame(as: Array(sound.samples.prefix(before.count))))
  }

  @Test func aPauseLosesNoSample() async throws {
    let sound = Sound(seconds: 4, seed: 5)
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("a.wav", sound.wav)
    let folder = try TemporaryFolder()
    try await withPlayer(.bin("filesink sync=true location=\(folder.path)/out")) { test in
      try await test.play(url)
      await test.wait("half a second") { $0.position > .milliseconds(500) }
      try await test.player.pause()
      #expect(await test.player.state == .paused)
      // The position stops once the output does, which may take a while on a busy machine.
      var position = await test.player.position
      for _ in 0..<20 {
        try await Task.sleep(for: .milliseconds(300))
        let now = await test.player.position
        if now == position { break }
        position = now
      }
      #expect(await test.player.position == position)
      #expect(position < .seconds(3))
      #expect(await test.player.state == .paused)
      try await test.player.play()
      await test.wait(for: .stopped)
    }
    #expect(try folder.read("out").isSame(as: sound.samples))
  }

  @Test func playAfterTheEndPlaysAgain() async throws {
    let sound = Sound(seconds: 0.3, seed: 6)
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("a.wav", sound.wav)
    let folder = try TemporaryFolder()
    try await withPlayer(.bin("filesink location=\(folder.path)/out")) { test in
      await test.player.setItem(MediaItem(uri: url))
      for _ in 0..<3 {
        try await test.player.play()
        await test.wait(for: .stopped)
      }
    }
    #expect(try folder.read("out").isSame(as: sound.samples + sound.samples + sound.samples))
  }

  @Test func requestsHaveAUserAgent() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("a.wav", Sound(seconds: 0.1, seed: 7).wav)
    try await withPlayer { test in
      try await test.play(url)
      await test.wait(for: .stopped)
    }
    let request = try #require(server.requests.first)
    #expect(request["User-Agent"]?.hasPrefix("Swiftlet UPnP/1.0") == true)
    #expect(request["Icy-MetaData"] == "1")
    #expect(request["transferMode.dlna.org"] == "Streaming")
  }
}
