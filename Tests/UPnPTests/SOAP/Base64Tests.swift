import Testing

@testable import UPnP

struct Base64Tests {
  /// The vectors of RFC 4648 §10, and bytes that use the last characters of the alphabet.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"), ("ûÿ¿", "w7vDv8K/"), ("\u{3E}\u{3F}~", "Pj9+"),
  ])
  func bothWays(plain: String, encoded: String) {
    #expect(Base64.encode(Array(plain.utf8)) == encoded)
    #expect(Base64.decode(encoded.utf8) == Array(plain.utf8))
  }

  @Test func everyByteComesBack() {
    for count in 250...256 {
      let bytes = (0..<count).map { UInt8($0) }
      #expect(Base64.decode(Base64.encode(bytes).utf8) == bytes)
    }
  }

  @Test func blanksArePassedOver() { #expect(Base64.decode(" Zm9v\r\nYg= =\t".utf8) == Array("foob".utf8)) }

  @Test(arguments: [
    "Z", "Zg", "Zg=", "Zm9vY", "=", "====", "Zg==Zg==", "Zm9=v", "Z===", "Zm-_", "Zm9v!", "Zé==", "Zm9v====",
  ])
  func refuses(text: String) { #expect(Base64.decode(text.utf8) == nil) }
}
