import Foundation
import Testing

@testable import Renderer

@Suite struct ConfigurationKeysTests {
  /// The list comes from the mirror of the declarations.
  @Test func everyDeclarationIsListed() {
    #expect(ConfigurationKeys.all.count == Mirror(reflecting: ConfigurationKeys.shared).children.count)
    #expect(ConfigurationKeys.all.map(\.name).starts(with: ["name", "room", "openhome_suffix", "output"]))
  }

  @Test(arguments: ConfigurationKeys.all.map(\.name))
  func exampleHasTheSameMeaningInFileEnvironmentAndOption(name: String) throws {
    let key = try #require(ConfigurationKeys.all.first { $0.name == name })
    let file = ConfigurationReading(file: ConfigurationFile(path: "f", text: "\(key.name) = \(key.example)"))
    #expect(file.problems == [])
    #expect(Array(file.origins.keys) == [name])
    // Options and variables have no quotes.
    let text = key.example.hasPrefix("\"") ? String(key.example.dropFirst().dropLast()) : key.example
    let environment = ConfigurationReading(environment: [key.variable: text])
    #expect(environment.problems == [])
    #expect(environment.configuration == file.configuration)
    let options = try ConfigurationOptions.parse(["--\(key.option)", text])
    #expect(options.given.map(\.key.name) == [name])
    #expect(ConfigurationReading(options: options.given).configuration == file.configuration)
  }

  @Test func namesAreUnique() {
    for names in [ConfigurationKeys.all.map(\.name), ConfigurationKeys.all.map(\.option)] {
      #expect(Set(names).count == names.count)
    }
  }

  @Test func defaultFileSetsNothingAndIsValidUncommented() {
    let text = ConfigurationDocuments.defaultFile
    #expect(TOMLDocument(text).root.members.isEmpty)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let keys = lines.map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? $0.dropFirst() : $0 }.joined(separator: "\n")
    let reading = ConfigurationReading(file: ConfigurationFile(path: "f", text: keys))
    #expect(reading.problems == [])
    #expect(Set(reading.origins.keys) == Set(ConfigurationKeys.all.map(\.name)))
  }

  @Test func documentationHasTheTableOfKeys() throws {
    let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
    let document = try String(contentsOfFile: "\(root)/docs/configuration.md", encoding: .utf8)
    let table = ConfigurationDocuments.table
    let isThere = document.contains(table)
    #expect(isThere, "docs/configuration.md must contain the output of `swiftlet config manual table`")
  }
}
