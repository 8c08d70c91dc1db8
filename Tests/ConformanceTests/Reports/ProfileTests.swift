import Testing

@testable import Conformance

@Suite struct ProfileTests {
  @Test(arguments: ControllerProfile.all.map(\.id))
  func everyPatternMatchesACheck(id: String) throws {
    let profile = try #require(ControllerProfile.all.first { $0.id == id })
    #expect(!profile.effects.isEmpty)
    for effect in profile.effects {
      #expect(Check.all.contains { $0.matches(effect.pattern) }, "\(effect.pattern)")
      #expect(effect.notice.hasSuffix("."), "\(effect.pattern)")
      #expect(!effect.source.isEmpty, "\(effect.pattern)")
    }
  }
}
