import PlaybackModel

extension ConfigurationKind<[ProgramDescription]> {
  /// Maximum number of programs.
  private static let most = 8

  static var programs: Self {
    tables(
      "a list of tables, each with name, type, command and perhaps fifo, format, latency and control",
      keys: ["name", "type", "command", "fifo", "format", "latency", "control"],
      read: { table in
        let name = table.required("name", .programName)
        let kind = table.value("type", .choice) ?? ProgramDescription.Kind.program
        let command = table.value("command", .command) ?? []
        let fifo = table.value("fifo", .path)
        if command.isEmpty, fifo == nil, kind != .airplay {
          table.refuse("command", "A source needs a command, or a fifo that another program writes to.")
        }
        let format = table.value("format", .programFormat)
        if kind == .airplay, let format, format != ProgramFormat() {
          table.refuse("format", "shairport-sync writes \(ProgramFormat()).")
        }
        let latency = table.value("latency", .seconds(0.1...5))
        let control = table.value("control", .command) ?? []
        guard let name else { return nil }
        return ProgramDescription(
          name: name, kind: kind, command: command, fifo: fifo, format: format ?? ProgramFormat(),
          latency: latency ?? ProgramDescription.latency, control: control)
      },
      conflict: { program, earlier in
        if earlier.contains(where: { $0.name == program.name }) {
          return ("name", "Another source is called “\(program.name.text)” too.")
        }
        return earlier.count >= most ? ("name", "There are \(most) sources already.") : nil
      }, write: \.toml)
  }
}

extension ConfigurationKind<ProgramName> {
  fileprivate static var programName: Self {
    Self(
      "a name",
      read: { node throws(ValueProblem) in
        let text = try ConfigurationKind<String>.text.read(node)
        guard let name = ProgramName(text) else {
          throw ValueProblem(
            "“\(text)” is not a name of a source: at most 20 English letters, digits, blanks, dots and dashes, a letter first."
          )
        }
        guard !Source.builtIn.contains(where: { [$0.word, $0.name.lowercased()].contains(name.word) }) else {
          throw ValueProblem("The speaker has a source “\(text)” already.")
        }
        return name
      }, write: { $0.text.tomlText })
  }
}

extension ConfigurationKind<ProgramFormat> {
  fileprivate static var programFormat: Self {
    Self(
      "a format RATE:BITS:CHANNELS, such as \"48000:16:2\", with 16, 24 or 32 bits and 1 or 2 channels",
      reading: { if case .text(let text) = $0 { ProgramFormat(text) } else { nil } }, write: { $0.description.tomlText }
    )
  }
}

extension ProgramDescription {
  fileprivate var toml: String {
    func list(_ words: [String]) -> String { "[" + words.map(\.tomlText).joined(separator: ", ") + "]" }
    var members = ["name = \(name.text.tomlText)", "type = \(kind.rawValue.tomlText)"]
    if !command.isEmpty { members.append("command = \(list(command))") }
    if let fifo { members.append("fifo = \(fifo.tomlText)") }
    members.append("format = \(format.description.tomlText)")
    members.append("latency = \(latency.tomlSeconds)")
    if !control.isEmpty { members.append("control = \(list(control))") }
    return "{ " + members.joined(separator: ", ") + " }"
  }
}
