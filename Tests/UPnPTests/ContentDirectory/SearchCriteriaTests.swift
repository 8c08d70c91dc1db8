import Testing
import UPnP

struct SearchCriteriaTests {
  private static func isTitle(_ value: String) -> SearchCriteria {
    .comparison(property: "dc:title", .contains, value: value)
  }

  private static let (a, b, c) = (isTitle("a"), isTitle("b"), isTitle("c"))

  @Test(
    arguments: [
      ("*", .all), ("", .all), (" \t* ", .all),
      ("dc:title contains \"a\"", a),
      ("dc:title  contains\n\"a\"", a),
      ("dc:title CONTAINS \"a\"", a),
      ("(dc:title contains \"a\")", a),
      ("( ( dc:title contains \"a\" ) )", a),
      ("dc:title=\"x\"", .comparison(property: "dc:title", .equal, value: "x")),
      ("dc:date >= \"1999\"", .comparison(property: "dc:date", .greaterOrEqual, value: "1999")),
      ("dc:date<\"1999\"", .comparison(property: "dc:date", .less, value: "1999")),
      ("dc:date != \"1999\"", .comparison(property: "dc:date", .notEqual, value: "1999")),
      ("dc:title doesNotContain \"x\"", .comparison(property: "dc:title", .doesNotContain, value: "x")),
      ("dc:title startsWith \"x\"", .comparison(property: "dc:title", .startsWith, value: "x")),
      ("upnp:class derivedfrom \"object\"", .comparison(property: "upnp:class", .derivedFrom, value: "object")),
      ("@refID exists false", .exists(property: "@refID", false)),
      ("@refID exists TRUE", .exists(property: "@refID", true)),
      ("@refID exists \"1\"", .exists(property: "@refID", true)),
      // `and` binds more strongly.
      ("dc:title contains \"a\" and dc:title contains \"b\" or dc:title contains \"c\"", .or([.and([a, b]), c])),
      ("dc:title contains \"a\" or dc:title contains \"b\" and dc:title contains \"c\"", .or([a, .and([b, c])])),
      ("dc:title contains \"a\" and (dc:title contains \"b\" or dc:title contains \"c\")", .and([a, .or([b, c])])),
      ("(dc:title contains \"a\")and(dc:title contains \"b\")", .and([a, b])),
      ("dc:title contains \"a\" AND dc:title contains \"b\"", .and([a, b])),
      // Escapes (§2.3.1)
      (#"dc:title contains "a \"quoted\" \\ word""#, isTitle(#"a "quoted" \ word"#)),
      (#"dc:title contains "AC\DC""#, isTitle(#"AC\DC"#)),
      ("dc:title contains \"and or ( ) = *\"", isTitle("and or ( ) = *")),
      ("dc:title contains \"Dvořák 東京\"", isTitle("Dvořák 東京")),
      ("dc:title contains \"\"", isTitle("")),
      ("dc:title contains &quot;a&quot;", a),
      // Artists with a role, as other servers offer them.
      (#"upnp:artist[@role="AlbumArtist"] = "x""#, .comparison(property: "upnp:albumArtist", .equal, value: "x")),
      (
        #"upnp:artist[@role="Composer"]="x" and dc:title contains "a""#,
        .and([.comparison(property: "upnp:author", .equal, value: "x"), a])
      ),
    ] as [(String, SearchCriteria)])
  func criteriaAreParsed(text: String, criteria: SearchCriteria) throws {
    #expect(try SearchCriteria(text) == criteria)
  }

  @Test(
    arguments: [
      "**", "* *", "dc:title", "dc:title contains", "dc:title contains a", "contains \"a\"", "dc:title \"a\"",
      "dc:title contains \"a", "dc:title contains \"a\\", "dc:title contains \"a\" and", "and dc:title contains \"a\"",
      "dc:title contains \"a\" dc:title contains \"b\"", "(dc:title contains \"a\"", "dc:title contains \"a\")", "()",
      "\"a\"",
      "@refID exists maybe", "@refID exists", "dc:title like \"a\"", "dc:title ! \"a\"", "= \"a\"", "* contains \"a\"",
      "upnp:artist[ = \"a\"",
    ])
  func otherTextIsRefused(text: String) {
    #expect(throws: CriteriaError.self) { try SearchCriteria(text) }
  }

  @Test func limitsAreEnforced() throws {
    let term = "dc:title contains \"a\""
    func terms(_ count: Int) -> String { Array(repeating: term, count: count).joined(separator: " or ") }
    #expect(throws: Never.self) { try SearchCriteria(terms(256)) }
    #expect(throws: CriteriaError.self) { try SearchCriteria(terms(257)) }
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + term + String(repeating: ")", count: depth)
    }
    #expect(throws: Never.self) { try SearchCriteria(nested(31)) }
    #expect(throws: CriteriaError.self) { try SearchCriteria(nested(32)) }
    #expect(throws: CriteriaError.self) { try SearchCriteria(String(repeating: " ", count: 8193)) }
  }

  @Test func propertiesAreCollected() throws {
    let criteria = try SearchCriteria("dc:title = \"a\" and (upnp:class derivedfrom \"o\" or @refID exists false)")
    #expect(criteria.properties == ["dc:title", "upnp:class", "@refID"])
  }
}
