import Testing

@testable import swiftlet_control

@Suite struct ManualTests {
  private static func argument(
    _ name: String, kind: String = "positional", help: String = "Its help.", isOptional: Bool = false
  ) -> CommandTree.Argument {
    .init(
      kind: kind, shouldDisplay: true, isOptional: isOptional, isRepeating: false,
      names: kind == "positional" ? nil : [.init(kind: "long", name: name)], valueName: name, abstract: help,
      discussion: nil, defaultValue: nil, parsingStrategy: nil)
  }

  private static func command(
    _ name: String, _ arguments: [CommandTree.Argument] = [], discussion: String? = nil,
    subcommands: [CommandTree]? = nil, shown: Bool = true
  ) -> CommandTree {
    .init(
      commandName: name, shouldDisplay: shown, superCommands: ["program"], abstract: "Does \(name).",
      discussion: discussion,
      arguments: arguments, subcommands: subcommands)
  }

  private static let manual = Manual(
    command(
      "program",
      subcommands: [
        command("call", [argument("device"), argument("action", help: ".x `-y`"), argument("json", kind: "flag")]),
        command("watch", [argument("device"), argument("json", kind: "flag"), argument("to", kind: "option")]),
        command("secret", shown: false),
      ]))

  @Test func describesEachCommandOnce() {
    #expect(
      Self.manual.commands == """
        .TP
        \\fBcall\\fR \\fIdevice\\fR \\fIaction\\fR
        Does call.
        .RS
        .TP
        \\fIaction\\fR
        \\&.x \\fB\\-y\\fR
        .RE
        .TP
        \\fBwatch\\fR \\fIdevice\\fR \\fB\\-\\-to\\fR \\fIto\\fR
        Does watch.
        .RS
        .TP
        \\fB\\-\\-to\\fR \\fIto\\fR
        Its help.
        .RE

        """)
  }

  @Test func describesSharedArgumentsAndOptionsSeparately() {
    #expect(Self.manual.arguments == ".TP\n\\fIdevice\\fR\nIts help.\n")
    #expect(Self.manual.options == ".TP\n\\fB\\-\\-json\\fR\nIts help.\n")
  }

  @Test func keepsLinesAndIndentedExamples() {
    let manual = Manual(
      Self.command("program", subcommands: [Self.command("seek", discussion: "Examples:\n  seek 1\n  -5\nOne.\nTwo.")]))
    #expect(
      manual.commands == """
        .TP
        \\fBseek\\fR
        Does seek.
        .br
        Examples:
        .nf
          seek 1
          \\-5
        .fi
        One.
        .br
        Two.

        """)
  }

  @Test func describesAnArgumentOnceThatIsOptionalInOneCommand() {
    let manual = Manual(
      Self.command(
        "program",
        subcommands: [
          Self.command("play", [Self.argument("item", isOptional: true)]), Self.command("add", [Self.argument("item")]),
        ]))
    #expect(manual.arguments == ".TP\n\\fIitem\\fR\nIts help.\n")
  }

  @Test func readsTheCommandsOfTheProgram() throws {
    let tree = try CommandTree.read(SwiftletControl._dumpHelp())
    let commands = SwiftletControl.configuration.subcommands.map { $0.configuration }
    let names = commands.filter(\.shouldDisplay).compactMap(\.commandName)
    var paths: [Substring] = []
    for path in tree.leaves.compactMap({ $0.path.split(separator: " ").first }) where path != paths.last {
      paths.append(path)
    }
    #expect(paths == names.map { $0[...] })
  }
}
