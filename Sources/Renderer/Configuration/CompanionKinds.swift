import Companion
import SpeakerCore

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

  private static func command(_ text: String) throws(ValueProblem) -> SpeakerCommand {
    guard let command = SpeakerCommand(text) else { throw ValueProblem(problem(of: text)) }
    return command
  }

  private static func hook(_ node: ConfigurationNode) throws(ValueProblem) -> [String] {
    let words = try ConfigurationKind<[String]>.command.read(node)
    guard !words.isEmpty else { throw ValueProblem("The list is empty: it needs a program.") }
    return words
  }

  /// Why a text is not a command, with the forms that its verb has.
  private static func problem(of text: String) -> String {
    let verb = text.split(separator: " ").first.map(String.init) ?? ""
    let forms = SpeakerCommand.forms.filter { $0.verb == verb }
    if !forms.isEmpty {
      let list = (forms.count == 1 ? "the form is " : "the forms are ") + forms.joined(separator: ", ")
      return "“\(text)” is not a command; \(list)."
    }
    guard let nearest = verb.lowercased().nearest(of: SpeakerCommand.verbs) else {
      return "“\(text)” is not a command; the commands are \(SpeakerCommand.verbs.joined(separator: ", "))."
    }
    return "“\(text)” is not a command; did you mean \(nearest)?"
  }
}

extension SpeakerCommand {
  /// The first words of all commands.
  static var verbs: [String] {
    forms.map(\.verb).reduce(into: []) { verbs, verb in if !verbs.contains(verb) { verbs.append(verb) } }
  }
}

extension ConfigurationKind<[ButtonBinding]> {
  static var buttons: Self {
    tables(
      "a list of tables, each with device, action and perhaps key and trigger",
      keys: ["device", "key", "trigger", "action"],
      read: { table in
        let device = table.required("device", .text)
        let key = table.value("key", .buttonKey)
        let trigger = table.value("trigger", .choice) ?? ButtonTrigger.click
        let action = table.required("action", .action)
        if case .step? = key, trigger != .click {
          table.refuse("trigger", "A dial has no “\(trigger)”; its only trigger is click, once for each step.")
        }
        guard let device, let action else { return nil }
        return ButtonBinding(device: DeviceName(device), key: key, trigger: trigger, action: action)
      }, write: \.toml)
  }
}

extension ConfigurationKind<ButtonKey> {
  fileprivate static var buttonKey: Self {
    Self(
      "a key",
      read: { node throws(ValueProblem) in
        let text: String
        switch node.value {
        case .integer(let code):
          guard (0...Int(ButtonKey.lastKey)).contains(code) else {
            throw ValueProblem("\(code) is not the code of a key: a whole number from 0 to \(ButtonKey.lastKey).")
          }
          text = "\(code)"
        case .text(let name), .plain(let name): text = name
        default: throw ValueProblem("\(node.value.quoted) is not a key, such as \"KEY_PLAYPAUSE\" or 164.")
        }
        guard let key = ButtonKey(text) else { throw ValueProblem(problem(of: text)) }
        return key
      }, write: { $0.description.tomlText })
  }

  private static func problem(of text: String) -> String {
    let help = "`swiftlet buttons` prints the names."
    if ButtonKey.axes.contains(text) {
      return "“\(text)” has two directions: write \(text)+ or \(text)-."
    }
    if let sign = text.last, "+-".contains(sign), text.hasPrefix("REL_"),
      let axis = text.dropFirst(4).dropLast().uppercased().nearest(of: ButtonKey.axes.map { String($0.dropFirst(4)) })
    {
      return "“\(text)” is not a key; did you mean REL_\(axis)\(sign)? \(help)"
    }
    let prefixes = ["KEY_", "BTN_"]
    let bare = prefixes.first { text.uppercased().hasPrefix($0) }.map { text.dropFirst($0.count) } ?? text[...]
    // Compare without the prefix, which all names have in common.
    let names = ButtonKey.names.filter { $0.hasPrefix("KEY_") }
    guard let nearest = bare.uppercased().nearest(of: names.map { String($0.dropFirst(4)) }) else {
      return "“\(text)” is not a key, such as KEY_PLAYPAUSE, 164 or REL_DIAL+; \(help)"
    }
    return "“\(text)” is not a key; did you mean KEY_\(nearest)? \(help)"
  }
}

extension ButtonBinding {
  fileprivate var toml: String {
    let key = key.map { ", key = \($0.description.tomlText)" } ?? ""
    let trigger = ", trigger = \(trigger.rawValue.tomlText)"
    return "{ device = \(device.text.tomlText)\(key)\(trigger), action = \(action.toml) }"
  }
}

extension String {
  /// The first word.
  fileprivate var verb: String { split(separator: " ").first.map(String.init) ?? "" }
}

extension CompanionAction {
  /// The action in TOML.
  var toml: String {
    switch self {
    case .command(let command): command.description.tomlText
    case .hook(let words): "[" + words.map(\.tomlText).joined(separator: ", ") + "]"
    }
  }
}
