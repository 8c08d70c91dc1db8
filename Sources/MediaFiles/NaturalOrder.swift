/// A name for sorting as people expect: `Track 2` before `Track 10`, without regard to case.
package struct NaturalName: Comparable {
  private enum Part: Comparable {
    /// Digits without leading zeros; numbers come before text.
    case number([UInt8])
    case text([UInt8])

    static func < (a: Part, b: Part) -> Bool {
      switch (a, b) {
      case (.number(let a), .number(let b)): a.count != b.count ? a.count < b.count : a.lexicographicallyPrecedes(b)
      case (.text(let a), .text(let b)): a.lexicographicallyPrecedes(b)
      case (.number, .text): true
      case (.text, .number): false
      }
    }
  }

  private let parts: [Part]
  /// Decides between names that differ only in case or leading zeros.
  package let name: String

  package init(_ name: String) {
    self.name = name
    var parts: [Part] = []
    var rest = Array(name.lowercased().utf8)[...]
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    while let first = rest.first {
      let run = rest.prefix { isDigit($0) == isDigit(first) }
      parts.append(isDigit(first) ? .number(Array(run.drop { $0 == 0x30 })) : .text(Array(run)))
      rest = rest.dropFirst(run.count)
    }
    self.parts = parts
  }

  package static func < (a: NaturalName, b: NaturalName) -> Bool {
    a.parts == b.parts ? a.name < b.name : a.parts.lexicographicallyPrecedes(b.parts)
  }
}

/// The order of the files of a folder.
package enum TrackOrder {
  /// Sorts by disc and track if the files are an album: all have a track number, and the same album. Otherwise by name.
  package static func sorted<File>(_ files: [File], name: (File) -> String, tags: (File) -> AudioTags) -> [File] {
    let keyed = files.map { (file: $0, tags: tags($0), name: NaturalName(name($0))) }
    let isAlbum = Set(keyed.map(\.tags.album)).count == 1 && keyed.allSatisfy { $0.tags.track != nil }
    return keyed.sorted { a, b in
      guard isAlbum else { return a.name < b.name }
      return (a.tags.disc ?? 0, a.tags.track ?? 0, a.name) < (b.tags.disc ?? 0, b.tags.track ?? 0, b.name)
    }.map(\.file)
  }
}
