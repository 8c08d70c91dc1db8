import NIOCore

/// A message about where senders are ("Ohz "), sent to the zone group.
package enum OHZMessage: Sendable, Hashable {
  /// Asks for the URI of a sender.
  case zoneQuery(zone: String)
  /// The URI at which a zone plays now.
  case zoneURI(zone: String, uri: String)
  /// Asks for the sender with a preset number.
  case presetQuery(preset: UInt32)
  /// The sender with a preset number, as DIDL-Lite.
  case presetInfo(preset: UInt32, metadata: String)

  /// "Ohz "
  private static let magic: UInt32 = 0x4F68_7A20

  /// Reads one datagram.
  package init(_ datagram: ByteBuffer) throws(WireError) {
    var reader = try WireReader(datagram, magic: Self.magic)
    switch reader.type {
    case 0:
      self = .zoneQuery(zone: try reader.text(.zone, try reader.integer(.zone), limit: WireLimits.zone))
    case 1:
      let zoneSize: UInt32 = try reader.integer(.zone)
      let uriSize: UInt32 = try reader.integer(.uri)
      self = .zoneURI(
        zone: try reader.text(.zone, zoneSize, limit: WireLimits.zone),
        uri: try reader.text(.uri, uriSize, limit: WireLimits.messageURI))
    case 2: self = .presetQuery(preset: try reader.integer(.preset))
    case 3:
      let preset: UInt32 = try reader.integer(.preset)
      self = .presetInfo(preset: preset, metadata: try reader.text(.metadata, try reader.integer(.metadata)))
    default: throw .type(reader.type)
    }
    try reader.end()
  }

  /// The message as a datagram.
  package func encoded() -> ByteBuffer {
    var buffer = ByteBuffer()
    WireHeader.write(magic: Self.magic, type: type, into: &buffer)
    switch self {
    case .zoneQuery(let zone):
      buffer.writeInteger(UInt32(truncatingIfNeeded: zone.utf8.count))
      buffer.writeString(zone)
    case .zoneURI(let zone, let uri):
      buffer.writeMultipleIntegers(
        UInt32(truncatingIfNeeded: zone.utf8.count), UInt32(truncatingIfNeeded: uri.utf8.count))
      buffer.writeString(zone)
      buffer.writeString(uri)
    case .presetQuery(let preset): buffer.writeInteger(preset)
    case .presetInfo(let preset, let metadata):
      buffer.writeMultipleIntegers(preset, UInt32(truncatingIfNeeded: metadata.utf8.count))
      buffer.writeString(metadata)
    }
    WireHeader.seal(&buffer)
    return buffer
  }

  private var type: UInt8 {
    switch self {
    case .zoneQuery: 0
    case .zoneURI: 1
    case .presetQuery: 2
    case .presetInfo: 3
    }
  }
}
