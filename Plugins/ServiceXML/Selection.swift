/// The services that a target generates code for: its `service-xml.txt`. service-xml/README.md describes the format.
public struct Selection: Equatable, Sendable {
  /// The kind of code that is generated from an SCPD.
  public enum Kind: String, CaseIterable, Sendable {
    /// The protocol, dispatch and evented variables of a service that the target hosts.
    case provider
    /// The typed client of a service on another device.
    case client
  }

  public struct Entry: Equatable, Sendable {
    public var kind: Kind
    /// The SCPD's path within the `service-xml` folder, without its ending: `hosted/av-openhome-org/Product4`.
    public var path: String
    /// From 1.
    public var line: Int

    /// The last folder of the path names the domain of the service type.
    public var domain: String { String(path.split(separator: "/").dropLast().last ?? "") }
    public var fileName: String { String(path.split(separator: "/").last ?? "") }
  }

  public private(set) var entries: [Entry] = []

  public init(reading text: String) throws(ServiceXMLError) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
      guard !words.isEmpty else { continue }
      entries.append(try Self.entry(words, line: index + 1))
    }
    try checkNames()
  }

  private static func entry(_ words: [String], line: Int) throws(ServiceXMLError) -> Entry {
    func error(_ message: String) -> ServiceXMLError { ServiceXMLError(message, in: .selection, line: line) }
    guard words.count == 2 else { throw error("not a kind and a path: \(words.joined(separator: " "))") }
    guard let kind = Kind(rawValue: words[0]) else {
      let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw error("unknown kind \(words[0]); the kinds are: \(kinds)")
    }
    let folders = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard folders.count > 1, !folders.contains(where: { ["", ".", ".."].contains($0) }) else {
      throw error("not the path of a file in a domain's folder: \(words[1])")
    }
    return Entry(kind: kind, path: words[1], line: line)
  }

  /// The generated type has the name of the file, so a module can contain one of each kind.
  private func checkNames() throws(ServiceXMLError) {
    var first: [String: Entry] = [:]
    for entry in entries {
      guard let other = first.updateValue(entry, forKey: "\(entry.kind) \(entry.fileName)") else { continue }
      throw ServiceXMLError(
        "\(other.path) of line \(other.line) has the same name in Swift", in: .selection, line: entry.line)
    }
  }
}
