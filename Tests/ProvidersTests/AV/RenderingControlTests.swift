import PlaybackModel
import Testing

@testable import Providers

@Suite struct RenderingControlTests {
  private func call(
    _ renderer: RendererUnderTest, _ action: String, _ arguments: [String: String] = ["Channel": "Master"]
  ) async throws -> Answer {
    try await renderer.call("RenderingControl", action, arguments)
  }

  @Test func volumeWorksWithoutMedia() async throws {
    try await RendererUnderTest.run { renderer in
      #expect(try await call(renderer, "GetVolume")["CurrentVolume"] == "100")
      let set = try await call(renderer, "SetVolume", ["Channel": "Master", "DesiredVolume": "0"])
      #expect(set.fault == nil)
      #expect(try await call(renderer, "GetVolume")["CurrentVolume"] == "0")
      #expect(try await renderer.state() == "NO_MEDIA_PRESENT")
    }
  }

  @Test func decibelsAndStepsAgree() async throws {
    try await RendererUnderTest.run { renderer in
      let range = try await call(renderer, "GetVolumeDBRange")
      let minimum = try #require(range["MinValue"].flatMap { Int($0) })
      #expect(range["MaxValue"] == "0")
      for step in 0...100 {
        try await renderer.perform("RenderingControl", "SetVolume", ["Channel": "Master", "DesiredVolume": "\(step)"])
        let decibels = try #require(try await call(renderer, "GetVolumeDB")["CurrentVolume"])
        #expect(step != 0 || Int(decibels) == minimum)
        if let scale = VolumeScale.decibels(step: step) {
          #expect(abs(try #require(Double(decibels)) / 256 - scale) < 1.0 / 256)
        }
        // The conversion to decibels and back keeps the step.
        try await renderer.perform("RenderingControl", "SetVolume", ["Channel": "Master", "DesiredVolume": "50"])
        #expect(try await call(renderer, "SetVolumeDB", ["Channel": "Master", "DesiredVolume": decibels]).fault == nil)
        #expect(try await call(renderer, "GetVolume")["CurrentVolume"] == "\(step)")
      }
    }
  }

  @Test func mutingTwiceSucceeds() async throws {
    try await RendererUnderTest.run { renderer in
      for mute in ["1", "true", "0", "no"] {
        #expect(try await call(renderer, "SetMute", ["Channel": "Master", "DesiredMute": mute]).fault == nil)
        let isMuted = try await call(renderer, "GetMute")["CurrentMute"]
        #expect(isMuted == (mute == "1" || mute == "true" ? "1" : "0"))
      }
    }
  }

  @Test func setVolumeDoesNotUnmute() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.perform("RenderingControl", "SetMute", ["Channel": "Master", "DesiredMute": "1"])
      try await renderer.perform("RenderingControl", "SetVolume", ["Channel": "Master", "DesiredVolume": "30"])
      #expect(try await call(renderer, "GetMute")["CurrentMute"] == "1")
    }
  }

  @Test func factoryDefaultsIsTheOnlyPreset() async throws {
    try await RendererUnderTest.run { renderer in
      #expect(try await call(renderer, "ListPresets", [:])["CurrentPresetNameList"] == "FactoryDefaults")
      try await renderer.perform("RenderingControl", "SetVolume", ["Channel": "Master", "DesiredVolume": "3"])
      try await renderer.perform("RenderingControl", "SetMute", ["Channel": "Master", "DesiredMute": "1"])
      #expect(try await call(renderer, "SelectPreset", ["PresetName": "Loud"]).fault == 701)
      #expect(try await call(renderer, "SelectPreset", ["PresetName": "FactoryDefaults"]).fault == nil)
      // In Home Assistant it is a sound mode, which must not be louder.
      #expect(try await call(renderer, "GetVolume")["CurrentVolume"] == "3")
      #expect(try await call(renderer, "GetMute")["CurrentMute"] == "1")
    }
  }

  @Test(
    arguments: [
      ("SetVolume", ["Channel": "Master", "DesiredVolume": "101"], 601),
      ("SetVolume", ["Channel": "Master", "DesiredVolume": "-1"], 601),
      ("SetVolume", ["Channel": "Master", "DesiredVolume": "loud"], 402),
      ("SetVolumeDB", ["Channel": "Master", "DesiredVolume": "1"], 601),
      ("SetVolumeDB", ["Channel": "Master", "DesiredVolume": "-15351"], 601),
      ("GetVolume", ["Channel": "LF"], 402), ("GetVolumeDBRange", ["Channel": "XX"], 402),
      ("SetMute", ["Channel": "Master", "DesiredMute": "maybe"], 402), ("GetVolume", [:], 402),
      ("GetLoudness", ["Channel": "Master"], 401),
    ] as [(String, [String: String], Int)])
  func faultsHaveServiceSpecificCodes(action: String, arguments: [String: String], fault: Int) async throws {
    try await RendererUnderTest.run { renderer in
      #expect(try await call(renderer, action, arguments).fault == fault)
      let other = try await renderer.call("RenderingControl", "GetVolume", ["Channel": "Master"], instance: "5")
      #expect(other.fault == 702)
    }
  }
}
