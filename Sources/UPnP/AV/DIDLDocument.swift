extension DIDLLite {
  /// A namespace and its prefix; the prefix is empty for the default namespace.
  package struct Namespace: Sendable, Hashable {
    package var prefix: String
    package var uri: String

    package init(prefix: String, uri: String) {
      self.prefix = prefix
      self.uri = uri
    }

    /// The declaration as an XML attribute.
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
  private static let dlna = Namespace(prefix: "dlna", uri: "urn:schemas-dlna-org:metadata-1-0/")

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
    let missing = undeclaredPrefixes(in: object).subtracting(declared).sorted().prefix(maximumNamespaces).map {
      $0 == dlna.prefix ? dlna : Namespace(prefix: $0, uri: "urn:undeclared:\($0)")
    }
    return document(object, namespaces: namespaces + missing)
  }

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

  private static func undeclaredPrefixes(in element: String) -> Set<String> {
    read(element) { reader throws(XMLReadingError) in
      var used: Set<String> = []
      var declared = Set(reserved.map { String($0) })
      func prefix(_ name: String) -> String? { name.firstIndex(of: ":").map { String(name[..<$0]) } }
      while let node = try reader.next() {
        guard case .start = node else { continue }
        if let prefix = prefix(reader.qualifiedName) { used.insert(prefix) }
        for (name, _) in reader.attributes {
          if name.hasPrefix("xmlns:") { declared.insert(String(name.dropFirst(6))) }
          if let prefix = prefix(name) { used.insert(prefix) }
        }
      }
      return used.subtracting(declared)
    } ?? []
  }
}
