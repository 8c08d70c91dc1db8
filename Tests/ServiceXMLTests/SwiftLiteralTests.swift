import Testing

@testable import ServiceXML

struct SwiftLiteralTests {
  @Test(arguments: [("a", "\"a\""), ("a \"b\" \\(c)", #""a \"b\" \\(c)""#)])
  func quoted(text: String, literal: String) { #expect(SwiftLiteral.quoted(text) == literal) }

  @Test(arguments: [
    ("a\n", "#\"\"\"\na\n\n\"\"\"#"), ("\"\"\"# \\#(x)", "##\"\"\"\n\"\"\"# \\#(x)\n\"\"\"##"),
    ("\\##", "###\"\"\"\n\\##\n\"\"\"###"),
  ])
  func raw(text: String, literal: String) { #expect(SwiftLiteral.raw(text) == literal) }
}
