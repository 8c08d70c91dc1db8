import NIOCore
import Testing

@testable import DeviceStack
@testable import Playback
@testable import Providers

@Suite struct VolumeTests {
  private func call(
    _ renderer: RendererUnderTest, _ action: String, _ value: String? = nil, version: Int? = nil
  ) async throws -> Answer {
    try await renderer.call("Volume", action, value.map { ["Value": $0] } ?? [:], version: version)
  }

  private func volume(_ renderer: RendererUnderTest) async throws -> String? {
    try await call(renderer, "Volume")["Value"]
  }

  private func isMuted(_ renderer: RendererUnderTest) async throws -> String? {
    try await call(renderer, "Mute")["Value"]
  }

  /// The steps of the player's scale; 100 is unity gain.
  @Test func characteristics() async throws {
    try await RendererUnderTest.run(volumeLimit: 80) { renderer in
      #expect(try await volume(renderer) == "80")
      let answer = try await call(renderer, "Characteristics")
      let values = answer.results.map { "\($0.name) \($0.value)" }
      #expect(
        values == [
          "VolumeMax 100", "VolumeUnity 100", "VolumeSteps 100", "VolumeMilliDbPerStep 614", "BalanceMax 15",
          "FadeMax 0",
        ])
      #expect(try await call(renderer, "VolumeLimit")["Value"] == "80")
      #expect(try await call(renderer, "UnityGain")["Value"] == "0")
      let event = try await renderer.initialEvent("Volume")
      #expect(
        Dictionary(uniqueKeysWithValues: event.values.map { ($0.key.name, $0.value) }) == [
          "Volume": "80", "Mute": "0", "Balance": "0", "Fade": "0", "VolumeLimit": "80", "VolumeMax": "100",
          "VolumeUnity": "100", "VolumeSteps": "100", "VolumeMilliDbPerStep": "614", "BalanceMax": "15", "FadeMax": "0",
          "UnityGain": "0", "VolumeOffsets": "[]", "VolumeOffsetMax": "0", "Trim": "[]",
        ])
    }
  }

  /// Both services show the same volume.
  @Test func volumeIsSharedWithRenderingControl() async throws {
    try await RendererUnderTest.run { renderer in
      let master = ["Channel": "Master"]
      #expect(try await call(renderer, "SetVolume", "41").fault == nil)
      #expect(try await renderer.call("RenderingControl", "GetVolume", master)["CurrentVolume"] == "41")
      #expect(try await call(renderer, "SetMute", "true").fault == nil)
      #expect(try await renderer.call("RenderingControl", "GetMute", master)["CurrentMute"] == "1")
      let set = try await renderer.call(
        "RenderingControl", "SetVolume", master.merging(["DesiredVolume": "7"]) { $1 })
      #expect(set.fault == nil)
      #expect(try await volume(renderer) == "7")
      #expect(
        try await renderer.takeEvents("Volume").map(\.values) == [
          [.init(name: "Volume"): "41"], [.init(name: "Mute"): "1"], [.init(name: "Volume"): "7"],
        ])
    }
  }

  @Test(arguments: [
    ("SetVolume", "30", "30"), ("VolumeInc", nil, "41"), ("VolumeDec", nil, "39"),
  ])
  func settingVolumeUnmutes(action: String, value: String?, volume: String) async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.perform("Volume", "SetVolume", ["Value": "40"])
      try await renderer.perform("Volume", "SetMute", ["Value": "1"])
      #expect(try await call(renderer, action + "NoUnmute", value).fault == nil)
      #expect(try await [self.volume(renderer), isMuted(renderer)] == [volume, "1"])
      try await renderer.perform("Volume", "SetVolumeNoUnmute", ["Value": "40"])
      _ = try await renderer.takeEvents("Volume")
      #expect(try await call(renderer, action, value).fault == nil)
      #expect(try await [self.volume(renderer), isMuted(renderer)] == [volume, "0"])
      #expect(
        try await renderer.takeEvents("Volume").map(\.values) == [
          [.init(name: "Volume"): volume, .init(name: "Mute"): "0"]
        ])
    }
  }

  @Test func limitAppliesToRenderingControl() async throws {
    try await RendererUnderTest.run(volumeLimit: 60) { renderer in
      let loud = ["Channel": "Master", "DesiredVolume": "90"]
      #expect(try await renderer.call("RenderingControl", "SetVolume", loud).fault == nil)
      let answer = try await renderer.call("RenderingControl", "GetVolume", ["Channel": "Master"])
      #expect(answer["CurrentVolume"] == "60")
      #expect(try await volume(renderer) == "60")
    }
  }

  /// Changes succeed without effect: a fault would make controllers show an error.
  @Test func fixedVolumeDoesNotChange() async throws {
    try await RendererUnderTest.run(isVolumeFixed: true) { renderer in
      #expect(try await call(renderer, "UnityGain")["Value"] == "1")
      #expect(try await call(renderer, "SetVolume", "10").fault == nil)
      #expect(try await call(renderer, "VolumeDec").fault == nil)
      let quiet = ["Channel": "Master", "DesiredVolume": "10"]
      #expect(try await renderer.call("RenderingControl", "SetVolume", quiet).fault == nil)
      #expect(try await volume(renderer) == "100")
      let events = try await renderer.takeEvents("Volume")
      #expect(events.isEmpty)
      #expect(try await call(renderer, "SetMute", "1").fault == nil)
      #expect(try await isMuted(renderer) == "1")
    }
  }

  @Test func stepsStayWithinRange() async throws {
    try await RendererUnderTest.run(volumeLimit: 60) { renderer in
      for (action, value, volume) in [
        ("SetVolume", "60", "60"), ("SetVolume", "61", "60"), ("SetVolume", "100", "60"), ("VolumeInc", nil, "60"),
        ("SetVolume", "59", "59"), ("VolumeInc", nil, "60"), ("VolumeIncNoUnmute", nil, "60"), ("SetVolume", "0", "0"),
        ("VolumeDec", nil, "0"), ("SetVolumeNoUnmute", "99", "60"),
      ] {
        let answer = try await call(renderer, action, value)
        #expect(answer.fault == nil)
        #expect(try await self.volume(renderer) == volume, "\(action) \(value ?? "")")
      }
      // The limit applies to both services.
      let louder = ["Channel": "Master", "DesiredVolume": "100"]
      #expect(try await renderer.call("RenderingControl", "SetVolume", louder).fault == nil)
      #expect(try await volume(renderer) == "60")
    }
  }

  @Test(
    arguments: [
      ("SetVolume", "101", 811), ("SetVolume", "-1", 811), ("SetVolume", "99999999999", 811), ("SetVolume", "x", 402),
      ("SetVolumeNoUnmute", "101", 811), ("SetBalance", "15", nil), ("SetBalance", "16", 812),
      ("SetBalance", "-16", 812), ("SetBalance", "-99999999999", 812), ("SetFade", "0", 801),
      ("SetFade", "-1", 801), ("SetFade", "99999999999", 801), ("FadeInc", nil, 801), ("FadeDec", nil, 801),
    ] as [(String, String?, Int?)])
  func valuesOutOfRangeAreRefused(action: String, value: String?, fault: Int?) async throws {
    try await RendererUnderTest.run { renderer in
      let answer = try await call(renderer, action, value)
      #expect(answer.fault == fault)
      #expect(try await volume(renderer) == "100")
    }
  }

  @Test func balanceIsThePlayers() async throws {
    try await RendererUnderTest.run { renderer in
      for (action, value, balance) in [
        ("SetBalance", "-14", "-14"), ("BalanceDec", nil, "-15"), ("BalanceDec", nil, "-15"),
        ("BalanceInc", nil, "-14"),
        ("SetBalance", "15", "15"), ("BalanceInc", nil, "15"), ("BalanceDec", nil, "14"),
      ] {
        let answer = try await call(renderer, action, value)
        #expect(answer.fault == nil)
        #expect(try await call(renderer, "Balance")["Value"] == balance)
        #expect(try await renderer.onLoop { _, player in player.immediately { "\($0.balance)" } } == balance)
      }
      #expect(
        try await renderer.takeEvents("Volume").map { $0["Balance"] } == ["-14", "-15", "-14", "15", "14"])
    }
  }

  /// Kazoo requires the actions to exist.
  @Test func unsupportedActions() async throws {
    try await RendererUnderTest.run { renderer in
      let fade = try await call(renderer, "Fade")["Value"]
      #expect(fade == "0")
      let channel = ["Channel": "Left"]
      #expect(try await renderer.call("Volume", "VolumeOffset", channel).fault == 815)
      #expect(try await renderer.call("Volume", "Trim", channel).fault == 818)
      let offset = channel.merging(["VolumeOffsetBinaryMilliDb": "1"]) { $1 }
      #expect(try await renderer.call("Volume", "SetVolumeOffset", offset).fault == 815)
      let trim = channel.merging(["TrimBinaryMilliDb": "1"]) { $1 }
      #expect(try await renderer.call("Volume", "SetTrim", trim).fault == 818)
    }
  }

  /// Other controllers follow a dragged slider without a visible delay.
  @Test func changesAreEventedAtOnceThenEvery50Milliseconds() throws {
    let start = NIODeadline.uptimeNanoseconds(0) + .seconds(1)
    var moderator = EventModerator(Volume4.moderation, of: [.init("Volume"), .init("Mute")])
    #expect(moderator.changed(0, now: start) == .flushThisTurn)
    #expect(moderator.flush(now: start) == .all(2))
    #expect(moderator.changed(0, now: start + .milliseconds(1)) == .flush(at: start + .milliseconds(50)))
    #expect(moderator.changed(1, now: start + .milliseconds(49)) == .nothing)
    #expect(moderator.flush(now: start + .milliseconds(50)) == .all(2))
    #expect(moderator.changed(1, now: start + .milliseconds(100)) == .flushThisTurn)
    // LastChange is limited to one event in 0.2 s, but a state that changes is not held back.
    #expect(RenderingControl1.moderation == Moderation(.milliseconds(200)))
    #expect(
      AVTransport1.moderation
        == Moderation(.milliseconds(200), urgent: ["TransportState": ["STOPPED", "TRANSITIONING"]]))
  }

  /// Some controllers always request version 1.
  @Test func olderVersionIsAnswered() async throws {
    try await RendererUnderTest.run { renderer in
      let answer = try await call(renderer, "SetVolume", "12", version: 1)
      #expect(answer.fault == nil)
      #expect(try await call(renderer, "Volume", version: 2)["Value"] == "12")
      #expect(try await call(renderer, "Volume", version: 5).fault == 401)
    }
  }
}
