import FoundationEssentials

/// The commands with their arguments, as the argument parser describes them.
struct CommandTree: Decodable {
  struct Argument: Decodable, Hashable {
    struct Name: Decodable, Hashable {
      var kind: String
      var name: String
    }

    var kind: String
    var shouldDisplay: Bool
    var isOptional: Bool
    var isRepeating: Bool
    var names: [Name]?
    var valueName: String?
    var abstract: String?
    var discussion: String?
    var defaultValue: String?
    var parsingStrategy: String?

    var isPositional: Bool { kind == "positional" }
    /// A value that may begin with a hyphen, such as -5, is declared as repeating.
    var takesSeveral: Bool { isRepeating && parsingStrategy != "allUnrecognized" }

    /// The argument as required, so that commands in which it is optional compare equal.
    var meaning: Argument {
      var meaning = self
      meaning.isOptional = false
      if isPositional { meaning.defaultValue = nil }
      return meaning
    }
  }

  var commandName: String
  var shouldDisplay: Bool
  var superCommands: [String]?
  var abstract: String?
  var discussion: String?
  var arguments: [Argument]?
  var subcommands: [CommandTree]?

  /// - Parameter json: the output of `_dumpHelp`.
  static func read(_ json: String) throws -> CommandTree {
    struct Dump: Decodable { var command: CommandTree }
    return try JSONDecoder().decode(Dump.self, from: Data(json.utf8)).command
  }

  /// The commands without subcommands.
  var leaves: [CommandTree] {
    guard let subcommands, !subcommands.isEmpty else { return [self] }
    return subcommands.filter { $0.shouldDisplay && $0.commandName != "help" }.flatMap(\.leaves)
  }

  /// The names of the command's parents and its own, without the program's.
  var path: String { ((superCommands ?? []).dropFirst() + [commandName]).joined(separator: " ") }

  var shown: [Argument] {
    (arguments ?? []).filter { $0.shouldDisplay && $0.valueName != "help" && $0.valueName != "version" }
  }
}

/// The parts of the manual page that follow the commands, as roff.
struct Manual {
  private let leaves: [CommandTree]
  /// The options that most commands have.
  private let commonOptions: [CommandTree.Argument]
  /// Arguments that several commands describe in the same words, by their meaning.
  private let commonArguments: [CommandTree.Argument]

  init(_ root: CommandTree) {
    leaves = root.leaves
    let all = leaves.flatMap(\.shown).map(\.meaning)
    var counts: [CommandTree.Argument: Int] = [:]
    for argument in all { counts[argument, default: 0] += 1 }
    var seen: Set<CommandTree.Argument> = []
    let unique = all.filter { seen.insert($0).inserted }
    let count = leaves.count
    commonOptions = unique.filter { !$0.isPositional && counts[$0, default: 0] * 2 > count }
    commonArguments = unique.filter { $0.isPositional && counts[$0, default: 0] > 1 }
  }

  var commands: String {
    leaves.map { leaf in
      let own = leaf.shown.filter { !commonOptions.contains($0.meaning) && !commonArguments.contains($0.meaning) }
      let described = own.filter { $0.abstract != nil }
      let list = described.isEmpty ? "" : ".RS\n\(described.map(entry).joined()).RE\n"
      let discussion = leaf.discussion.map { ".br\n" + text($0) } ?? ""
      return ".TP\n\\fB\(usage(leaf))\n\(text(leaf.abstract))\(discussion)\(list)"
    }.joined()
  }

  var arguments: String { commonArguments.map(entry).joined() }
  var options: String { commonOptions.map(entry).joined() }

  /// A command's path and arguments. The caller has begun the line in bold; this ends the bold text after the path.
  private func usage(_ leaf: CommandTree) -> String {
    let parts = leaf.shown.filter { !commonOptions.contains($0.meaning) }.map { argument in
      let part = argument.isPositional ? value(argument) : term(argument)
      return argument.isOptional ? "[\(part)]" : part
    }
    return ([Self.escaped(leaf.path) + "\\fR"] + parts).joined(separator: " ")
  }

  private func entry(_ argument: CommandTree.Argument) -> String {
    let fallback = argument.defaultValue.map { "Default: \($0)." }
    return ".TP\n\(argument.isPositional ? value(argument) : term(argument))\n"
      + text(argument.abstract) + text(argument.discussion) + text(argument.isPositional ? nil : fallback)
  }

  private func value(_ argument: CommandTree.Argument) -> String {
    "\\fI\(Self.escaped(argument.valueName ?? "value"))\\fR\(argument.takesSeveral ? "..." : "")"
  }

  /// The names of an option, and its value.
  private func term(_ argument: CommandTree.Argument) -> String {
    let names = (argument.names ?? []).map { name in
      "\\fB\(Self.escaped((name.kind == "long" ? "--" : "-") + name.name))\\fR"
    }.joined(separator: ", ")
    guard argument.kind == "option" else { return names }
    return "\(names) \\fI\(Self.escaped(argument.valueName ?? "value"))\\fR"
  }

  /// Keeps the line breaks of the text, and the blanks of indented lines.
  private func text(_ text: String?) -> String {
    var isIndented = false
    let lines = (text ?? "").split(separator: "\n").enumerated().map { number, line in
      // A leading full stop or apostrophe begins a request.
      let isRequest = line.first == "." || line.first == "'"
      let wasIndented = isIndented
      isIndented = line.first == " "
      let request =
        switch (wasIndented, isIndented) {
        case (false, true): ".nf\n"
        case (true, false): ".fi\n"
        case (true, true): ""
        case (false, false): number == 0 ? "" : ".br\n"
        }
      return request + (isRequest ? "\\&" : "") + Self.escaped(line) + "\n"
    }
    return lines.joined() + (isIndented ? ".fi\n" : "")
  }

  /// Hyphens that can be copied, and text in backquotes in bold.
  private static func escaped(_ text: some StringProtocol) -> String {
    var isBold = false
    return text.reduce(into: "") { escaped, character in
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "`":
        isBold.toggle()
        escaped += isBold ? "\\fB" : "\\fR"
      default: escaped.append(character)
      }
    }
  }
}
