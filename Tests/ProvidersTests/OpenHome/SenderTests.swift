import Testing

@testable import PlaybackModel
@testable import Providers

@Suite struct SenderTests {
  private func value(_ renderer: RendererUnderTest, _ action: String) async throws -> String? {
    try await renderer.call("Sender", action)["Value"]
  }

  @Test func initialEventIsComplete() async throws {
    try await RendererUnderTest.run { renderer in
      let event = try await renderer.initialEvent("Sender")
      #expect(event.names == (try DeclaredVariables.of(service: "Sender")).evented)
      #expect(event["PresentationUrl"] == "/description.xml")
      #expect([event["Audio"], event["Enabled"], event["Attributes"]] == ["0", "0", ""])
    }
  }

  @Test(arguments: [
    (SenderProvider.Status.sending, "Enabled", "Sending", "1"), (.ready, "Enabled", "Ready", "1"),
    (.inactive, "Enabled", "Inactive", "1"), (.blocked, "Blocked", "Blocked", "1"),
    (.disabled, "Disabled", "Disabled", "0"),
  ])
  func statusIsReported(status: SenderProvider.Status, first: String, second: String, enabled: String) async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.onLoop { services, _ in services.sender.set(status: status, metadata: "<DIDL-Lite/>") }
      for (action, expected) in [
        ("Status", first), ("Status2", second), ("Enabled", enabled), ("Metadata", "<DIDL-Lite/>"), ("Attributes", ""),
      ] {
        #expect(try await value(renderer, action) == expected, "\(action)")
      }
      let event = try #require(try await renderer.takeEvents("Sender").last)
      #expect(event["Metadata"] == "<DIDL-Lite/>")
      #expect(event["Status2"] == (status == .disabled ? nil : second))
    }
  }

  /// Audio ends a second after the sound, so that it does not flicker between tracks.
  @Test func audioEndsLaterThanTheSound() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying("http://host/a.flac")
      #expect(try await value(renderer, "Audio") == "1")
      try await renderer.perform("AVTransport", "Stop")
      let stopped = ContinuousClock.now
      try await renderer.wait("the end") { try await value($0, "Audio") == "0" }
      #expect(stopped.duration(to: .now) >= .milliseconds(900))
      // Sound that begins again within the second leaves it.
      try await renderer.play()
      renderer.pipeline.plays()
      try await renderer.wait("the beginning") { try await value($0, "Audio") == "1" }
      _ = try await renderer.takeEvents("Sender")
      try await renderer.perform("AVTransport", "Stop")
      try await renderer.play()
      renderer.pipeline.plays()
      try await renderer.wait(forState: "PLAYING")
      try await Task.sleep(for: .milliseconds(1_200))
      #expect(try await renderer.takeEvents("Sender").allSatisfy { $0["Audio"] == nil })
    }
  }
}
