import Testing

@testable import UPnP

struct SSDPMessageTests {
  @Test(arguments: [
    ("A * HTTP/1.1\r\nST: x\r\nMX: 1\r\n\r\n", ["st": "x", "mx": "1"]),
    // Names in any case; values with or without surrounding blanks.
    ("A * HTTP/1.1\r\nsT:x\r\nMX :\t 1 \t\r\n\r\n", ["st": "x", "mx": "1"]),
    ("A * HTTP/1.1\r\nST:\r\n\r\n", ["st": ""]),
    // Bare line feeds; a missing empty line at the end.
    ("A * HTTP/1.1\nST: x\n\n", ["st": "x"]),
    ("A * HTTP/1.1\r\nST: x\r\n", ["st": "x"]),
    // Colons in a value; text after the empty line.
    ("A * HTTP/1.1\r\nST: urn:a:device:b:1\r\n\r\nMX: 1\r\n", ["st": "urn:a:device:b:1"]),
    // The first of two equal fields wins.
    ("A * HTTP/1.1\r\nST: x\r\nst: y\r\n\r\n", ["st": "x"]),
    // Folded lines: after a field, without a preceding field, and after an ignored field.
    ("A * HTTP/1.1\r\nST: x\r\n  y\r\n\tz\r\n\r\n", ["st": "x y z"]),
    ("A * HTTP/1.1\r\n folded\r\nST: x\r\n\r\n", ["st": "x"]),
    ("A * HTTP/1.1\r\nST: x\r\nST: y\r\n z\r\n\r\n", ["st": "x"]),
    // A line that is not a field.
    ("A * HTTP/1.1\r\nnonsense\r\nST: x\r\n\r\n", ["st": "x"]),
    ("A * HTTP/1.1\r\n\r\n", [:]),
  ])
  func reads(text: String, fields: [String: String]) {
    let message = SSDPMessage(Array(text.utf8))
    #expect(message?.startLine == "A * HTTP/1.1")
    #expect(message?.fields == fields)
  }

  @Test(arguments: ["", "A", "A * HTTP/1.1", "A * HTTP/1.1\r\nST: ssdp:al"])
  func truncatedDatagramsAreIgnored(text: String) {
    #expect(SSDPMessage(Array(text.utf8)) == nil)
  }

  @Test func replacesWhatIsNoText() {
    let message = SSDPMessage(Array("A\r\nST: ".utf8) + [0xFF, 0x00, 0xC3] + Array("\r\n\r\n".utf8))
    #expect(message?["st"] == "\u{FFFD}\0\u{FFFD}")
  }
}
