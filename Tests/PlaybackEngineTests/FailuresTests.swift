import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackModel

/// Every problem with an item is soon reported as a typed error, and the next command works.
@Suite(.serialized, .timeLimit(.minutes(2))) struct FailuresTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var error: PlaybackError
    var url: @Sendable (MediaServer) -> String
  }

  static let cases = [
    Case(testDescription: "404", error: .notFound) { $0.url("/nothing") },
    Case(testDescription: "nobody listens", error: .refused) { _ in "http://127.0.0.1:9/a.wav" },
    Case(testDescription: "no such host", error: .unknownHost) { _ in "http://no-such-host.invalid/a.wav" },
    Case(testDescription: "a web page", error: .notAudio) {
      $0.serve("page", Array("<!DOCTYPE html><html><body>Hello</body></html>".utf8))
    },
    Case(testDescription: "random bytes", error: .notAudio) { $0.serve("noise", Sound(seconds: 0.1, seed: 9).samples) },
    // Regression: so many channels crashed the program.
    Case(testDescription: "64 channels", error: .unsupportedFormat("sound of 64 channels")) {
      $0.serve("64", Sound(seconds: 0.1, channels: 64, seed: 9).wav)
    },
    Case(testDescription: "255 channels", error: .unsupportedFormat("sound of 255 channels")) {
      $0.serve("255", Sound(seconds: 0.1, channels: 255, seed: 9).wav)
    },
    Case(testDescription: "nothing at all", error: .empty) { $0.serve("zero", []) },
    Case(testDescription: "ftp", error: .unsupportedScheme("ftp")) { _ in "ftp://127.0.0.1/a.wav" },
    Case(testDescription: "a file", error: .unsupportedScheme("file")) { _ in "file:///etc/hostname" },
    Case(testDescription: "no address", error: .badAddress) { _ in "nonsense" },
    Case(testDescription: "redirected for ever", error: .tooManyRedirects) {
      $0.serve("circle", []) { $0.redirect = .endless }
    },
    Case(testDescription: "forbidden", error: .notAuthorized) { $0.serve("forbidden", []) { $0.status = .init(403) } },
    Case(testDescription: "server error", error: .serverError(500)) {
      $0.serve("oops", []) { $0.status = .init(500) }
    },
  ]

  @Test(arguments: cases)
  func anErrorIsReportedAndTheNextItemPlays(_ failure: Case) async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let good = server.serve("good.wav", Sound(seconds: 0.2, seed: 8).wav)
    try await withPlayer { test in
      let url = failure.url(server)
      try await test.play(url)
      await test.wait("the failure") { $0.error != nil }
      #expect(await test.player.error == failure.error)
      #expect(await test.player.state == .stopped)
      #expect(await test.player.item?.uri == url)

      await test.player.setItem(MediaItem(uri: good))
      #expect(await test.player.error == nil)
      test.notices.update { $0 = [] }
      try await test.player.play()
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
  }

  @Test func aStopDoesNotWaitForASlowServer() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("slow.wav", Sound(seconds: 1, seed: 1).wav) { $0.openDelay = .seconds(300) }
    let good = server.serve("good.wav", Sound(seconds: 0.2, seed: 8).wav)
    // Longer than any wait of this test.
    var settings = PlayerSettings()
    settings.openTimeout = .seconds(300)
    try await withPlayer(settings: settings) { test in
      try await test.play(url)
      #expect(await test.player.state == .transitioning)
      await test.player.stop()
      #expect(await test.player.state == .stopped)
      // The pipeline accepts the next item at once.
      await test.player.setItem(MediaItem(uri: good))
      try await test.player.play()
      await test.wait("the good one to end") { $0.state == .stopped }
      #expect(await test.player.error == nil)
    }
  }

  @Test func aServerThatNeverAnswersTimesOut() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("slow.wav", Sound(seconds: 1, seed: 1).wav) { $0.openDelay = .seconds(60) }
    var settings = PlayerSettings()
    settings.openTimeout = .seconds(1)
    try await withPlayer(settings: settings) { test in
      try await test.play(url)
      await test.wait("the timeout") { $0.error == .timedOut }
    }
  }

  @Test func aBadOutputIsAPlaybackErrorNotACrash() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("a.wav", Sound(seconds: 0.2, seed: 8).wav)
    for output in [OutputDescription.bin("nosuchelement"), .alsa(device: "no_such_card")] {
      try await withPlayer(output) { test in
        try await test.play(url)
        await test.wait("the failure") { $0.error?.isDeviceFailure == true }
        #expect(await test.player.state == .stopped)
      }
    }
  }
}
