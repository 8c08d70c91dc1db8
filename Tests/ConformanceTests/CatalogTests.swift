import Testing

@testable import Conformance

/// The texts and properties of every check.
@Suite struct CatalogTests {
  @Test func idsDiffer() {
    let ids = Check.all.map(\.id)
    #expect(Set(ids.filter { id in ids.count { $0 == id } > 1 }).isEmpty)
  }

  @Test(arguments: Check.all.map(\.id))
  func aCheckDescribesItself(id: String) throws {
    let check = try #require(Check.all.first { $0.id == id })
    let parts = id.split(separator: "/", omittingEmptySubsequences: false)
    #expect(parts.count > 1 && !parts.contains(""), "An id is a specification, a section and a subject.")
    #expect(
      id.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || "/-.".contains($0)) },
      "An id has lower-case letters, digits, hyphens, dots and slashes.")
    #expect(!check.source.isEmpty && !check.source.hasSuffix("."), "The source is no sentence.")
    for text in [check.requirement, check.steps] {
      // The first word may also be the name of an XML element, such as friendlyName.
      #expect(text.prefix { $0 != " " }.contains { $0.isUppercase }, "A sentence begins with a capital letter.")
      #expect(text.hasSuffix(".") && !text.hasSuffix(".."), "A sentence ends with a full stop.")
      #expect(!text.contains("  ") && !text.contains("\n"), "A text has single spaces.")
    }
    #expect(check.requirement != check.steps)
  }

  @Test(arguments: [
    ("uda/1.3.2/mx-empty", true), ("uda/1.3.2", true), ("uda/1.3.2/", true), ("uda", true), ("uda/1.3", false),
    ("*mx*", true), ("uda/*/mx-*", true), ("*", true), ("mx*", false), ("*mx", false), ("", false),
  ])
  func patternsSelectChecks(pattern: String, isSelected: Bool) throws {
    let check = try #require(Check.all.first { $0.id == "uda/1.3.2/mx-empty" })
    #expect(check.matches(pattern) == isSelected)
  }
}
