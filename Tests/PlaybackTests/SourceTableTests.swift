import PlaybackTestKit
import Testing

@Suite struct SourceTableTests {
  @Test func documentedTableMatchesSources() async throws {
    let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let text = String(decoding: try readFile("/\(path)/docs/openhome.md"), as: UTF8.self)
    let table = try await SourceTable.markdown()
    #expect(text.contains(table), "docs/openhome.md must hold this table:\n\(table)")
  }
}
