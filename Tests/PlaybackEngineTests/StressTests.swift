import Glibc
import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import TestFixtures
import Testing

@testable import Playback
@testable import PlaybackModel

/// Many random joins, seeks and commands. `SWIFTLET_STRESS` sets their number; `SWIFTLET_SEED` repeats a run.
@Suite(.serialized, .timeLimit(.minutes(30))) struct StressTests {
  private static func setting(_ name: String, _ fallback: Int) -> Int {
    getenv(name).flatMap { Int(String(cString: $0)) } ?? fallback
  }

  private static let count = setting("SWIFTLET_STRESS", 40)
  private static let seed = setting("SWIFTLET_SEED", 1)

  private struct Tune {
    var url: String
    var sound: Sound
    /// The item with the duration that its server declares; a stream without a length would count as a station.
    var item: MediaItem {
      MediaItem(uri: url, duration: .seconds(Double(sound.frames) / Double(sound.rate)))
    }
  }

  /// Sounds in every lossless format and in several forms; each format comes from every kind of server.
  private static func tunes(_ server: MediaServer, _ generator: inout SplitMix) throws -> [Tune] {
    let kinds = [nil, "flacenc", "audioconvert ! aiffmux", "avenc_alac ! mp4mux", "audioconvert ! wavpackenc"]
    return try (0..<kinds.count * servers).map { index in
      let encoder = kinds[index % kinds.count]
      // GStreamer's ALAC encoder takes 16 bits only; FLAC decodes 24 bits as 24 in 32.
      let depth = encoder == nil ? [16, 24].randomElement(using: &generator) ?? 16 : 16
      let sound = Sound(
        seconds: Double.random(in: 0.1...0.6, using: &generator),
        rate: [44_100, 48_000, 96_000].randomElement(using: &generator) ?? 44_100, depth: depth, seed: UInt64(index))
      let file = try encoder.map { try sound.encoded($0) } ?? sound.wav
      let url = server.serve("\(index)", file) { manners in
        manners.openDelay = .milliseconds(Int.random(in: 0..<30, using: &generator))
        change(&manners, to: index / kinds.count, size: file.count)
      }
      return Tune(url: url, sound: sound)
    }
  }

  private static let servers = 7

  /// Configures the defect of each server.
  private static func change(_ manners: inout Manners, to number: Int, size: Int) {
    switch number {
    // About as fast as the sound plays.
    case 1: manners.rate = 400_000
    // The client has to reconnect twice to get the whole file.
    case 2: manners.earlyClose = .init(after: size * 2 / 5 + 1)
    case 3: manners.stall = .init(after: size / 2, for: .milliseconds(150))
    case 4:
      manners.framing = .chunked
      manners.ranges = false
    case 5:
      manners.framing = .close
      manners.ranges = false
    case 6: manners.redirect = .hops(2)
    default: break
    }
  }

  /// Runs in real time, with commands that must not change the output: pauses, and changes of the next track and back.
  @Test func randomJoinsLoseNoSample() async throws {
    var generator = SplitMix(state: UInt64(Self.seed))
    let server = try await MediaServer.start()
    defer { server.close() }
    let tunes = try Self.tunes(server, &generator)
    let order = (0..<Self.count).map { _ in tunes[Int.random(in: 0..<tunes.count, using: &generator)] }
    let folder = try TemporaryFolder()
    let capture = "audioconvert dithering=none ! audio/x-raw,format=S24LE ! filesink sync=true"
    let warnings = try await LibraryWarnings.during {
      try await withPlayer(.bin("\(capture) location=\(folder.path)/out")) { test in
        let staged = Monitor(0)
        let failed = Monitor<[Int]>([])
        let items = order.map(\.item)
        let (starts, startedItems) = AsyncStream.makeStream(of: Int.self)
        await test.player.observe { [player = test.player] changes in
          if changes.contains(.error), player.immediately({ $0.deck().failedItems > 0 }) {
            failed.update { $0.append(staged.withLock { $0 }) }
          }
          guard changes.contains(.item) else { return }
          let next = staged.update { staged in
            staged += 1
            return staged
          }
          // Stage one track ahead, as controllers do, or several, as the playlist does.
          player.immediately { $0.setUpcoming(Array(items.dropFirst(next).prefix(1 + next / 4 % 4 * 2))) }
          startedItems.yield(next)
        }
        await test.player.setItem(items[0])
        try await test.player.play()
        for await number in starts {
          if number == items.count { break }
          switch Int.random(in: 0..<6, using: &generator) {
          case 0:
            try? await test.player.pause()
            try await Task.sleep(for: .milliseconds(Int.random(in: 0..<40, using: &generator)))
            try? await test.player.play()
          // The successor of a short track is already queued for the device.
          case 1 where order[number - 1].sound.frames > order[number - 1].sound.rate * 35 / 100:
            let other = tunes[Int.random(in: 0..<tunes.count, using: &generator)].item
            // On a busy machine, the next item may have started before this runs.
            await test.player.stage(other, thenAgain: items[number]) { staged.withLock { $0 } == number }
          default: break
          }
        }
        await test.wait("the last", for: .seconds(60)) { $0.state == .stopped }
        #expect(await test.player.error == nil)
        #expect(failed.withLock { $0 } == [], "these failed before what follows them was tried")
      }
    }
    #expect(warnings.isEmpty, "\(warnings)")
    let expected = order.flatMap { $0.sound.samplesOf24Bits }
    let heard = try folder.read("out")
    let isSame = heard == expected
    #expect(isSame, "seed \(Self.seed), \(heard.count) of \(expected.count): \(Self.difference(heard, order))")
  }

  /// Seeks while segments are being read, faster than they arrive. The clock stands still, so that playback cannot end.
  @Test func seeksInAPlaylistOfSegments() async throws {
    var generator = SplitMix(state: UInt64(Self.seed))
    let server = try await MediaServer.start(folder: try Fixtures.folder())
    defer { server.close() }
    for _ in 0..<Self.count {
      try await SimulatedClock.during { _ in
        try await withPlayer(.null) { test in
          try await test.play(server.url("/hls.m3u8"))
          await test.wait(for: .playing)
          for _ in 0..<12 {
            try await test.player.seek(to: .milliseconds(Int.random(in: 100...9000, using: &generator)))
            try await Task.sleep(for: .milliseconds(Int.random(in: 1...40, using: &generator)))
          }
          await test.wait("sound after the last") { $0.state == .playing && $0.position > .zero }
          #expect(await test.player.error == nil)
          #expect(!test.states.dropFirst().contains(.stopped), "\(test.states)")
        }
      }
    }
  }

  /// Describes the first difference: which of the joined sounds it is in, and what was heard instead.
  private static func difference(_ heard: [UInt8], _ order: [Tune]) -> String {
    var start = 0
    for (index, tune) in order.enumerated() {
      let samples = tune.sound.samplesOf24Bits
      let part = heard.dropFirst(start).prefix(samples.count)
      if !part.elementsEqual(samples) {
        let same = zip(part, samples).prefix { $0 == $1 }.count
        let rest = heard.dropFirst(start + same).prefix(300)
        let other = order.firstIndex { $0.sound.samplesOf24Bits.firstRange(of: rest.prefix(60)) != nil }
        let place = other.flatMap { order[$0].sound.samplesOf24Bits.firstRange(of: rest.prefix(60))?.lowerBound }
        let before = index > 0 ? order[index - 1].url.suffix(2) : "-"
        return "number \(index), \(tune.url.suffix(2)) after \(before), \(tune.sound.rate) Hz, byte \(same) of "
          + "\(samples.count): there is byte \(place ?? -1) of \(other.map { order[$0].url.suffix(2) } ?? "nothing")"
      }
      start += samples.count
    }
    return "more at the end"
  }

  /// Servers that end early, are silent, send too much or too little, or answer with something else.
  private static let misbehaving: [@Sendable (inout Manners) -> Void] = [
    { $0.earlyClose = .init(after: 0) },
    { $0.earlyClose = .init(after: 30_001) },
    { $0.earlyClose = .init(after: 30_001, reset: true) },
    { $0.earlyClose = .init(at: 90_001) },
    {
      $0.framing = .chunked
      $0.earlyClose = .init(after: 50_001)
    },
    { $0.stall = .init(after: 20_001) },
    { $0.openDelay = .seconds(300) },
    { $0.framing = .wrongLength(by: 70_000) },
    { $0.framing = .wrongLength(by: -70_000) },
    {
      $0.ranges = false
      $0.silentOnRanges = true
    },
    { $0.redirect = .endless },
    { $0.redirect = .hops(3) },
    { $0.status = .init(503, times: 1) },
    { $0.garbage = true },
    {
      $0.endless = true
      $0.icy = .init(interval: 1000, titles: [.init(at: 0, "It's; a 'title'")])
    },
  ]

  @Test func commandsInAnyOrderLeaveAWorkingPlayer() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let urls =
      [
        server.serve("a.wav", Sound(seconds: 0.4, seed: 1).wav),
        server.serve("b.flac", try Sound(seconds: 2, rate: 48_000, seed: 2).flac()),
        server.serve("slow.wav", Sound(seconds: 1, seed: 3).wav) { $0.openDelay = .milliseconds(200) },
        server.url("/nothing"), "ftp://nowhere/",
        server.serve("page", Array("<html>".utf8)),
      ]
      + Self.misbehaving.enumerated().map { index, change in
        server.serve("misbehaving\(index).wav", Sound(seconds: 1, seed: 4).wav, change: change)
      }
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
      await test.player.setItem(nil)
      await test.player.setItem(MediaItem(uri: urls[1]))
      try await test.player.play()
      await test.wait("sound after all that") { $0.state == .playing }
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
  }
}

extension Player {
  /// Changes the next item and changes it back, unless the current item has changed.
  fileprivate func stage(_ other: MediaItem, thenAgain item: MediaItem, if isCurrent: @Sendable () -> Bool) {
    guard isCurrent() else { return }
    setNext(other)
    setNext(nil)
    setNext(item)
  }

  /// Sends one command and checks the invariants after it.
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
