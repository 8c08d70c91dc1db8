import Testing

@testable import Renderer

@Suite struct UUIDTests {
  @Test(arguments: ["12345678-9abc-4def-8123-456789abcdef", "uuid:12345678-9ABC-4def-8123-456789abcdef"])
  func reads(text: String) {
    #expect(UUID(text)?.description == "12345678-9abc-4def-8123-456789abcdef")
  }

  @Test(arguments: [
    "", "12345678", "12345678-9abc-4def-8123-456789abcde", "12345678-9abc-4def-8123-456789abcdeg",
    "123456789abc4def8123456789abcdef", "12345678-9abc-4def-8123-456789abcdef-", "１2345678-9abc-4def-8123-456789abcdef",
  ])
  func refuses(text: String) {
    #expect(UUID(text) == nil)
  }

  @Test func derivedIdentifiersAreStableAndDiffer() throws {
    let seed = try #require(UUID("12345678-9abc-4def-8123-456789abcdef"))
    let other = try #require(UUID("12345678-9abc-4def-8123-456789abcdee"))
    let derived = [seed.derived("MediaRenderer"), seed.derived("Source"), other.derived("MediaRenderer"), seed]
    #expect(Set(derived.map(\.description)).count == 4)
    #expect(seed.derived("Source") == seed.derived("Source"))
    #expect(UUID(seed.derived("Source").description) == seed.derived("Source"))
  }
}
