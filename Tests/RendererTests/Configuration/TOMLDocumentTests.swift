import Testing

@testable import Renderer

@Suite struct TOMLDocumentTests {
  private static let text = """
    # A comment
    name = "Kitchen" # and another
    list = [
      "a", # = ]
      "b",
    ]
    long = \"""
    x = 1
    [no header]\"""
    a.b = 1
    inline = { c = true, d = { e = 2.5 } }

    [table]
    "quoted key" = -3
    [table.inner]
    when = 1979-05-27
    [[stations]]
    title = "One"
    [[stations]]
    title = "Two"
    """

  @Test(arguments: [
    (["name"], ConfigurationValue.text("Kitchen"), 2),
    (["long"], .text("x = 1\n[no header]"), 7),
    (["a", "b"], .integer(1), 10),
    (["inline", "c"], .bool(true), 11),
    (["inline", "d", "e"], .number(2.5), 11),
    (["table", "quoted key"], .integer(-3), 14),
    (["table", "inner", "when"], .date("1979-05-27"), 16),
  ])
  func valuesHaveTheirLines(path: [String], value: ConfigurationValue, line: Int) {
    let document = TOMLDocument(Self.text)
    #expect(document.problems == [])
    #expect(document.root[path] == ConfigurationNode(value: value, line: line))
  }

  @Test func readsListsOfTables() {
    guard case .list(let stations) = TOMLDocument(Self.text).root["stations"]?.value else {
      Issue.record("no list")
      return
    }
    #expect(stations.map(\.line) == [17, 19])
    #expect(
      stations.map { $0.table?["title"] } == [
        .init(value: .text("One"), line: 18), .init(value: .text("Two"), line: 20),
      ])
  }

  /// An assertion of the library would end the program.
  @Test(arguments: ["[(name]", "[\n]", "[[.a]]", "[ \t#]", "[ä]", "[=", "  [,]", "[[[a]]]"])
  func headerWithoutNameIsAProblem(header: String) {
    let document = TOMLDocument("name = 1\n\(header)\nport = 2\n")
    #expect(document.problems.first?.line == 2)
  }

  /// An assertion of the library would end the program.
  @Test(arguments: [
    "a = 1979-05-27T\u{FFFD}7:32:00Z", "a = 1979-05-27tx07:32", "a = [1, {b = [\n 1979-05-27T_07:32:00]}]",
    "a = [\"\"\"\n\"\"\"\"\", '\\',\n1979-05-27T:]",
  ])
  func dateWithoutTimeIsAProblem(statement: String) {
    let document = TOMLDocument("name = 1\n\(statement)\n")
    #expect(document.problems.first?.key == "a")
    #expect(document.root["a"] == nil)
    #expect(TOMLDocument.value(String(statement.dropFirst(4))) == nil)
  }

  @Test(arguments: [
    "'1979-05-27T:'", "\"\\\", 1979-05-27T:\"", "'''\n= 1979-05-27T:'''", "1979-05-27 # = 1979-05-27T:",
    "1979-05-27T07:32:00Z",
  ])
  func valueResemblingSuchADateIsRead(value: String) {
    let document = TOMLDocument("a = \(value)\n")
    #expect(document.problems == [])
    #expect(document.root["a"] != nil)
  }

  @Test(arguments: ["name = \"Kitchen\"\r\nport = 1\r\n", "\u{FEFF}name = \"Kitchen\"\nport = 1"])
  func readsByteOrderMarkAndCRLF(text: String) {
    let document = TOMLDocument(text)
    #expect(document.problems == [])
    #expect(document.root["name"]?.value == .text("Kitchen"))
    #expect(document.root["port"] == ConfigurationNode(value: .integer(1), line: 2))
  }

  @Test(arguments: [
    // (text, problems as line: key, keys that are read)
    ("a = 1\nb = two\nc = 3\nd = 4 4\n", ["2: b", "4: d"], ["a", "c"]),
    ("a = [ \"x\"\n  \"y\",\n]\nb = 2\n", ["2: a"], ["b"]),
    ("a = [\nb = 2\nc = 3\n", ["2: a"], ["b", "c"]),
    ("a = \"\"\"\nb = 2\n", ["1: a"], ["b"]),
    ("a = \"x\nb = 2\n", ["1: a"], ["b"]),
    ("[t]\na =\n", ["2: t.a"], ["t"]),
    ("[t\na = 1\n", ["1: -"], ["a"]),
    ("just words\n= 1\na = 1", ["1: -", "2: -"], ["a"]),
    ("a = 1\nb = 2\na = 3\n", ["3: a"], ["a", "b"]),
    ("a.x = 1\n[a]\ny = 2", ["2: -"], ["a"]),
    ("[a]\nx = 1\n[a]\ny = 2", ["3: -"], ["a"]),
    ("a = 1\na.x = 1\n", ["2: a.x"], ["a"]),
    ("a = 1\nb\u{0} = 2", ["2: -"], []),
  ])
  func reportsAllProblems(text: String, mistakes: [String], keys: [String]) {
    let document = TOMLDocument(text)
    #expect(document.problems.map { "\($0.line): \($0.key ?? "-")" } == mistakes)
    #expect(document.root.members.map(\.key) == keys)
    #expect(document.problems.allSatisfy { $0.sentence.hasSuffix(".") || $0.sentence.hasSuffix("?") })
  }

  @Test func readsThousandsOfLines() {
    let text = (1...2000).map { "key\($0) = [\n  \"value\", # \($0)\n]\n" }.joined()
    let document = TOMLDocument(text)
    #expect(document.problems == [])
    #expect(document.root["key2000"]?.line == 5998)
  }
}

extension ConfigurationNode {
  fileprivate var table: ConfigurationTable? { if case .table(let table) = value { table } else { nil } }
}

extension ConfigurationTable {
  fileprivate subscript(path: [String]) -> ConfigurationNode? {
    path.reduce(ConfigurationNode(value: .table(self))) { node, key in node?.table?[key] }
  }
}
