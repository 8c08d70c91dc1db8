import PlaybackModel

extension ConfigurationKind<[RadioPreset]> {
  /// A list of tables: `[[presets]]`, or in brackets.
  static var presets: Self {
    Self(
      "a list of tables, each with title, uri and perhaps artwork",
      read: { node throws(ValueProblem) in
        guard let nodes = node.value.listOfTables else {
          throw ValueProblem("\(node.value.quoted) is not a list of tables.")
        }
        var presets: [RadioPreset] = []
        var reasons: [ValueProblem.Reason] = []
        for (line, table) in nodes {
          do throws(ValueProblem) {
            presets.append(try RadioPreset(table, line: line))
          } catch {
            reasons += error.reasons
          }
        }
        guard reasons.isEmpty else { throw ValueProblem(reasons) }
        return presets
      }, write: { "[" + $0.map(\.toml).joined(separator: ", ") + "]" })
  }
}

extension RadioPreset {
  private static let members = ["title", "uri", "artwork"]

  /// - Parameter line: of the table.
  fileprivate init(_ table: ConfigurationTable, line: Int?) throws(ValueProblem) {
    var reasons: [ValueProblem.Reason] = []
    var texts: [String: String] = [:]
    for member in table.members {
      let (key, line) = (member.key, member.node.line)
      guard Self.members.contains(key) else {
        let sentence = ConfigurationReading.sentence("Unknown key", key, of: Self.members)
        reasons.append(ValueProblem.Reason(line: line, member: key, sentence: sentence))
        continue
      }
      do throws(ValueProblem) {
        texts[key] = try Self.kind(of: key).read(member.node)
      } catch {
        reasons += error.reasons.map { ValueProblem.Reason(line: line, member: key, sentence: $0.sentence) }
      }
    }
    for key in ["title", "uri"] where table[key] == nil {
      reasons.append(ValueProblem.Reason(line: line, member: key, sentence: "The key is missing."))
    }
    guard let title = texts["title"], let uri = texts["uri"], reasons.isEmpty else { throw ValueProblem(reasons) }
    self.init(title: title, uri: uri, artwork: texts["artwork"])
  }

  private static func kind(of key: String) -> ConfigurationKind<String> { key == "title" ? .text : .webAddress }

  fileprivate var toml: String {
    let artwork = artwork.map { ", artwork = \($0.tomlText)" } ?? ""
    return "{ title = \(title.tomlText), uri = \(uri.tomlText)\(artwork) }"
  }
}

extension ConfigurationKind<String> {
  /// The player plays no other schemes.
  fileprivate static var webAddress: Self {
    Self(
      "an address that begins with http:// or https://",
      reading: { value in
        guard case .text(let text) = value else { return nil }
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        let isHTTP = parts.count == 2 && ["http", "https"].contains(parts[0].lowercased()) && !parts[1].isEmpty
        return isHTTP && !text.contains(where: \.isWhitespace) ? text : nil
      }, write: { $0.tomlText })
  }
}

extension ConfigurationValue {
  /// nil if it is something else. Options and variables contain TOML.
  fileprivate var listOfTables: [(line: Int?, table: ConfigurationTable)]? {
    let value = if case .plain(let text) = self { TOMLDocument.value(text) } else { ConfigurationValue?.some(self) }
    guard case .list(let nodes)? = value else { return nil }
    let tables = nodes.compactMap { node in
      if case .table(let table) = node.value { (line: node.line, table: table) } else { nil }
    }
    return tables.count == nodes.count ? tables : nil
  }
}
