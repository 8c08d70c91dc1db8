import Testing

@testable import UPnP

@Suite struct ProtocolInfoTests {
  @Test(arguments: [
    ("http-get:*:audio/flac:*", "http-get", "*", "audio/flac", "*"),
    (" HTTP-GET:*:Audio/FLAC:DLNA.ORG_OP=01:x", "http-get", "*", "audio/flac", "DLNA.ORG_OP=01:x"),
    ("http-get:*:audio/L16; rate=44100;channels=2:*", "http-get", "*", "audio/l16", "*"),
    ("internal:192.0.2.1:audio/wav:", "internal", "192.0.2.1", "audio/wav", "*"), ("", "*", "*", "*", "*"),
    ("*", "*", "*", "*", "*"), ("http-get::", "http-get", "*", "*", "*"),
  ])
  func splitsItsFields(text: String, transport: String, network: String, mimeType: String, info: String) {
    let value = ProtocolInfo(text)
    #expect(value.text == text && value.transport == transport && value.network == network)
    #expect(value.mimeType == mimeType && value.additionalInfo == info)
  }

  @Test func findsParametersAndFlags() {
    let value = ProtocolInfo("http-get:*:audio/L16;Rate=\"44100\"; channels=2:DLNA.ORG_PN=LPCM;DLNA.ORG_CI=1;X")
    #expect(value.parameters == ["rate": "44100", "channels": "2"])
    #expect(value.info("DLNA.ORG_PN") == "LPCM" && value.info("dlna.org_ci") == "1" && value.info("X") == nil)
  }

  @Test(arguments: [
    ("", []), (" , ", []), ("a:b:c:d,e:f:g:h", ["a:b:c:d", "e:f:g:h"]), ("a:b:c\\,d:*,e", ["a:b:c,d:*", "e"]),
    ("a\\", ["a"]),
  ])
  func splitsLists(text: String, entries: [String]) {
    #expect(ProtocolInfo.list(text).map(\.text) == entries)
  }
}
