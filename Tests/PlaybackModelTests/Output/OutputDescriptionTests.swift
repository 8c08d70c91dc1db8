import Testing

@testable import PlaybackModel

@Suite struct OutputDescriptionTests {
  @Test(arguments: [
    ("alsa", OutputDescription.alsa(device: "default")), ("alsa:hw:CARD=DAC,DEV=0", .alsa(device: "hw:CARD=DAC,DEV=0")),
    ("pulse", .pulse), ("pipewire", .pipewire), ("null", .null), (" null\n", .null),
    ("audioresample ! jackaudiosink", .bin("audioresample ! jackaudiosink")),
  ])
  func isRead(_ text: String, _ description: OutputDescription) throws {
    #expect(try OutputDescription(parsing: text) == description)
    #expect(try OutputDescription(parsing: description.description) == description)
  }

  @Test(arguments: ["", "  ", "alsa:"])
  func isRefused(_ text: String) {
    #expect(throws: OutputError.self) { try OutputDescription(parsing: text) }
  }

  @Test(arguments: [
    ("hw:0", "an ALSA device is written alsa:hw:0"), ("default", "an ALSA device is written alsa:default"),
    ("plughw:CARD=DAC", "an ALSA device is written alsa:plughw:CARD=DAC"), ("Pulse", "write pulse in small letters"),
    ("ALSA:hw:0", "write alsa in small letters"),
  ])
  func saysWhatWasMeant(_ text: String, _ advice: String) {
    let error = #expect(throws: OutputError.self) { try OutputDescription(parsing: text) }
    #expect(error?.description == "Invalid output “\(text)”: \(advice).")
  }
}
