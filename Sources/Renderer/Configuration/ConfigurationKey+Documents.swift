extension ConfigurationKey {
  /// The file that is installed: every key with what it does, commented out.
  static var defaultFile: String {
    let head = """
      # Swiftlet's configuration (TOML 1.0). Nothing in it is needed: remove the # before a key to set it.
      # `swiftlet config check` tells what is wrong with it, `swiftlet config show` what is in force.
      # Options of the command line, and then SWIFTLET_* in the environment, are stronger than this file.

      """
    return head
      + all.map { key in
        let comment = (key.summary + " " + key.takes).wrapped(at: 98).map { "# \($0)\n" }.joined()
        return "\n\(comment)#\(key.name) = \(key.example)\n"
      }.joined()
  }

  /// The table in docs/configuration.md.
  static var markdown: String {
    let rows = all.map { key in
      "| `\(key.name)` | \(key.summary.cell) | \(key.kind.cell) | \(key.fallback.cell) | `\(key.example)` | "
        + "`--\(key.option)` | "
        + "\(key.isLive ? "at once" : "at the next start") |"
    }
    let head = [
      "| key | what it does | takes | default | example | option | a change takes effect |",
      "|---|---|---|---|---|---|---|",
    ]
    return (head + rows).joined(separator: "\n")
  }
}

extension String {
  /// In lines of at most so many characters, where the words allow it.
  fileprivate func wrapped(at width: Int) -> [String] {
    split(separator: " ").reduce(into: []) { lines, word in
      if let line = lines.last, line.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(line) \(word)"
      } else {
        lines.append(String(word))
      }
    }
  }

  /// In a cell of a table.
  fileprivate var cell: String {
    split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }
}
