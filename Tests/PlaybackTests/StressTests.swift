import Glibc
import Testing

@testable import Playback

/// Many joins and many commands in random order. `SWIFTLET_STRESS` sets how many; `SWIFTLET_SEED` repeats a run.
@Suite(.serialized, .timeLimit(.minutes(30))) struct StressTests {
  private static func setting(_ name: String, _ fallback: Int) -> Int {
    getenv(name).flatMap { Int(String(cString: $0)) } ?? fallback
  }

  private static let count = setting("SWIFTLET_STRESS", 60)
  private static let seed = setting("SWIFTLET_SEED", 1)

  @Test func randomJoinsLoseNoSample() async throws {
    var generator = SplitMix(state: UInt64(Self.seed))
    let server = try LoopbackServer()
    defer { server.stop() }
    var sounds: [(url: String, samples: [UInt8])] = []
    for index in 0..<12 {
      let sound = Sound(
        seconds: Double.random(in: 0.05...0.6, using: &generator),
        rate: [44_100, 48_000, 96_000].randomElement(using: &generator) ?? 44_100,
        depth: [16, 24].randomElement(using: &generator) ?? 16, seed: UInt64(index))
      let isFLAC = sound.depth == 16 && Bool.random(using: &generator)
      var resource = LoopbackServer.Resource(isFLAC ? try sound.flac() : sound.wav)
      resource.delay = .milliseconds(Int.random(in: 0..<30, using: &generator))
      sounds.append((server.serve("\(index)", resource), sound.samples))
    }
    let order = (0..<Self.count).map { _ in Int.random(in: 0..<sounds.count, using: &generator) }
    let urls = order.map { sounds[$0].url }
    let folder = try TemporaryFolder()
    try await withPlayer(.bin("filesink location=\(folder.path)/out")) { test in
      let staged = Monitor(0)
      await test.player.observe { [player = test.player] changes in
        guard changes.contains(.item) else { return }
        let next = staged.update { staged in
          staged += 1
          return staged
        }
        if next < urls.count { player.immediately { $0.setNext(MediaItem(uri: urls[next])) } }
      }
      await test.player.setItem(MediaItem(uri: urls[0]))
      try await test.player.play()
      await test.wait("the last", for: .seconds(Self.count + 30)) { $0.state == .stopped }
      #expect(await test.player.error == nil)
    }
    let expected = order.flatMap { sounds[$0].samples }
    let heard = try folder.read("out")
    #expect(heard.isSame(as: expected), "\(heard.count) of \(expected.count), seed \(Self.seed)")
  }

  @Test func commandsInAnyOrderLeaveAPlayerThatPlays() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    var slow = LoopbackServer.Resource(Sound(seconds: 1, seed: 3).wav)
    slow.delay = .milliseconds(200)
    let urls = [
      server.serve("a.wav", Sound(seconds: 0.4, seed: 1).wav),
      server.serve("b.flac", try Sound(seconds: 2, rate: 48_000, seed: 2).flac()),
      server.serve("slow.wav", slow), server.url("nothing"), "ftp://nowhere/",
      server.serve("page", Array("<html>".utf8)),
    ]
    try await withPlayer(.bin("fakesink sync=true")) { test in
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<3 {
          group.addTask {
            var generator = SplitMix(state: UInt64(Self.seed * 10 + task))
            for _ in 0..<Self.count {
              let item = urls.randomElement(using: &generator).map { MediaItem(uri: $0) }
              let number = Int.random(in: 0..<14, using: &generator)
              let target = Duration.milliseconds(Int.random(in: 0..<2_000, using: &generator))
              await test.player.random(number, item, target)
              if Bool.random(using: &generator) {
                try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<60, using: &generator)))
              }
            }
          }
        }
      }
      let before = ContinuousClock.now
      await test.player.setItem(nil)
      await test.player.setItem(MediaItem(uri: urls[0]))
      try await test.player.play()
      await test.wait("sound after all that") { $0.state == .playing }
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
      #expect(before.duration(to: .now) < .seconds(10))
    }
  }
}

extension Player {
  /// One command, and what must hold after it.
  fileprivate func random(_ number: Int, _ item: MediaItem?, _ target: Duration) {
    switch number {
    case 0...1: setItem(item)
    case 2...3: setNext(item)
    case 4...6: try? play()
    case 7: try? pause()
    case 8: stop()
    case 9...10: try? seek(to: target)
    case 11: try? skipToNext()
    case 12: setVolume(Int(target.nanoseconds % 101))
    default: setMuted(target > .seconds(1))
    }
    #expect((state == .noMedia) == (self.item == nil))
    if state == .playing || state == .transitioning || state == .paused { #expect(error == nil) }
    if state == .noMedia { #expect(position == .zero) }
  }
}
