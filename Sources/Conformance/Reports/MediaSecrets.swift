import UPnP

/// What a device was playing, as its answers and events tell it: titles, names of people, and addresses of media.
struct MediaSecrets {
  private static let elements = [
    "dc:title": "Title", "dc:creator": "Artist", "upnp:artist": "Artist", "upnp:album": "Album",
    "upnp:author": "Artist", "dc:publisher": "Publisher",
  ]
  /// Metadata is XML inside of XML, and in events once more.
  private static let nesting = 3

  /// Texts, with their replacements.
  private(set) var replacements: [String: String] = [:]
  /// The texts that the checks have sent.
  private let own: String

  init(_ run: CheckRun) {
    let messages = run.results.flatMap { $0.exchange.first + $0.exchange.last }
    own = messages.filter { $0.direction == .sent }.map { Self.plain($0.bytes) }.joined(separator: "\n")
    let hosts = [run.target.host, run.tester]
    for message in messages where message.direction == .received { add(Self.plain(message.bytes), hosts) }
    for result in run.results {
      switch result.verdict {
      case .pass: break
      case .fail(let expected, let got): for text in [expected, got] { add(Self.plain(Array(text.utf8)), hosts) }
      case .skip(let text), .inconclusive(let text): add(Self.plain(Array(text.utf8)), hosts)
      }
    }
  }

  /// The text without the layers of escapes.
  private static func plain(_ bytes: [UInt8]) -> String {
    var text = String(decoding: bytes, as: UTF8.self)
    for _ in 0..<nesting { text = unescaped(text) }
    return text
  }

  static func unescaped(_ text: String) -> String {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
    return entities.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  private mutating func add(_ text: String, _ hosts: [String]) {
    for (element, replacement) in Self.elements {
      // The element may have attributes, such as the role of an artist.
      for part in text.split(separator: "<\(element)", omittingEmptySubsequences: false).dropFirst() {
        guard let end = part.firstIndex(of: ">") else { continue }
        add(String(part[part.index(after: end)...].prefix { $0 != "<" }), replacement)
      }
    }
    for part in text.split(separator: "http://", omittingEmptySubsequences: false).dropFirst() {
      let url = part.prefix { !"<>\"'".contains($0) && !$0.isWhitespace }
      let authority = url.prefix { $0 != "/" }
      let host = String(authority.prefix { $0 != ":" })
      guard !hosts.contains(host), url.count > authority.count + 1 else { continue }
      add("http://\(url)", "http://media.example/track")
    }
  }

  private mutating func add(_ text: String, _ replacement: String) {
    guard text.count > 1, text != "Conformance test", !own.contains(text) else { return }
    replacements[text] = replacement
  }
}
