import Foundation
import Testing

@testable import Renderer

@Suite struct ConfigurationKeyTests {
  @Test(arguments: ConfigurationKey.all.map(\.name))
  func theExampleMeansTheSameWhereverItStands(name: String) throws {
    let key = try #require(ConfigurationKey.all.first { $0.name == name })
    let file = ConfigurationReading(file: ConfigurationFile(path: "f", text: "\(key.name) = \(key.example)"))
    #expect(file.mistakes == [])
    #expect(Array(file.origins.keys) == [name])
    // Quotes are TOML's, not of an option.
    let text = key.example.hasPrefix("\"") ? String(key.example.dropFirst().dropLast()) : key.example
    let environment = ConfigurationReading(environment: [key.variable: text])
    #expect(environment.mistakes == [])
    #expect(environment.configuration == file.configuration)
    let options = try ConfigurationOptions.parse(["--\(key.option)", text])
    #expect(options.given.map(\.key.name) == [name])
    #expect(ConfigurationReading(options: options.given).configuration == file.configuration)
  }

  @Test func noTwoHaveTheSameName() {
    for names in [ConfigurationKey.all.map(\.name), ConfigurationKey.all.map(\.option)] {
      #expect(Set(names).count == names.count)
    }
  }

  @Test func theDefaultFileSetsNothingAndIsRightWithoutItsComments() {
    let text = ConfigurationKey.defaultFile
    #expect(TOMLDocument(text).root.members.isEmpty)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let keys = lines.map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? $0.dropFirst() : $0 }.joined(separator: "\n")
    let reading = ConfigurationReading(file: ConfigurationFile(path: "f", text: keys))
    #expect(reading.mistakes == [])
    #expect(Set(reading.origins.keys) == Set(ConfigurationKey.all.map(\.name)))
  }

  @Test func theDocumentSaysWhatTheKeysSay() throws {
    let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
    let document = try String(contentsOfFile: "\(root)/docs/configuration.md", encoding: .utf8)
    let table = ConfigurationKey.markdown
    let isThere = document.contains(table)
    #expect(isThere, "docs/configuration.md has to have this table:\n\(table)")
  }
}
