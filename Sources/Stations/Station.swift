import FoundationEssentials
import PlaybackModel

/// An internet radio station of the directory.
package struct Station: Sendable, Equatable, Encodable {
  /// The directory's UUID of the station.
  package var id: String
  package var title: String
  /// The `http` or `https` address of the stream or of a playlist with it.
  package var uri: String
  /// The address of its logo.
  package var artURI: String?
  package var codec: String?
  /// In bits per second.
  package var bitRate: Int?
  package var country: String?
  /// ISO 3166-1, two capital letters.
  package var countryCode: String?
  package var languages: [String]
  package var tags: [String]
  package var votes: Int

  /// What is worth a line below the title: country, tags, codec and bit rate.
  package var summary: String {
    let rate = bitRate.map { "\($0 / 1000) kbit/s" }
    let format = [codec, rate].compactMap(\.self).joined(separator: " ")
    return [country ?? "", tags.prefix(3).joined(separator: ", "), format].filter { !$0.isEmpty }.joined(
      separator: " · ")
  }
}

extension Station: Decodable {
  private static let maximumTitle = 200
  private static let maximumAddress = 2000
  /// Kilobits per second. Larger numbers are mistakes of the person who entered them.
  private static let bitRates = 1...10_000
  private static let maximumList = 20

  private enum Keys: String, CodingKey {
    case stationuuid, name, url
    case urlResolved = "url_resolved"
    case favicon, codec, bitrate, country, countrycode, language, tags, votes
    case lastcheckok
  }

  private struct Unusable: Error {}

  /// Reads a station of the directory's `/json/stations/…`. Anybody can add stations there, so nothing is trusted.
  /// - Throws: for a station that is broken, or has no valid id or address.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    func text(_ key: Keys) -> String? {
      let text = (try? values.decodeIfPresent(String.self, forKey: key)) ?? nil
      let words = text?.split { $0.isWhitespace || $0.isNewline || $0 == "\0" }.joined(separator: " ") ?? ""
      return words.isEmpty ? nil : words
    }
    func number(_ key: Keys) -> Int? { (try? values.decodeIfPresent(Int.self, forKey: key)) ?? nil }
    func address(_ key: Keys) -> String? {
      guard let text = text(key), text.utf8.count <= Self.maximumAddress, HTTPAddress(text) != nil,
        text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
      else { return nil }
      return text
    }
    func list(_ key: Keys) -> [String] {
      let items = (text(key) ?? "").split(separator: ",").map { String($0.prefix(60)).trimmingSpaces() }
      return Array(items.filter { !$0.isEmpty }.prefix(Self.maximumList))
    }
    guard let id = text(.stationuuid), Self.isID(id), number(.lastcheckok) != 0,
      let uri = address(.urlResolved) ?? address(.url)
    else { throw Unusable() }
    self.id = id
    self.uri = uri
    title = String((text(.name) ?? HTTPAddress(uri)?.host ?? uri).prefix(Self.maximumTitle))
    artURI = address(.favicon)
    codec = text(.codec).flatMap { $0 == "UNKNOWN" ? nil : String($0.prefix(20)) }
    bitRate = number(.bitrate).flatMap { Self.bitRates.contains($0) ? $0 * 1000 : nil }
    country = text(.country).map { String($0.prefix(60)) }
    countryCode = text(.countrycode).flatMap { CountryCode($0)?.text }
    languages = list(.language)
    tags = list(.tags)
    votes = max(0, number(.votes) ?? 0)
  }

  /// Whether a text can be the id of a station, which becomes part of a path.
  package static func isID(_ text: String) -> Bool {
    (1...36).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "-") || UnicodeScalar(byte).properties.isASCIIHexDigit
      }
  }

  /// Reads a list. Stations that cannot be used are left out, and so are copies of a stream.
  /// - Returns: nil for a text that is not a JSON array.
  static func list(_ json: [UInt8]) -> [Station]? {
    struct Element: Decodable {
      let station: Station?

      init(from decoder: any Decoder) { station = try? Station(from: decoder) }
    }
    guard let elements = try? JSONDecoder().decode([Element].self, from: Data(json)) else { return nil }
    var known: Set<String> = []
    return elements.compactMap(\.station).filter { known.insert($0.uri).inserted }
  }
}

/// A country by ISO 3166-1, two capital letters.
package struct CountryCode: Sendable, Hashable {
  package let text: String

  package init?(_ text: String) {
    guard text.utf8.count == 2, text.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) })
    else { return nil }
    self.text = text.uppercased()
  }
}
