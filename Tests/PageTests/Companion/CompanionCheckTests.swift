import Testing

@testable import Page

struct CompanionCheckTests {
  @Test(
    arguments: [
      ("Ada", "Ada"), ("  Ada’s phone ", "Ada’s phone"), ("<script>alert(1)</script>", "<script>alert(1)</script>"),
      ("טלפון", "טלפון"), ("👩‍👧", "👩‍👧"), (String(repeating: "é", count: 100), String(repeating: "é", count: 100)),
      ("", nil), (" \u{3000} ", nil), ("a\nb", nil), ("a\u{0}b", nil), ("a\u{7F}b", nil), ("a\u{85}b", nil),
      ("a\u{2028}b", nil), ("a\u{202E}b", nil), ("a\u{2067}b", nil), ("\u{E000}", nil),
      (String(repeating: "a", count: 101), nil), (String(repeating: "a", count: 10_000), nil),
      // One character with many combining marks.
      ("a" + String(repeating: "\u{301}", count: 1000), nil),
    ] as [(String, String?)])
  func names(text: String, checked: String?) { #expect((try? PhoneName.checked(text)) == checked) }

  @Test(
    arguments: [
      ("http://192.0.2.1/a", true), ("HTTPS://example.org/?x=1", true), ("/companion", true), ("/", true),
      ("/a?b=c#d", true),
      ("//example.org/", false), ("/\\example.org/", false), ("companion", false), ("", false),
      ("javascript:alert(1)", false),
      ("file:///etc/passwd", false), ("data:text/html,x", false), ("intent://x#Intent;end", false), ("/a b", false),
      ("/a\nb", false), ("/ü", false), ("http://", false), ("http://a/" + String(repeating: "x", count: 2040), false),
      ("/" + String(repeating: "x", count: 2047), true), ("/" + String(repeating: "x", count: 2048), false),
    ])
  func launchAddresses(url: String, isValid: Bool) { #expect(((try? LaunchAddress.checked(url)) != nil) == isValid) }

  @Test(
    arguments: [
      ("0", true), ("party-2.b_~", true), (String(repeating: "x", count: 64), true), ("", false), ("a b", false),
      ("a&b", false), ("é", false), ("١", false), (String(repeating: "x", count: 65), false),
    ])
  func sessions(text: String, isValid: Bool) {
    #expect(((try? LaunchAddress.checked(session: text)) != nil) == isValid)
  }

  /// The address for phones is never a loopback address, because phones cannot reach it.
  @Test(
    arguments: [
      ("192.0.2.1:49494", "http://192.0.2.1:49494/companion?uuid=u"),
      ("kitchen.local", "http://kitchen.local/companion?uuid=u"),
      ("[2001:db8::1]:80", "http://[2001:db8::1]:80/companion?uuid=u"),
      ("127.0.0.1:49494", "http://198.51.100.1:1/companion?uuid=u"),
      ("[::1]:9", "http://198.51.100.1:1/companion?uuid=u"),
      ("localhost", "http://198.51.100.1:1/companion?uuid=u"),
      ("LOCALHOST:8", "http://198.51.100.1:1/companion?uuid=u"),
      ("localhost.lan", "http://localhost.lan/companion?uuid=u"), (nil, "http://198.51.100.1:1/companion?uuid=u"),
    ] as [(String?, String)])
  func addresses(host: String?, address: String) {
    #expect(PageAddress.companion(host: host, network: "http://198.51.100.1:1/", uuid: "u") == address)
  }

  @Test func withoutNetworkAndBeaconThereIsStillAnAddress() {
    #expect(PageAddress.companion(host: "127.0.0.1:8", network: nil, uuid: nil) == "http://127.0.0.1:8/companion")
  }

  /// FIPS 180-4's example.
  @Test func keysAreSHA256() {
    #expect(
      TokenKey(of: "abc")?.text == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(TokenKey(text: String(repeating: "A", count: 64)) == nil)
    #expect(TokenKey(text: "ab") == nil)
  }

  /// A code of version 1 has 21 modules and a quiet zone of 4 on each side. The longest text is 2331 bytes at this level.
  @Test func codesHaveAQuietZone() throws {
    let picture = try #require(QRCode.svg(of: "a"))
    #expect(picture.contains(#"viewBox="0 0 29 29""#))
    // The top row of the first finder pattern.
    #expect(picture.contains("M4 4h7v1h-7z"))
    #expect(QRCode.svg(of: String(repeating: "a", count: 2331)) != nil)
    #expect(QRCode.svg(of: String(repeating: "a", count: 2332)) == nil)
  }
}
