import PlaybackModel
import Testing

@testable import Renderer

@Suite struct SourceConfigurationTests {
  private static func read(_ text: String) -> ConfigurationReading {
    ConfigurationReading(file: ConfigurationFile(path: "/t.toml", text: text), environment: [:], options: [])
  }

  @Test func aTableIsRead() throws {
    let reading = Self.read(
      """
      [[source]]
      name = "Turntable"
      type = "line"
      command = ["arecord", "-t", "raw"]
      format = "48000:24:1"
      latency = 0.3
      control = ["/bin/control"]
      [[source]]
      name = "AirPlay"
      type = "airplay"
      [[source]]
      name = "Pipe"
      fifo = "/run/pcm"
      """)
    #expect(reading.problems.isEmpty)
    let names = try ["Turntable", "AirPlay", "Pipe"].map { try #require(ProgramName($0)) }
    #expect(
      reading.configuration.sources == [
        ProgramDescription(
          name: names[0], kind: .line, command: ["arecord", "-t", "raw"],
          format: try #require(ProgramFormat("48000:24:1")),
          latency: .milliseconds(300), control: ["/bin/control"]),
        ProgramDescription(name: names[1], kind: .airplay, command: []),
        ProgramDescription(name: names[2], command: [], fifo: "/run/pcm"),
      ])
    // What is written is read again.
    let written = try #require(ConfigurationKeys.shared.sources.text(in: reading.configuration))
    #expect(Self.read("source = \(written)").configuration == reading.configuration)
  }

  @Test(arguments: [
    ("command = [\"x\"]", "name: The key is missing."),
    ("name = \"X\"", "command: A source needs a command, or a fifo that another program writes to."),
    ("name = \"Küche\"\ncommand = [\"x\"]", "is not a name of a source"),
    ("name = \"Radio\"\ncommand = [\"x\"]", "The speaker has a source “Radio” already."),
    ("name = \"songcast\"\ncommand = [\"x\"]", "already"),
    ("name = \"X\"\ncommand = [\"x\"]\nformat = \"44100:20:2\"", "is not a format RATE:BITS:CHANNELS"),
    ("name = \"X\"\ntype = \"airplay\"\nformat = \"48000:16:2\"", "shairport-sync writes 44100:16:2."),
    ("name = \"X\"\ncommand = [\"x\"]\nlatency = 0.01", "latency"),
    ("name = \"X\"\ncommand = [\"x\"]\ncomand = 1", "Unknown key"),
    (
      "name = \"X\"\ncommand = [\"x\"]\n[[source]]\nname = \"x\"\ncommand = [\"x\"]",
      "Another source is called “x” too."
    ),
  ])
  func mistakesAreReported(table: String, sentence: String) {
    let problems = Self.read("[[source]]\n" + table).problems.map(\.description)
    #expect(problems.contains { $0.contains(sentence) }, "\(problems)")
  }

  @Test func atMostEightSources() {
    let tables = (1...9).map { "[[source]]\nname = \"Source \($0)\"\ncommand = [\"x\"]\n" }.joined()
    #expect(Self.read(tables).problems.map(\.description).contains { $0.contains("There are 8 sources already.") })
  }

  @Test(arguments: [
    ("librespot", "[\"/bin/true\"]", nil),
    ("x", "[\"/nonexistent/librespot\", \"--backend\", \"pipe\"]", "Debian does not have it"),
    ("x", "[\"/bin/librespot\"]", "librespot needs the arguments --backend pipe"),
    ("x", "[\"/bin/shairport-sync\", \"-v\"]", "shairport-sync needs the arguments -o stdout"),
    ("x", "[\"/bin/arecord\", \"-D\", \"hw:1\"]", "arecord needs the arguments -t raw"),
    (
      "x", "[\"/bin/arecord\", \"-t\", \"raw\", \"-r\", \"48000\"]",
      "arecord records at 48000 Hz, but the format has 44100 Hz."
    ),
  ])
  func commonMistakesAreKnown(name: String, command: String, sentence: String?) {
    let reading = Self.read("[[source]]\nname = \"\(name)\"\ncommand = \(command)\n")
    let problems = reading.sourceProblems(environment: [:]).map(\.description)
    if let sentence {
      #expect(problems.contains { $0.contains(sentence) }, "\(problems)")
    } else {
      #expect(problems.isEmpty, "\(problems)")
    }
  }

  @Test(arguments: SourcesCommand.Add.Kind.allCases) func templatesAreValid(kind: SourcesCommand.Add.Kind) throws {
    let table = SourceTemplate(kind, called: nil, device: nil, speaker: "Küche \"1\"").table
    let reading = Self.read(table)
    #expect(reading.problems.isEmpty)
    let source = try #require(reading.configuration.sources.first)
    #expect(source.kind.rawValue == kind.rawValue)
    // Nothing is wrong but programs that this machine may not have.
    let problems = reading.sourceProblems(environment: [:], root: "/nonexistent").map(\.description)
    #expect(problems.allSatisfy { $0.contains("is not an executable file") }, "\(problems)")
  }
}
