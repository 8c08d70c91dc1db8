import SQLite
import UPnP

/// Turns search criteria into conditions on the rows of each kind.
struct SearchSQL {
  /// A condition of which the truth may be known without a row.
  private enum Condition {
    case always
    case never
    case sql(SQL)
  }

  /// A property of a kind: how a row has it.
  private enum Column {
    /// Folded text.
    case text(String, fullText: String?)
    /// Folded texts between separators.
    case texts(String, fullText: String?)
    case date(String)
    /// - scale: of the value in the criteria, such as 8 for bytes.
    case number(String, scale: Int)
    case duration(String)
    /// Whether it exists is all that matters.
    case existence(String)
    /// The same for all rows.
    case constant(String)
    case missing
  }

  /// The shortest text that the full-text index finds.
  private static let minimumLength = 3

  let kind: Listing.Kind

  /// The class of the kind's objects.
  private var upnpClass: String {
    switch kind {
    case .tracks: "object.item.audioItem.musicTrack"
    case .albums: "object.container.album.musicAlbum"
    case .headings(.genres): "object.container.genre.musicGenre"
    case .headings(.years): "object.container"
    case .headings: "object.container.person.musicArtist"
    case .folders: "object.container.storageFolder"
    case .playlists: "object.container.playlistContainer"
    }
  }

  /// - Returns: nil if no row of the kind can match.
  /// - Throws: `unsupported` for unknown properties.
  func condition(_ criteria: SearchCriteria) throws(LibraryError) -> SQL? {
    switch try reduced(criteria) {
    case .always: .always
    case .never: nil
    case .sql(let sql): sql
    }
  }

  private func reduced(_ criteria: SearchCriteria) throws(LibraryError) -> Condition {
    switch criteria {
    case .all: return .always
    case .and(let all):
      var result: SQL?
      var isNever = false
      for criteria in all {
        switch try reduced(criteria) {
        case .always: break
        case .never: isNever = true
        case .sql(let sql): result = result.map { $0 & sql } ?? sql
        }
      }
      return isNever ? .never : result.map { .sql($0) } ?? .always
    case .or(let all):
      var parts: [SQL] = []
      for criteria in all {
        switch try reduced(criteria) {
        case .always: return .always
        case .never: break
        case .sql(let sql): parts.append(sql)
        }
      }
      guard !parts.isEmpty else { return .never }
      return .sql(
        SQL(text: parts.map { "(\($0.text))" }.joined(separator: " OR "), values: parts.flatMap(\.values)))
    case .exists(let name, let isExpected): return exists(try column(name), isExpected)
    case .comparison(let name, let relation, let value): return compared(try column(name), relation, value)
    }
  }

  // MARK: Properties

  private func column(_ name: String) throws(LibraryError) -> Column {
    guard let property = LibraryProperty(rawValue: name) else { throw .unsupported }
    if property == .upnpClass { return .constant(upnpClass) }
    switch kind {
    case .tracks: return trackColumn(property)
    case .albums: return albumColumn(property)
    case .headings(let list):
      switch property {
      case .title: return .text("h.folded", fullText: nil)
      case .genre where list == .genres: return .text("h.folded", fullText: nil)
      case .artist where list == .artists, .creator where list == .artists: return .text("h.folded", fullText: nil)
      case .albumArtist where list == .albumArtists: return .text("h.folded", fullText: nil)
      case .author where list == .composers: return .text("h.folded", fullText: nil)
      default: return .missing
      }
    case .folders: return property == .title ? .text("f.folded", fullText: nil) : .missing
    case .playlists: return property == .title ? .text("p.folded", fullText: nil) : .missing
    }
  }

  private func trackColumn(_ property: LibraryProperty) -> Column {
    switch property {
    case .title: .text("w.title", fullText: "title")
    case .creator, .artist: .texts("w.artist", fullText: "artist")
    case .albumArtist: .texts("w.album_artist", fullText: "album_artist")
    case .author: .texts("w.composer", fullText: "composer")
    case .album: .text("w.album", fullText: "album")
    case .genre: .texts("w.genre", fullText: "genre")
    case .date: .date("t.date")
    case .trackNumber: .number("t.number", scale: 1)
    case .discNumber: .number("t.disc", scale: 1)
    case .size: .number("t.size", scale: 1)
    case .bitRate: .number("t.bit_rate", scale: 8)
    case .sampleRate: .number("t.sample_rate", scale: 1)
    case .bitsPerSample: .number("t.bits", scale: 1)
    case .channels: .number("t.channels", scale: 1)
    case .duration: .duration("t.duration")
    case .protocolInfo: .text("('http-get:*:' || t.type || ':*')", fullText: nil)
    case .resource: .existence("1")
    case .albumArtURI: .existence("t.picture OR (SELECT art FROM folder WHERE id = t.folder) IS NOT NULL")
    case .refID, .upnpClass: .missing
    }
  }

