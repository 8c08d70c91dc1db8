import Testing
import UPnP

@testable import PlaybackModel
@testable import Providers
@testable import SpeakerCore

@Suite struct RadioPresetMetadataTests {
  private func leaves(_ preset: RadioPreset) throws -> [String: String] {
    Dictionary(
      try XMLText.leaves(of: preset.metadata).map { ($0.path.last ?? "", $0.text) },
      uniquingKeysWith: { "\($0)+\($1)" })
  }

  @Test func metadataHasAllProperties() throws {
    let preset = RadioPreset(title: "Jazz & <More>", uri: "http://radio/?a=1&b=2", artwork: "http://radio/\"logo\".png")
    #expect(DIDLLite.isReadable(preset.metadata))
    #expect(
      try leaves(preset) == [
        "title": "Jazz & <More>", "class": "object.item.audioItem.audioBroadcast", "res": "http://radio/?a=1&b=2",
        "albumArtURI": "http://radio/\"logo\".png",
      ])
  }

  @Test func missingPropertiesAreOmitted() throws {
    let preset = RadioPreset(title: "", uri: "http://radio/live%20jazz?x=1")
    #expect(
      try leaves(preset) == [
        "title": "live jazz", "class": "object.item.audioItem.audioBroadcast", "res": "http://radio/live%20jazz?x=1",
      ])
  }
}
