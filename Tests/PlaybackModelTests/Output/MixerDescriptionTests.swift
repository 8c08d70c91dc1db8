import Testing

@testable import PlaybackModel

@Suite struct MixerDescriptionTests {
  @Test(arguments: [
    ("alsa:hw:0/Master", "hw:0", "Master", 0), ("alsa:hw:CARD=DAC/Digital", "hw:CARD=DAC", "Digital", 0),
    ("alsa:default/PCM,1", "default", "PCM", 1),
    ("alsa:hw:CARD=x,DEV=0/Line/Phones", "hw:CARD=x,DEV=0", "Line/Phones", 0),
    (" alsa:hw:1/Speaker, left ", "hw:1", "Speaker, left", 0),
  ])
  func reads(text: String, device: String, control: String, index: Int) throws {
    let description = try MixerDescription(parsing: text)
    #expect(description == MixerDescription(device: device, control: control, index: index))
    #expect(try MixerDescription(parsing: description.description) == description)
  }

  @Test(arguments: ["", "Master", "hw:0/Master", "alsa:hw:0", "alsa:/Master", "alsa:hw:0/"])
  func refuses(_ text: String) {
    #expect(throws: OutputError.self) { try MixerDescription(parsing: text) }
  }
}
