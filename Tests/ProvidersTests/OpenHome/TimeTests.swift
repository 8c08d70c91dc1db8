import Testing

@testable import DeviceStack
@testable import PlaybackModel
@testable import Providers

@Suite struct TimeTests {
  private let a = "http://host/a.flac"

  private func time(_ renderer: RendererUnderTest) async throws -> [String] {
    try await renderer.call("Time", "Time").results.map(\.value)
  }

  private func watch(_ renderer: RendererUnderTest, _ isWatched: Bool = true) async throws {
    try await renderer.onLoop { services, _ in services.hosted["Time"]?.store?.isWatched = isWatched }
  }

  @Test func timeIsOfCurrentTrack() async throws {
    try await RendererUnderTest.run { renderer in
      #expect(try await time(renderer) == ["0", "0", "0"])
      try await renderer.playUntilPlaying(a)
      renderer.pipeline.reportInfo(StreamInfo(isSeekable: true), duration: .milliseconds(90_500))
      try await renderer.wait("the duration") { _ in try await time(renderer)[1] == "90" }
      try await renderer.perform("AVTransport", "Seek", ["Unit": "REL_TIME", "Target": "0:00:42"])
      #expect(try await time(renderer) == ["1", "90", "42"])
      #expect(try await renderer.takeEvents("Time").last?["Seconds"] == "42")
      try await renderer.perform("AVTransport", "Stop")
      #expect(try await time(renderer) == ["1", "90", "0"])
      #expect(try await renderer.takeEvents("Time").last?["Seconds"] == "0")
    }
  }

  /// Each second is evented once, in order, and not early.
  @Test func secondsAreEvented() async throws {
    try await RendererUnderTest.run { renderer in
      try await watch(renderer)
      try await renderer.setURI(a)
      try await renderer.play()
      _ = try await renderer.takeEvents("Time")
      renderer.pipeline.plays(from: .milliseconds(40_700))
      var evented: [Int] = []
      try await renderer.wait("three seconds") { renderer in
        evented += try await renderer.takeEvents("Time").compactMap { $0["Seconds"].flatMap { Int($0) } }
        let seconds = try await time(renderer)[2]
        #expect(evented.last ?? 0 <= Int(seconds) ?? 0)
        return evented.count >= 4
      }
      // On a busy machine a second may be skipped.
      #expect(evented.first == 40)
      #expect(evented == evented.sorted() && Set(evented).count == evented.count)
    }
  }

  /// Without a subscriber or playback no alarm runs, which saves a wake-up per second.
  @Test func noAlarmWithoutSubscriberOrSound() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(a)
      try await renderer.perform("AVTransport", "Pause")
      renderer.pipeline.pauses(at: .seconds(7))
      try await renderer.wait("the pause") { _ in try await time(renderer)[2] == "7" }
      try await watch(renderer)
      #expect(try await renderer.takeEvents("Time").last?["Seconds"] == "7")
      #expect(try await !isArmed(renderer))
      try await renderer.play()
      renderer.pipeline.plays(from: .milliseconds(7_000))
      try await renderer.wait("an alarm") { try await isArmed($0) }
      try await watch(renderer, false)
      #expect(try await !isArmed(renderer))
    }
  }

  /// The initial event has the current second, not the one from the last subscription.
  @Test func firstSubscriberGetsPresentTime() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.setURI(a)
      try await renderer.play()
      renderer.pipeline.plays(from: .milliseconds(1_900))
      try await renderer.wait("the next second") { _ in try await time(renderer)[2] == "2" }
      _ = try await renderer.takeEvents("Time")
      try await watch(renderer)
      let evented = try await renderer.takeEvents("Time").first?["Seconds"].flatMap { Int($0) }
      #expect(try #require(evented) >= 2)
    }
  }

  private func isArmed(_ renderer: RendererUnderTest) async throws -> Bool {
    try await renderer.onLoop { services, _ in services.timeAlarm.isArmed }
  }
}
