import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import Playback
@testable import PlaybackModel

/// The player's notices about the path of the samples.
@Suite struct SignalPathNoticeTests {
  private static let stereo = AudioFormat(
    name: "S16LE", depth: 16, rate: 44_100, channels: 2, sides: [.left, .right], bytesPerFrame: 4)
  private static let exact = SignalFacts(input: stereo, output: stereo, isDirect: true)

  @Test func thePathIsReportedWhilePlayingAndTheFormatUntilTheDeviceCloses() async throws {
    try await withSilentPlayer { test, pipeline in
      #expect(await test.player.signalPath == nil)
      try await test.play("http://a/1")
      pipeline.routes(Self.exact)
      await test.wait("the format") { $0.outputFormat?.sampleRate == 44_100 }
      #expect(await test.player.signalPath == nil)
      pipeline.plays()
      await test.wait(for: .playing)
      #expect(await test.player.signalPath?.isBitPerfect == true)
      test.expectNotice([.state, .signalPath])

      var quiet = Self.exact
      quiet.effects = [.volume]
      pipeline.routes(quiet)
      await test.wait("the volume") { $0.signalPath?.reasons == [.volume] }
      test.expectNotice(.signalPath)

      await test.player.stop()
      #expect(await test.player.signalPath == nil)
      #expect(await test.player.outputFormat != nil)
      test.expectNotice([.state, .signalPath])
      pipeline.routes(nil)
      await test.wait("the closing") { $0.outputFormat == nil }
      test.expectNotice(.signalPath)
    }
  }

  @Test func theSameFactsAreNotReportedAgain() async throws {
    try await withSilentPlayer { test, pipeline in
      try await test.play("http://a/1")
      pipeline.routes(Self.exact)
      pipeline.plays()
      await test.wait(for: .playing)
      let count = test.notices.withLock { $0.count { $0.contains(.signalPath) } }
      pipeline.routes(Self.exact)
      pipeline.pauses()
      try await test.player.pause()
      pipeline.plays()
      try await test.player.play()
      await test.wait(for: .playing)
      #expect(test.notices.withLock { $0.count { $0.contains(.signalPath) } } == count)
    }
  }
}

extension PlayerUnderTest {
  /// Expects the last notice to contain these changes.
  fileprivate func expectNotice(_ changes: PlayerChanges, sourceLocation: SourceLocation = #_sourceLocation) {
    let last = notices.withLock { $0.last ?? [] }
    #expect(last.isSuperset(of: changes), "\(last)", sourceLocation: sourceLocation)
  }
}
