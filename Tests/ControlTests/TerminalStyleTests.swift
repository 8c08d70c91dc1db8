import Testing

@testable import swiftlet_control

@Suite struct ColumnsTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("東京", 4), ("한글", 4), ("😀", 2), ("a\u{200D}b", 2), ("…", 1),
    ("\u{378}", 1),
  ])
  func countsWideCharactersAndMarks(text: String, columns: Int) {
    #expect(Columns.count(text) == columns)
  }

  @Test(arguments: [
    ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abc", 1, "…"), ("abc", 0, ""), ("東京都", 6, "東京都"),
    ("東京都", 5, "東京…"), ("東京都", 4, "東…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("", 0, ""),
  ])
  func cutsBetweenCharacters(text: String, columns: Int, expected: String) {
    #expect(Columns.cut(text, to: columns) == expected)
  }
}

@Suite struct TerminalStyleTests {
  @Test(arguments: [
    (["TERM": "xterm"], true), (["TERM": "xterm", "NO_COLOR": ""], true), (["TERM": "xterm", "NO_COLOR": "1"], false),
    (["TERM": "dumb"], false), ([:], false),
  ])
  func isBoldOnTerminalsOnly(environment: [String: String], hasBold: Bool) {
    #expect(TerminalStyle(columns: 80, environment: environment).hasBold == hasBold)
    #expect(TerminalStyle.plain.bold("text") == "text")
  }

  @Test func cutsLinesToTheTerminal() {
    #expect(TerminalStyle(columns: 6, environment: [:]).cut("a\tlong line") == "a lon…")
    #expect(TerminalStyle(columns: nil, environment: [:]).cut("a\tlong line") == "a\tlong line")
  }

  @Test func alignsWideCharacters() {
    let rows = [["NAME", "TYPE"], ["東京", "a"], ["Kitchen", "b"]]
    #expect(TerminalStyle.plain.aligned(rows) == ["NAME     TYPE", "東京     a", "Kitchen  b"])
  }

  @Test func cutsLongCellsOnATerminalOnly() {
    let name = String(repeating: "x", count: 70)
    let rows = [[name, "a"], ["short", "b"]]
    #expect(TerminalStyle.plain.aligned(rows) == [name + "  a", "short" + String(repeating: " ", count: 57) + "b"])
    #expect(
      TerminalStyle(columns: 80, environment: [:]).aligned(rows)[0] == String(repeating: "x", count: 59) + "…  a")
  }
}
