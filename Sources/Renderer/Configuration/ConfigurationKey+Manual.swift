/// The keys in the language of manual pages, man(7).
extension ConfigurationKey {
  /// As the section KEYS of swiftlet.toml(5).
  var manualOfKey: String {
    """
    .TP
    .B \(name.roff)
    \(summary.roff)
    \(takes.roff)
    .br
    For example \\fB\(name.roff) = \(example.roff)\\fR;
    on the command line \\fB\("--\(option)".roff)\\fR, in the environment \\fB\(variable.roff)\\fR.
    A change takes effect \(isLive ? "at once" : "at the next start").

    """
  }

  /// As the section OPTIONS of swiftlet(1).
  var manualOfOption: String {
    """
    .TP
    \\fB\("--\(option)".roff)\\fR \\fI\(valueName.roff)\\fR
    \(summary.roff)
    \(takes.roff)

    """
  }
}

extension String {
  /// As text of a manual page: nothing in it is a command, hyphens can be copied, and what stands in backquotes is bold.
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
