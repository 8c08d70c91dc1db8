import Testing

@testable import Providers

@Suite struct JSONTextTests {
  @Test(arguments: [
    ("", #""""#), ("Radio", #""Radio""#), (#"a"b\c/d"#, #""a\"b\\c/d""#), ("\n\r\t", #""\n\r\t""#),
    // CR and LF are one Character in Swift but two in JSON.
    ("a\r\nb", #""a\r\nb""#),
    ("\u{0}\u{1}\u{1F}\u{7F}", "\"\\u0000\\u0001\\u001f\u{7F}\""), ("é 🎵 \u{2028}", "\"é 🎵 \u{2028}\""),
    // A quote with a combining accent is one Character in Swift.
    ("\"\u{301}\\\u{301}", "\"\\\"\u{301}\\\\\u{301}\""),
  ]) func stringsAreEscaped(_ text: String, _ json: String) {
    #expect(JSONText.string(text) == json)
  }

  @Test func arraysAndObjects() {
    #expect(JSONText.array([]) == "[]")
    #expect(JSONText.array(["1", JSONText.string("a")]) == #"[1,"a"]"#)
    #expect(JSONText.object(["a": "1", "b\"": "true"]) == #"{"a":1,"b\"":true}"#)
  }

  @Test(
    arguments: [
      ("[]", []), (" [ ] ", []), ("[1]", [1]), ("[1,2,0]", [1, 2, 0]), ("\n[ 1 ,\t2\r, 4294967295 ]\n", [1, 2, .max]),
      ("[0,0]", [0, 0]),
    ] as [(String, [UInt32])]) func numbersAreParsed(_ text: String, _ numbers: [UInt32])
  {
    #expect(JSONText.numbers(text, limit: 3) == numbers)
  }

  @Test(arguments: [
    "", " ", "1", "[", "]", "[1", "1]", "[,]", "[1,]", "[,1]", "[1,,2]", "[1 2]", "[-1]", "[+1]", "[1.0]", "[1e3]",
    "[01]", "[4294967296]", "[99999999999999999999999]", "[a]", #"["1"]"#, "[null]", "[[1]]", "[1]]", "[1][2]", "{}",
    "[1]x", "[１]", "[1,2,3,4]", "[\u{0}]", "[1\u{A0}]",
  ]) func invalidArraysAreRefused(_ text: String) {
    #expect(JSONText.numbers(text, limit: 3) == nil)
  }

  @Test func randomTextDoesNotCrash() {
    var generator = SystemRandomNumberGenerator()
    let pieces = ["[", "]", ",", "1", "0", " ", "-", "\"", "\n", "é", "4294967295", "\\"]
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 0..<12, using: &generator)).map { _ in pieces.randomElement() ?? "" }.joined()
      if let numbers = JSONText.numbers(text, limit: 100) { #expect(numbers.count <= text.count) }
    }
  }
}
