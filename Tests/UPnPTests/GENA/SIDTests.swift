import Testing

@testable import UPnP

struct SIDTests {
  @Test func isARandomUUIDThatReadsBack() throws {
    var generator = SystemRandomNumberGenerator()
    let sids = (0..<100).map { _ in SID(using: &generator) }
    #expect(Set(sids).count == 100)
    for sid in sids {
      let text = sid.description
      #expect(text.wholeMatch(of: /uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
      #expect(SID(text) == sid)
      #expect(SID(text.uppercased()) == sid)
    }
  }

  @Test(arguments: [
    "", "uuid:", "00000000-0000-4000-8000-000000000000", "uuid:00000000-0000-4000-8000-00000000000",
    "uuid:00000000-0000-4000-8000-0000000000000", "uuid:+0000000-0000-4000-8000-000000000000",
    "uuid:0000000g-0000-4000-8000-000000000000", "uuid:000000000-000-4000-8000-000000000000",
    "uuid:00000000000040008000000000000000", "uuid:00000000-0000-4000-8000-000000000000-",
  ])
  func refuses(_ text: String) {
    #expect(SID(text) == nil)
  }
}
