import PlaybackModel
import UPnP

/// The playable thing that a pin refers to.
package enum PinTarget: Equatable {
  /// A stream on the radio.
  case stream(uri: String)
  /// All tracks of a playlist document, which replace the playlist.
  case playlist(uri: String)
  /// A source with its current items.
  case source(Source)
  /// A preset of the radio, from 1.
  case preset(Int)
  /// A folder or a track of a media server, whose tracks replace the playlist.
  case folder(PinFolder)
  /// Something that is heard over what plays.
  case announcement(uri: String)

  /// The supported modes, in the order of Pins' Modes. `playlist`, for m3u and similar files, and `announcement` are
  /// extensions; the others are those of OpenHome's own player.
  package enum Mode: String, CaseIterable {
    case playlist, radio, transport
    case folder = "upnp.cd"
    case url
    case announcement
  }

  package init(_ pin: Pin) throws(PinFault) {
    guard let mode = Mode(rawValue: pin.mode) else { throw .modeNotSupported }
    switch mode {
    case .url:
      guard ["stream", ""].contains(pin.type.lowercased()) else { throw .uriNotSupported }
      self = .stream(uri: try Self.address(pin.uri, mode, type: "stream"))
    case .playlist: self = .playlist(uri: try Self.address(pin.uri, mode, type: nil))
    case .radio:
      guard let uri = PinURI(pin.uri), uri.mode == mode.rawValue, uri.type == "preset",
        let number = uri["id"].flatMap({ Int($0) }), (1...RadioPresets.maximumCount).contains(number)
      else { throw .uriNotSupported }
      self = .preset(number)
    case .folder: self = .folder(try PinFolder(pin.uri))
    case .announcement: self = .announcement(uri: try Self.address(pin.uri, mode, type: nil))
    case .transport:
      guard let uri = PinURI(pin.uri), uri.mode == mode.rawValue, uri.type == "source", let name = uri["id"],
        let source = Source.builtIn.first(where: { $0.isCalled(name) }) ?? ProgramName(name).map({ .program($0) })
      else { throw .uriNotSupported }
      self = .source(source)
    }
  }

  /// Refuses a pin URI whose version is missing or unknown. OpenHome's player checks this only when a pin is set; an
  /// HTTP address has no pin version.
  package static func checkVersion(of pin: Pin) throws(PinFault) {
    if let uri = PinURI(pin.uri), uri.mode == pin.mode, !uri.hasKnownVersion { throw .uriNotSupported }
  }

  /// The address inside a pin URI `mode://type?version=1&path=…`, or the text itself if it is an HTTP address.
  private static func address(_ text: String, _ mode: Mode, type: String?) throws(PinFault) -> String {
    var address = text
    if let uri = PinURI(text), uri.mode == mode.rawValue {
      guard type == nil || uri.type == type, let path = uri["path"] else { throw .uriNotSupported }
      address = path
    }
    guard let scheme = address.firstRange(of: "://"), scheme.upperBound < address.endIndex,
      ["http", "https"].contains(address[..<scheme.lowerBound].lowercased())
    else { throw .uriNotSupported }
    return address
  }
}

extension Source {
  /// Compares with the name, also without its space, ignoring case.
  fileprivate func isCalled(_ name: String) -> Bool {
    [self.name, self.name.filter { $0 != " " }].contains { $0.lowercased() == name.lowercased() }
  }
}

/// A pin URI as OpenHome's players write it: `mode://type?key=value&key=value` with percent-encoded values.
struct PinURI {
  let mode: String
  let type: String
  private let query: Substring

  /// Nil if the text is not a pin URI.
  init?(_ text: String) {
    guard let colon = text.firstRange(of: "://") else { return nil }
    let rest = text[colon.upperBound...]
    let host = rest.prefix { $0 != "?" && $0 != "/" }
    mode = text[..<colon.lowerBound].lowercased()
    type = host.lowercased()
    guard !mode.isEmpty, !type.isEmpty else { return nil }
    query = rest.firstIndex(of: "?").map { rest[rest.index(after: $0)...] } ?? ""
  }

  /// Whether `version` is supported.
  var hasKnownVersion: Bool { self["version"].flatMap { UInt($0) } == 1 }

  /// The decoded value of a key; nil if the key is missing.
  subscript(key: String) -> String? {
    for pair in query.split(separator: "&") where pair.hasPrefix(key + "=") {
      let value = pair.dropFirst(key.count + 1)
      // Some controllers do not encode the address: then it includes the rest of the query.
      return value.contains("://") ? String(query[value.startIndex...]) : value.percentDecoded
    }
    return nil
  }
}

/// A container or an item of a media server.
package struct PinFolder: Equatable, Sendable {
  /// The UDN without `uuid:`.
  package let server: String
  package let id: String
  package let isContainer: Bool

  package init(server: String, id: String, isContainer: Bool) {
    self.server = server.hasPrefix("uuid:") ? String(server.dropFirst("uuid:".count)) : server
    self.id = id
    self.isContainer = isContainer
  }

  /// Reads `upnp.cd://TYPE?version=1&udn=UDN` with `id`, or with `trackId` for an item. The type has no meaning.
  init(_ text: String) throws(PinFault) {
    guard let uri = PinURI(text), uri.mode == PinTarget.Mode.folder.rawValue, let server = uri["udn"], !server.isEmpty,
      let id = uri["id"] ?? uri["trackId"], !id.isEmpty
    else { throw .uriNotSupported }
    self.init(server: server, id: id, isContainer: uri["id"] != nil)
  }

  package func pin() -> Pin {
    let uri =
      "\(PinTarget.Mode.folder.rawValue)://\(isContainer ? "container" : "track")?version=1"
      + "&udn=\(Self.percentEncoded(server))&\(isContainer ? "id" : "trackId")=\(Self.percentEncoded(id))"
    return Pin(mode: PinTarget.Mode.folder.rawValue, type: isContainer ? "container" : "track", uri: uri)
  }

  private static func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = text.utf8.flatMap { byte in
      // Unreserved characters (RFC 3986 §2.3).
      "-._~".utf8.contains(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
        ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The reason why a pin cannot be played or stored. The codes are those of OpenHome's own player.
package enum PinFault: Error, Equatable {
  case indexOutOfRange
  /// The ids are not a JSON array of numbers.
  case invalidIDs
  case idNotFound
  case modeNotSupported
  case nothingToPlay
  /// The media server failed. The text is a sentence with the reason.
  case failed(String)
  case uriNotSupported
  case textTooLong

  init(_ error: PinError) {
    switch error {
    case .indexOutOfRange: self = .indexOutOfRange
    case .idNotFound: self = .idNotFound
    }
  }
}
