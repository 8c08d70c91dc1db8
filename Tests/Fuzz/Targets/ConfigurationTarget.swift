@testable import PlaybackModel
@testable import Renderer

/// A configuration file, and its lines as environment variables.
enum ConfigurationTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    let text = String(decoding: input, as: UTF8.self)
    let reading = ConfigurationReading(file: ConfigurationFile(path: "swiftlet.toml", text: text))
    for problem in reading.problems { check(!problem.sentence.isEmpty, "A problem has an empty message.") }
    // The printed effective settings are themselves a valid file with the same settings.
    let shown = ConfigurationReading(file: ConfigurationFile(path: "shown", text: reading.shown))
    check(shown.problems.isEmpty, "\(shown.problems) in \(reading.shown)")
    check(shown.configuration == reading.configuration, "\(reading.shown) says something else")
    // The file that the page would write is valid, too, and adds no problems that prevent the start.
    let page = PageFile(path: "page.toml", text: text)
    let stored = PageFile(path: "page.toml", text: page.settings.text)
    check(stored.problems.isEmpty && stored.settings == page.settings, "\(stored.problems) in \(page.settings.text)")
    check(reading.adding(page.settings, path: "page.toml").problems == reading.problems, "the page added a problem")
    let lines = text.split(separator: "\n").prefix(ConfigurationKeys.all.count)
    let variables = zip(ConfigurationKeys.all.map(\.variable), lines.map(String.init))
    _ = ConfigurationReading(environment: Dictionary(variables) { first, _ in first })
    if let line = lines.first, let output = try? OutputDescription(parsing: String(line)) {
      check((try? OutputDescription(parsing: output.description)) == output, "\(output) of \(line)")
    }
  }
}
