import MediaOrigin
import Playback
import PlaybackTestKit
import PlayerTestKit
import TestFixtures
import Testing

@testable import PlaybackEngine
@testable import PlaybackFormats
@testable import PlaybackModel

struct SourceContextTests {
  /// The header of a 3 GB WAV file is changed; everything after it passes without inspection.
  @Test func theSamplesOfALargeWAVFileAreNotInspected() throws {
    GStreamerLibrary.start()
    let input = try #require(ElementReference(factory: "identity"))
    let context = SourceContext(mailbox: Mailbox(), input: input, settings: PlayerSettings())
    let file = WAVHead.file("RIFF", 3_000_000_036, [], samples: 3_000_000_000)
    func receive(_ bytes: [UInt8], at position: Int) -> Bool {
      bytes.withUnsafeBytes { context.received($0, at: position).endsHead }
    }
    #expect(!receive(file, at: 0))
    context.forgetHead()
    #expect(receive([1, 2, 3, 4], at: file.count))
    #expect(!context.wants(file.count + 4..<1 << 31))
    // The parser may read the header again.
    #expect(context.wants(0..<4_096))
  }

  /// Regression: an EOS event was sent to the queue instead. It waited for the decoding thread, which waits for space
  /// in a full queue, so that the pipeline's thread waited forever.
  @Test(.timeLimit(.minutes(1))) func aFullBufferIsCutOff() throws {
    GStreamerLibrary.start()
    let file = try Fixtures.named("noise12-44100-16-2-30s.flac").path
    var settings = PlayerSettings()
    settings.bufferDepth = .milliseconds(100)
    let source = try DecoderPipeline(
      uri: "file://\(file)", isWithoutRanges: false, settings: settings, mailbox: Mailbox())
    defer { source.end() }
    source.open()
    while source.context.held.duration < settings.bufferDepth {
      try #require(source.context.lastArrival.duration(to: .now) < .seconds(20))
    }
    source.context.cutOff()
    let decoded = source.context.held.bytes
    var heard = 0
    loop: while true {
      switch source.pull(timeout: .milliseconds(20)) {
      case .samples(let samples): heard += Int(samples.frames) * samples.format.bytesPerFrame
      case .nothing, .early: continue
      case .end: break loop
      }
    }
    #expect(heard == decoded && source.context.isComplete)
  }

  /// Regression: a stream that broke off while the output was nearly dry was taken for complete, so that playback went on
  /// to the next track.
  @Test(.timeLimit(.minutes(1))) func aFailedStreamEndsWhenItsFailureIsHandled() async throws {
    GStreamerLibrary.start()
    let server = try await MediaServer.start()
    server.put("/a.wav", .bytes(Sound(seconds: 2, rate: 48_000, seed: 5).wav)) {
      // The connection breaks when the server stops, not before.
      $0.stall = .init(at: 100_044)
    }
    let mailbox = Mailbox()
    let source = try DecoderPipeline(
      uri: server.url("/a.wav"), isWithoutRanges: false, settings: PlayerSettings(), mailbox: mailbox)
    defer { source.end() }
    source.open()
    while source.context.held.bytes == 0 { try await Task.sleep(for: .milliseconds(5)) }
    await server.stop()
    func isEnded() -> Bool {
      while true {
        switch source.pull(timeout: .milliseconds(20)) {
        case .samples, .early: continue
        case .nothing: if source.context.isComplete { return false }
        case .end: return true
        }
      }
    }
    #expect(!isEnded())
    while let work = mailbox.next(timeout: .zero) {
      if case .source(_, .failed) = work { source.context.failureHandled() }
    }
    #expect(isEnded())
  }
}