  private func albumColumn(_ property: LibraryProperty) -> Column {
    switch property {
    case .title, .album: .text("a.folded", fullText: nil)
    case .creator, .artist, .albumArtist: .texts("a.artist_folded", fullText: nil)
    case .genre: .texts("a.genre_folded", fullText: nil)
    case .date: .date("a.date")
    case .albumArtURI: .existence("a.cover IS NOT NULL")
    default: .missing
    }
  }

  // MARK: Comparisons

  private func exists(_ column: Column, _ isExpected: Bool) -> Condition {
    let sql: String
    switch column {
    case .text(let name, _), .texts(let name, _): sql = "\(name) != ''"
    case .date(let name), .number(let name, _), .duration(let name): sql = "\(name) IS NOT NULL"
    case .existence(let condition): sql = condition
    case .constant: return isExpected ? .always : .never
    case .missing: return isExpected ? .never : .always
    }
    return .sql(SQL(text: isExpected ? sql : "NOT (\(sql))"))
  }

  private func compared(_ column: Column, _ relation: SearchCriteria.Operator, _ value: String) -> Condition {
    switch column {
    case .text(let name, let fullText):
      return text(name, relation, SortText.folded(value), fullText: fullText, mark: "")
    case .texts(let name, let fullText):
      return text(name, relation, SortText.folded(value), fullText: fullText, mark: SortText.separator)
    case .date(let name): return text(name, relation, value, fullText: nil, mark: "")
    case .number(let name, let scale):
      guard let number = Int(value), let symbol = Self.symbols[relation] else { return .never }
      let (scaled, overflow) = number.multipliedReportingOverflow(by: scale)
      guard !overflow else { return .never }
      return .sql(SQL(text: "\(name) \(symbol) ?", values: [.integer(Int64(scaled))]))
    case .duration(let name):
      guard let duration = UPnPTime.duration(value), let symbol = Self.symbols[relation] else { return .never }
      let milliseconds = Int64(duration / .milliseconds(1))
      return .sql(SQL(text: "\(name) \(symbol) ?", values: [.integer(milliseconds)]))
    case .constant(let text): return Self.compared(text, relation, value) ? .always : .never
    case .existence, .missing: return .never
    }
  }

  private static let symbols: [SearchCriteria.Operator: String] = [
    .equal: "=", .notEqual: "!=", .less: "<", .lessOrEqual: "<=", .greater: ">", .greaterOrEqual: ">=",
  ]

  /// - Parameter mark: around each value in the column.
  private func text(
    _ name: String, _ relation: SearchCriteria.Operator, _ value: String, fullText: String?, mark: String
  ) -> Condition {
    func sql(_ text: String, _ value: String) -> Condition { .sql(SQL(text: text, values: [.text(value)])) }
    switch relation {
    case .contains:
      guard !value.isEmpty else { return .sql(SQL(text: "\(name) != ''")) }
      guard let fullText, value.count >= Self.minimumLength else { return sql("instr(\(name), ?) > 0", value) }
      let phrase = value.replacing("\"", with: "\"\"")
      return sql(
        "t.id IN (SELECT rowid FROM search WHERE search MATCH ?)", "\(fullText) : \"\(phrase)\"")
    case .doesNotContain: return sql("\(name) != '' AND instr(\(name), ?) = 0", value)
    case .startsWith:
      return mark.isEmpty
        ? sql("substr(\(name), 1, \(value.unicodeScalars.count)) = ?", value)
        : sql("instr(\(name), ?) > 0", mark + value)
    case .equal: return mark.isEmpty ? sql("\(name) = ?", value) : sql("instr(\(name), ?) > 0", mark + value + mark)
    case .notEqual:
      return mark.isEmpty
        ? sql("\(name) != '' AND \(name) != ?", value)
        : sql("\(name) != '' AND instr(\(name), ?) = 0", mark + value + mark)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return sql("\(name) != '' AND \(name) \(Self.symbols[relation] ?? "=") ?", mark + value)
    case .derivedFrom: return .never
    }
  }

  /// Compares classes.
  private static func compared(_ text: String, _ relation: SearchCriteria.Operator, _ value: String) -> Bool {
    let (text, value) = (text.lowercased(), value.lowercased())
    return switch relation {
    case .equal: text == value
    case .notEqual: text != value
    case .derivedFrom: text == value || text.hasPrefix(value + ".")
    case .contains: text.contains(value)
    case .doesNotContain: !text.contains(value)
    case .startsWith: text.hasPrefix(value)
    case .less: text < value
    case .lessOrEqual: text <= value
    case .greater: text > value
    case .greaterOrEqual: text >= value
    }
  }
}
