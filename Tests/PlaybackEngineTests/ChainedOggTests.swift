import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackEngine
@testable import PlaybackModel

/// Chained Ogg streams: each link has its own tags.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ChainedOggTests {
  struct Link {
    /// For `taginject`; empty for none.
    let tags: String
    let texts: TrackTags
  }

  static let encoders = [
    "flacenc ! oggmux", "vorbisenc ! oggmux", "audioresample ! opusenc ! oggmux", "speexenc ! oggmux",
  ]
  private static let links = [
    Link(tags: "title=One,artist=Ana,album=Leaves", texts: TrackTags(title: "One", artist: "Ana", album: "Leaves")),
    Link(tags: "title=Two", texts: TrackTags(title: "Two")), Link(tags: "", texts: TrackTags()),
    Link(tags: "title=Four,artist=Dee", texts: TrackTags(title: "Four", artist: "Dee")),
  ]
  private static let secondsOfLink = 2.0

  private static func chain(_ encoder: String) throws -> [UInt8] {
    try links.enumerated().flatMap { index, link in
      let sound = Sound(seconds: secondsOfLink, channels: encoder.hasPrefix("speex") ? 1 : 2, seed: UInt64(index + 1))
      return try sound.encoded("taginject tags=\"\(link.tags)\" ! ".repeated(link.tags.isEmpty ? 0 : 1) + encoder)
    }
  }

  private struct Shown: Equatable {
    var tags: TrackTags
    /// The title that comes before the item's metadata.
    var title: String?
  }

  /// Plays the whole stream.
  /// - Returns: the texts that were shown, and the position when the last link began.
  private func shown(
    _ encoder: String, _ manners: @escaping (inout Manners) -> Void
  ) async throws -> ([Shown], Duration) {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("radio.ogg", try Self.chain(encoder), change: manners)
    let all = Monitor<[Shown]>([])
    return try await withPlayer(.bin("fakesink sync=true")) { test in
      await test.player.observe { [player = test.player] changes in
        guard changes.contains(.title) else { return }
        player.immediately { player in
          let deck = player.deck()
          let shown = Shown(tags: deck.tags, title: deck.title)
          all.update { if $0.last != shown { $0.append(shown) } }
        }
      }
      try await test.play(url)
      await test.wait("the last link") { $0.deck().tags.title == "Four" }
      return (all.withLock { $0 }, await test.player.position)
    }
  }

  /// A radio station, and a live stream that does not say that it is one.
  @Test(arguments: encoders, [true, false])
  func titlesOfAllLinksAreShown(_ encoder: String, isStation: Bool) async throws {
    let (shown, _) = try await shown(encoder) { manners in
      manners.framing = isStation ? .close : .chunked
      manners.ranges = false
      manners.rate = 400_000
      if isStation { manners.headers = [Header("icy-name", "Test FM")] }
    }
    var live = Self.links.map(\.texts)
    for index in live.indices { live[index].isLive = true }
    let found = shown.map(\.tags).filter(\.isLive)
    // Without a station's headers, only the second link shows that the stream is one.
    #expect(Array(found.drop { $0.title == "One" }) == Array(live.dropFirst()))
    #expect(!isStation || found.first == live.first)
    #expect(Array(shown.map(\.title).suffix(3)) == ["Two", nil, "Four"])
  }

  /// In a file, tags complete missing metadata, and follow what is heard.
  @Test(arguments: encoders) func tagsOfAFileFollowItsLinks(_ encoder: String) async throws {
    let (shown, position) = try await shown(encoder) { _ in }
    #expect(shown.map(\.tags).drop(while: \.isEmpty) == Self.links.map(\.texts)[...])
    #expect(shown.allSatisfy { $0.title == nil })
    // The output is a little ahead.
    let start = Duration.seconds(Self.secondsOfLink * 3)
    #expect(position > start - .seconds(1.5), "\(position)")
  }

  /// Regression: the decoder of the next link waited until all sound before it was taken, so a stream that ran dry
  /// shortly before the end of a link never continued. And all Vorbis decoders shared one end of the sound, so links
  /// lost samples or got too many.
  @Test(arguments: encoders, [true, false])
  func linksAreDecodedAheadToTheirLastSample(_ encoder: String, hasSize: Bool) async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("chain.ogg", try Self.chain(encoder)) {
      $0.ranges = false
      if !hasSize { $0.framing = .chunked }
    }
    let mailbox = Mailbox()
    let source = try DecoderPipeline(uri: url, isWithoutRanges: false, settings: PlayerSettings(), mailbox: mailbox)
    defer { source.end() }
    source.open()
    var isDecoded = false
    while !isDecoded {
      switch try #require(mailbox.next(timeout: .seconds(30)), "decoding has stopped") {
      case .source(_, .decodedToEnd): isDecoded = true
      case .source(_, .failed(let failure)): throw SetupError("\(failure)")
      default: continue
      }
    }
    var (frames, rate): (Int64, Int) = (0, 0)
    pulling: while true {
      switch source.pull(timeout: .milliseconds(20)) {
      case .samples(let samples):
        frames += samples.frames
        rate = samples.format.rate
      case .nothing, .early: continue
      case .end: break pulling
      }
    }
    let links = Int64(Self.links.count)
    let expected = Int64(Self.secondsOfLink * Double(rate)) * links
    // Opus is resampled here. Speex consists of whole blocks.
    let tolerance: Int64 = encoder.hasPrefix("audioresample") ? 1 : encoder.hasPrefix("speex") ? 640 : 0
    #expect(abs(frames - expected) <= tolerance * links, "\(frames) of \(expected)")
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
