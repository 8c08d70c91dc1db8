import Companion
import Providers

extension ConfigurationKind<CompanionAction> {
  /// A text is a command to the speaker, a list is a program with its arguments.
  static var action: Self {
    Self(
      "a command such as \"toggle\", or a list: a program and its arguments",
      read: { node throws(ValueProblem) in
        switch node.value {
        case .text(let text): return .command(try command(text))
        case .plain(let text):
          guard case .list? = TOMLDocument.value(text) else { return .command(try command(text)) }
          return .hook(try hook(node))
        case .list: return .hook(try hook(node))
        default:
          throw ValueProblem(
            "\(node.value.quoted) is not an action: write a command in quotes, such as \"toggle\", or a list with a "
              + "program and its arguments.")
        }
      }, write: \.toml)
  }

  private static func command(_ text: String) throws(ValueProblem) -> RemoteCommand {
    guard let command = RemoteCommand(text) else { throw ValueProblem(problem(of: text)) }
    return command
  }

  private static func hook(_ node: ConfigurationNode) throws(ValueProblem) -> [String] {
    let words = try ConfigurationKind<[String]>.command.read(node)
    guard !words.isEmpty else { throw ValueProblem("The list is empty: it needs a program.") }
    return words
  }

  /// Why a text is not a command, with what it could be.
  private static func problem(of text: String) -> String {
    let verb = text.split(separator: " ").first.map(String.init) ?? ""
    let forms = RemoteCommand.forms.filter { $0.verb == verb }
    if !forms.isEmpty { return "“\(text)” is not a command; the forms are \(forms.joined(separator: ", "))." }
    let verbs = RemoteCommand.forms.map(\.verb).reduce(into: [String]()) { verbs, verb in
      if !verbs.contains(verb) { verbs.append(verb) }
    }
    guard let nearest = verb.lowercased().nearest(of: verbs) else {
      return "“\(text)” is not a command; the commands are \(verbs.joined(separator: ", "))."
    }
    return "“\(text)” is not a command; did you mean \(nearest)?"
  }
}

extension String {
  /// The first word.
  fileprivate var verb: String { split(separator: " ").first.map(String.init) ?? "" }
}

extension CompanionAction {
  /// As the configuration file writes it.
  var toml: String {
    switch self {
    case .command(let command): command.description.tomlText
    case .hook(let words): "[" + words.map(\.tomlText).joined(separator: ", ") + "]"
    }
  }
}
