import NIOCore
import UPnP

/// A device's announcement, or its answer to a search (UDA 1.1 §1.2, §1.3.3).
struct SSDPNotice: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// `ssdp:alive` or the answer to a search.
    case present
    /// `ssdp:update`: the device continues with the next BOOTID.
    case update(next: Int?)
    case byebye
  }

  var kind: Kind
  /// `uuid:…`
  var udn: String
  /// NT or ST: `upnp:rootdevice`, the UDN, or a device or service type.
  var type: String
  /// Nil for a byebye, and if LOCATION is not an `http` URL.
  var location: HTTPURL?
  /// Time for which the notice is valid.
  var maxAge: TimeAmount
  var server: String
  /// Nil from devices of UPnP 1.0.
  var bootID: Int?
  /// Nil from devices of UPnP 1.0.
  var configID: Int?

  /// UDA 1.1 §1.2.2 recommends half an hour; small devices leave CACHE-CONTROL out.
  private static let defaultAge: Int64 = 1800
  /// In seconds. Longer times are capped.
  private static let maximumAge: Int64 = 86_400
  /// In seconds. With a shorter time, a device would come and go with each lost announcement.
  private static let minimumAge: Int64 = 30
  /// Limit for a type, a UDN or SERVER, in bytes. Real ones have about fifty.
  private static let maximumLength = 128
  /// Limit for LOCATION, in bytes.
  private static let maximumLocation = 1024
}

extension SSDPNotice {
  /// Nil for searches, and for messages without a valid USN.
  init?(_ message: SSDPMessage) {
    guard let kind = Self.kind(message), let usn = message["usn"], usn.utf8.count <= 2 * Self.maximumLength + 2,
      let type = message["nt"] ?? message["st"], !type.isEmpty, type.utf8.count <= Self.maximumLength
    else { return nil }
    self.kind = kind
    self.type = type
    udn = String(Self.udn(usn))
    guard udn.hasPrefix("uuid:"), udn != "uuid:", udn.utf8.count <= Self.maximumLength else { return nil }
    location = message["location"].flatMap { $0.utf8.count <= Self.maximumLocation ? HTTPURL($0) : nil }
    let age = message["cache-control"].flatMap(Self.age) ?? Self.defaultAge
    maxAge = .seconds(min(max(age, Self.minimumAge), Self.maximumAge))
    // Scalars, since one character may have any number of them.
    server = String((message["server"] ?? "").unicodeScalars.prefix(Self.maximumLength))
    bootID = message["bootid.upnp.org"].flatMap(Self.number)
    configID = message["configid.upnp.org"].flatMap(Self.number)
  }

  private static func kind(_ message: SSDPMessage) -> Kind? {
    let start = message.startLine.uppercased()
    if start.hasPrefix("HTTP/1.") { return start.split(separator: " ").dropFirst().first == "200" ? .present : nil }
    guard start.hasPrefix("NOTIFY ") else { return nil }
    switch message["nts"]?.lowercased() {
    case "ssdp:alive": return .present
    case "ssdp:byebye": return .byebye
    case "ssdp:update": return .update(next: message["nextbootid.upnp.org"].flatMap(Self.number))
    default: return nil
    }
  }

  /// A number that is not negative, so that the difference of two cannot overflow.
  private static func number(_ text: String) -> Int? { Int(text).flatMap { $0 < 0 ? nil : $0 } }

  /// The part of a USN before `::`.
  private static func udn(_ usn: String) -> Substring {
    var end = usn.startIndex
    while let colon = usn[end...].firstIndex(of: ":") {
      let next = usn.index(after: colon)
      if next < usn.endIndex, usn[next] == ":" { return usn[..<colon] }
      end = next
    }
    return usn[...]
  }

  /// The seconds in `max-age=1800`, among other directives and with blanks.
  private static func age(_ text: String) -> Int64? {
    let compact = text.lowercased().filter { $0 != " " && $0 != "\t" }
    guard let start = compact.firstRange(of: "max-age=") else { return nil }
    let digits = compact[start.upperBound...].prefix { ("0"..."9").contains($0) }
    return digits.isEmpty ? nil : Int64(digits) ?? Self.maximumAge
  }
}
