/// How a resource is transferred and what it contains: `protocol:network:contentFormat:additionalInfo`
/// (ConnectionManager:1 §2.5.2).
public struct ProtocolInfo: Sendable, Hashable, CustomStringConvertible {
  /// The whole text as written.
  public let text: String
  /// The protocol in lower case, such as `http-get`; `*` for any.
  public let transport: String
  public let network: String
  /// The third field as written, such as `audio/L16;rate=44100`.
  public let contentFormat: String
  /// The fourth field as written, such as `DLNA.ORG_PN=MP3;DLNA.ORG_OP=01`.
  public let additionalInfo: String

  /// Parses the four fields. Missing ones become `*`.
  public init(_ text: String) {
    let fields = text.trimmingBlanks.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
    func field(_ index: Int) -> String {
      let field = index < fields.count ? String(fields[index]).trimmingBlanks : ""
      return field.isEmpty ? "*" : String(field)
    }
    self.text = text
    transport = field(0).lowercased()
    network = field(1)
    contentFormat = field(2)
    additionalInfo = field(3)
  }

  public var description: String { text }

  /// The MIME type in lower case, without parameters; `*` for any.
  public var mimeType: String { Self.type(contentFormat).lowercased() }

  /// The parameters of the MIME type, with names in lower case.
  public var parameters: [String: String] { Self.pairs(contentFormat.dropFirst(Self.type(contentFormat).utf8.count)) }

  /// A flag or profile in the fourth field, such as `DLNA.ORG_CI`; nil if it is missing.
  public func info(_ name: String) -> String? { Self.pairs(additionalInfo[...])[name.lowercased()] }

  /// The list that GetProtocolInfo returns. A comma within an entry is written `\,`.
  public static func list(_ text: String) -> [ProtocolInfo] {
    CSVList.entries(text).filter { !$0.trimmingBlanks.isEmpty }.map { ProtocolInfo($0) }
  }

  private static func type(_ format: String) -> String {
    String(String(format.prefix { $0 != ";" }).trimmingBlanks)
  }

  /// `name=value` separated by semicolons.
  private static func pairs(_ text: Substring) -> [String: String] {
    var pairs: [String: String] = [:]
    for pair in text.split(separator: ";").prefix(64) {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = String(parts[1]).trimmingBlanks.filter { $0 != "\"" }
      pairs[String(parts[0]).trimmingBlanks.lowercased()] = value
    }
    return pairs
  }
}

extension ProtocolInfo {
  /// The playable formats as in ConnectionManager:1 §2.5.2 and OpenHome's Playlist and Radio.
  /// - Parameter mimeTypes: such as `audio/flac`; all are available over HTTP.
  package static func sink(mimeTypes: [String]) -> String {
    mimeTypes.map { "http-get:*:\($0):*" }.joined(separator: ",")
  }
}
