/// Documents that list every key, derived from the declarations.
enum ConfigurationDocuments {
  /// A configuration file with every key and its help, commented out.
  static var defaultFile: String {
    let head = """
      # Swiftlet's configuration (TOML 1.0). Every key is optional: remove the # before a key to set it.
      # `swiftlet config check` reports problems, `swiftlet config show` prints the values in force.
      # SWIFTLET_* in the environment overrides this file, and options of the command line override both.

      """
    return head
      + ConfigurationKeys.all.map { key in
        let comment = (key.summary + " " + key.takes).wrapped(at: 98).map { "# \($0)\n" }.joined()
        return "\n\(comment)#\(key.name) = \(key.example)\n"
      }.joined()
  }

  /// The table in docs/configuration.md.
  static var table: String {
    let rows = ConfigurationKeys.all.map { key in
      "| `\(key.name)` | \(key.summary.cell) | \(key.kindName.cell) | \(key.defaultText.cell) | `\(key.example)` | "
        + "`--\(key.option)` | \(key.effect) | \(key.isOnPage ? "yes" : "no") |\n"
    }
    let head = [
      "| key | what it does | takes | default | example | option | a change takes effect | on the page |\n",
      "|---|---|---|---|---|---|---|---|\n",
    ]
    return (head + rows).joined()
  }

  /// The section KEYS of swiftlet.toml(5), in man(7).
  static var manualOfKeys: String {
    ConfigurationKeys.all.map { key in
      """
      .TP
      .B \(key.name.roff)
      \(key.summary.roff)
      \(key.takes.roff)
      .br
      For example \\fB\(key.name.roff) = \(key.example.roff)\\fR;
      on the command line \\fB\("--\(key.option)".roff)\\fR, in the environment \\fB\(key.variable.roff)\\fR.
      A change takes effect \(key.effect).\(key.isOnPage ? " The speaker's page can change it." : "")

      """
    }.joined()
  }

  /// The section OPTIONS of swiftlet(1), in man(7).
  static var manualOfOptions: String {
    ConfigurationKeys.all.map { key in
      """
      .TP
      \\fB\("--\(key.option)".roff)\\fR \\fI\(key.valueName.roff)\\fR
      \(key.summary.roff)
      \(key.takes.roff)

      """
    }.joined()
  }
}

extension AnyConfigurationKey {
  fileprivate var effect: String { isReloadable ? "at once" : "at the next start" }
}

extension String {
  /// Lines of at most `width` characters. A longer word has a line of its own.
  fileprivate func wrapped(at width: Int) -> [String] {
    split(separator: " ").reduce(into: []) { lines, word in
      if let line = lines.last, line.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(line) \(word)"
      } else {
        lines.append(String(word))
      }
    }
  }

  /// Escaped for a cell of a Markdown table.
  fileprivate var cell: String {
    split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }

  /// Escaped for a manual page: no commands, hyphens that can be copied, backquoted text in bold.
  var roff: String {
    var result = ""
    var isBold = false
    for character in self {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "~": result += "\\(ti"
      case "`":
        isBold.toggle()
        result += isBold ? "\\fB" : "\\fR"
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") || result.hasPrefix("'") ? "\\&" + result : result
  }
}
