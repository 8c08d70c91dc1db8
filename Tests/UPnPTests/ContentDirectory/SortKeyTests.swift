import Testing
import UPnP

struct SortKeyTests {
  @Test(
    arguments: [
      ("", []), (" ", []),
      ("+dc:title", [SortKey("dc:title")]),
      ("-dc:date,+dc:title", [SortKey("dc:date", isDescending: true), SortKey("dc:title")]),
      ("dc:title", [SortKey("dc:title")]),
      (" +dc:title , -dc:date ", [SortKey("dc:title"), SortKey("dc:date", isDescending: true)]),
      ("+dc:title,-dc:title", [SortKey("dc:title")]),
      ("+dc:title,", [SortKey("dc:title")]),
    ] as [(String, [SortKey])])
  func criteriaAreParsed(text: String, keys: [SortKey]) throws {
    #expect(try SortKey.keys(text, properties: ["dc:title", "dc:date"]) == keys)
  }

  @Test(arguments: ["+upnp:genre", "+dc:title,-", "*", "+DC:TITLE", "++dc:title"])
  func otherPropertiesAreRefused(text: String) {
    #expect(throws: CriteriaError.self) { try SortKey.keys(text, properties: ["dc:title"]) }
  }
}
