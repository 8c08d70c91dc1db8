extension DIDLLite {
  /// A namespace and its prefix; the prefix is empty for the default namespace.
  package struct Namespace: Sendable, Hashable {
    package var prefix: String
    package var uri: String

    package init(prefix: String, uri: String) {
      self.prefix = prefix
      self.uri = uri
    }

    /// An XML attribute.
    fileprivate var declaration: String {
      "xmlns\(prefix.isEmpty ? "" : ":")\(prefix)=\"\(XMLEscape.attribute(uri))\""
    }
  }

  /// Namespaces of every document (ContentDirectory:1 §2.8).
  private static let standard = [
    Namespace(prefix: "", uri: "urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/"),
    Namespace(prefix: "dc", uri: "http://purl.org/dc/elements/1.1/"),
    Namespace(prefix: "upnp", uri: "urn:schemas-upnp-org:metadata-1-0/upnp/"),
  ]
  /// Limit for the namespaces of a server, and for missing ones. XML readers limit the attributes of an element.
  private static let maximumNamespaces = 16
  private static let reserved: Set<Substring> = ["xml", "xmlns"]
  /// Namespaces that are often used without a declaration.
  private static let known =
    standard + [
      Namespace(prefix: "dlna", uri: "urn:schemas-dlna-org:metadata-1-0/"),
      Namespace(prefix: "pv", uri: "http://www.pv.com/pvns/"), Namespace(prefix: "sec", uri: "http://www.sec.co.kr/"),
    ]

  /// A document with these objects.
  /// - Parameters:
  ///   - objects: elements `item` and `container`, well-formed.
  ///   - namespaces: replace standard ones with the same prefix.
  package static func document(_ objects: String, namespaces: [Namespace] = []) -> String {
    let prefixes = Set(namespaces.map(\.prefix))
    let all = standard.filter { !prefixes.contains($0.prefix) } + namespaces
    return "<DIDL-Lite \(all.map(\.declaration).joined(separator: " "))>\(objects)</DIDL-Lite>"
  }

  /// A document with an object of another document, verbatim. Prefixes that were never declared get a namespace, since
  /// renderers may refuse the document otherwise.
  /// - Parameter namespaces: those of the original document.
  package static func document(verbatim object: String, namespaces: [Namespace]) -> String {
    let declared = Set((standard + namespaces).map(\.prefix))
    let missing = (undeclaredPrefixes(in: object) ?? []).subtracting(declared)
    return document(object, namespaces: namespaces + self.namespaces(for: missing))
  }

  private static func namespaces(for prefixes: Set<String>) -> [Namespace] {
    prefixes.sorted().prefix(maximumNamespaces).map { prefix in
      known.first { $0.prefix == prefix } ?? Namespace(prefix: prefix, uri: "urn:undeclared:\(prefix)")
    }
  }

  /// Declarations of prefixes as XML attributes.
  static func declarations(of prefixes: Set<String>) -> [String] { namespaces(for: prefixes).map(\.declaration) }

  /// The first namespaces that a start tag declares; empty if it is malformed.
  package static func namespaces(inTag tag: some StringProtocol) -> [Namespace] {
    let element = tag.hasSuffix("/>") ? String(tag) : "\(tag.dropLast())/>"
    return read(element) { reader throws(XMLReadingError) in
      _ = try reader.next()
      let all = reader.attributes.compactMap { name, value -> Namespace? in
        let parts = name.split(separator: ":", maxSplits: 1)
        guard parts.first == "xmlns", !value.isEmpty, !reserved.contains(parts.last ?? "") || parts.count == 1 else {
          return nil
        }
        return Namespace(prefix: parts.count == 2 ? String(parts[1]) : "", uri: value)
      }
      return Array(all.prefix(maximumNamespaces))
    } ?? []
  }

  /// The prefixes that are used where they are not declared; nil if the text is not well-formed.
  static func undeclaredPrefixes(in text: String) -> Set<String>? {
    read(text) { reader throws(XMLReadingError) in
      var undeclared: Set<String> = []
      /// The prefixes that each open element may use.
      var scopes = [Set(reserved.map { String($0) })]
      while let node = try reader.next() {
        switch node {
        case .text: break
        case .end: scopes.removeLast()
        case .start(let isEmpty):
          let names = reader.attributes.map(\.name)
          let declared = names.filter { $0.hasPrefix("xmlns:") }.map { String($0.dropFirst(6)) }
          let scope = declared.isEmpty ? scopes[scopes.count - 1] : scopes[scopes.count - 1].union(declared)
          for name in names + [reader.qualifiedName] {
            let parts = name.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count <= 2, !parts.contains("") else { throw .malformed }
            if parts.count == 2, !scope.contains(String(parts[0])) { undeclared.insert(String(parts[0])) }
          }
          if !isEmpty { scopes.append(scope) }
        }
      }
      return undeclared
    }
  }
}
