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

  @Test(arguments: [
    ("snapcast:music.local", "snapcast:music.local:4953,48000:16:2"),
    ("snapcast:192.0.2.1:5000", "snapcast:192.0.2.1:5000,48000:16:2"),
    ("snapcast:[2001:db8::1]", "snapcast:[2001:db8::1]:4953,48000:16:2"),
    ("snapcast:[fe80::1%eth0]:4953", "snapcast:[fe80::1%eth0]:4953,48000:16:2"),
    ("snapcast:music,44100:24:2", "snapcast:music:4953,44100:24:2"),
    (" snapcast:[::1]:1,192000:32:8 ", "snapcast:[::1]:1,192000:32:8"),
  ])
  func isReadAsAStream(_ text: String, _ complete: String) throws {
    let description = try OutputDescription(parsing: text)
    #expect(description.description == complete)
    #expect(try OutputDescription(parsing: complete) == description)
  }

  @Test(arguments: [
    ("48000:16:2", "S16LE", 4), ("44100:24:1", "S24_32LE", 4), ("96000:32:6", "S32LE", 24), ("8000:8:1", "S8", 1),
  ])
  func aStreamHasAFormat(_ text: String, _ format: String, _ bytesPerFrame: Int) throws {
    let stream = try SnapcastStream(parsing: "music,\(text)")
    #expect(stream.format.format == format)
    #expect(stream.bytesPerFrame == bytesPerFrame)
  }

  @Test(
    arguments: [
      ("", "write snapcast:HOST or snapcast:HOST:PORT"), (":4953", "write snapcast:HOST or snapcast:HOST:PORT"),
      ("//music", "write snapcast:HOST or snapcast:HOST:PORT"),
      ("[music]", "write snapcast:HOST or snapcast:HOST:PORT"),
      ("[::1]4953", "write snapcast:HOST or snapcast:HOST:PORT"),
      ("[fe80::1%]", "write snapcast:HOST or snapcast:HOST:PORT"),
      ("2001:db8::1", "an IPv6 address is written in brackets, such as [2001:db8::1]"),
      ("music:", "a port is a number from 1 to 65535"), ("music:0", "a port is a number from 1 to 65535"),
      ("music:65536", "a port is a number from 1 to 65535"), ("music:+1", "a port is a number from 1 to 65535"),
      ("music:99999999999999999999", "a port is a number from 1 to 65535"),
    ]
      + [
        "", "48000", "48000:16", "48000:16:2:1", "48000:20:2", "48001:16:2", "48000:16:0", "48000:16:9", "-1:16:2",
        "a:b:c",
      ].map {
        (
          "music,\($0)",
          "a format is RATE:BITS:CHANNELS, such as 48000:16:2, with 8, 16, 24 or 32 bits and at most 8 channels"
        )
      })
  func saysWhatIsWrongWithAStream(_ text: String, _ reason: String) {
    let error = #expect(throws: OutputError.self) { try OutputDescription(parsing: "snapcast:\(text)") }
    #expect(error?.description == "Invalid output “snapcast:\(text)”: \(reason).")
  }

  @Test(arguments: ["", "  ", "alsa:"])
  func isRefused(_ text: String) {
    #expect(throws: OutputError.self) { try OutputDescription(parsing: text) }
  }

  @Test(arguments: [
    ("hw:0", "an ALSA device is written alsa:hw:0"), ("default", "an ALSA device is written alsa:default"),
    ("plughw:CARD=DAC", "an ALSA device is written alsa:plughw:CARD=DAC"), ("Pulse", "write pulse in small letters"),
    ("ALSA:hw:0", "write alsa in small letters"), ("Snapcast:music", "write snapcast in small letters"),
    ("snapcast", "name the server, as in snapcast:HOST"),
  ])
  func saysWhatWasMeant(_ text: String, _ advice: String) {
    let error = #expect(throws: OutputError.self) { try OutputDescription(parsing: text) }
    #expect(error?.description == "Invalid output “\(text)”: \(advice).")
  }
}
