import PlayerTestKit
import Testing

@testable import PlaybackEngine
@testable import PlaybackModel

@Suite struct OutputsTests {
  @Test func aFailedProbeIsDescribedInOneSentence() throws {
    try Outputs.probe(.null)
    try Outputs.probe(.bin("audioconvert ! fakesink"))
    for output in [OutputDescription.alsa(device: "no_such_card"), .bin("nosuchelement"), .bin("fakesrc"), .bin("!")] {
      let error = #expect(throws: OutputError.self) { try Outputs.probe(output) }
      let text = error?.description ?? ""
      #expect(text.hasSuffix(".") && !text.contains("\n") && text.contains("“\(output)”"), "\(text)")
    }
  }

  @Test func theNullOutputIsAlwaysListed() {
    #expect(Outputs.list().last?.description == "null")
  }
}
