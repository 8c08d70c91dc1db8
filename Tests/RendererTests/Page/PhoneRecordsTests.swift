import Page
import PlaybackStore
import Testing

@testable import Renderer

struct PhoneRecordsTests {
  private static let digits = String(repeating: "0a", count: 32)

  private static func text(id: String = "1", key: String = digits, idle: String = "60", more: Bool = false) -> StateText
  {
    var text = StateText()
    for (name, value) in [("id", id), ("name", "Ada\u{1F}"), ("key", key), ("idle", idle)] { text.add(name, value) }
    if more { text.add("id", 1) }
    return text
  }

  @Test func phonesSurvive() throws {
    let key = try #require(TokenKey(text: Self.digits))
    let phones = [
      SavedPhone(id: 3, name: "Ada’s <b>phone</b>", key: key, idle: .seconds(7)),
      SavedPhone(id: 1, name: "טלפון", key: key, idle: .zero),
    ]
    #expect([SavedPhone](phones.text) == phones)
    #expect([SavedPhone](StateText()) == [])
    #expect([SavedPhone](Self.text())?.count == 1)
  }

  @Test(arguments: [
    text(id: "0"), text(id: "x"), text(id: "9223372036854775807"), text(key: "0"), text(idle: "-1"),
    text(idle: "9999999999"), text(more: true),
  ])
  func damagedTextsAreRefused(text: StateText) { #expect([SavedPhone](text) == nil) }
}
