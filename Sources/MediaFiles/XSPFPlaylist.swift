import UPnP

/// Reads the entries of XSPF files (XSPF 1, §4.1.1.2.14). Reading ends at the first error in the XML.
enum XSPFPlaylist {
  static func entries(_ bytes: [UInt8]) -> [PlaylistFile.Entry] {
    bytes.withUnsafeBytes { bytes in
      guard let reader = XMLPullReader(bytes) else { return [] }
      var entries: [PlaylistFile.Entry] = []
      var location = ""
      var title = ""
      var path: [String] = []
      while let node = try? reader.next() {
        switch node {
        case .start(let isEmpty):
          if !isEmpty { path.append(reader.localName) }
          if reader.localName == "track" { (location, title) = ("", "") }
        case .text:
          guard path.dropLast().last == "track" else { continue }
          // A track may have several locations, the preferred one first.
          if path.last == "location", location.isEmpty { location = String(reader.text.trimmed) }
          if path.last == "title" { title += reader.text }
        case .end:
          if path.popLast() == "track", !location.isEmpty {
            entries.append(
              .init(location: Self.path(location), title: title.trimmed.isEmpty ? nil : String(title.trimmed)))
          }
        }
      }
      return entries
    }
  }

  /// A relative reference is percent-encoded like a URL.
  private static func path(_ location: String) -> String {
    location.contains("://") ? location : location.percentDecoded ?? location
  }
}
