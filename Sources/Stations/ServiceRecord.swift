/// A server of a service in the DNS (RFC 2782).
struct ServiceRecord: Equatable {
  /// Lower is better.
  var priority: UInt16
  var port: UInt16
  /// The name, without the dot at the end.
  var host: String

  /// Type of the record.
  static let type: UInt16 = 33
  private static let maximumCount = 64

  /// Reads the SRV records of an answer (RFC 1035 §4.1). Other records are skipped.
  /// - Returns: empty for an error, and as much as can be read of a damaged answer.
  static func list(_ message: [UInt8]) -> [ServiceRecord] {
    var reader = Reader(message: message)
    guard reader.skip(4), let questions = reader.number(), let answers = reader.number(), reader.skip(4) else {
      return []
    }
    for _ in 0..<questions { guard reader.name() != nil, reader.skip(4) else { return [] } }
    var records: [ServiceRecord] = []
    for _ in 0..<answers where records.count < maximumCount {
      guard reader.name() != nil, let type = reader.number(), reader.skip(6), let length = reader.number() else {
        break
      }
      let end = reader.position + Int(length)
      if type == Self.type {
        guard let priority = reader.number(), reader.skip(2), let port = reader.number(), let host = reader.name()
        else {
          break
        }
        if !host.isEmpty, port > 0 { records.append(ServiceRecord(priority: priority, port: port, host: host)) }
      }
      guard end <= message.count else { break }
      reader.position = end
    }
    return records
  }

  private struct Reader {
    private static let maximumPointers = 16

    let message: [UInt8]
    var position = 0

    init(message: [UInt8]) { self.message = message }

    mutating func skip(_ count: Int) -> Bool {
      position += count
      return position <= message.count
    }

    mutating func number() -> UInt16? {
      guard position + 2 <= message.count else { return nil }
      position += 2
      return UInt16(message[position - 2]) << 8 | UInt16(message[position - 1])
    }

    /// A name, with compression (RFC 1035 §4.1.4).
    mutating func name() -> String? {
      var labels: [String] = []
      var at = position
      var pointers = 0
      while message.indices.contains(at) {
        let length = Int(message[at])
        switch length {
        case 0:
          if pointers == 0 { position = at + 1 }
          return labels.joined(separator: ".")
        case 1..<64:
          guard at + 1 + length <= message.count else { return nil }
          let label = message[(at + 1)...(at + length)]
          guard label.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), labels.count < 128 else { return nil }
          labels.append(String(decoding: label, as: UTF8.self))
          at += 1 + length
        case 0xC0...:
          guard at + 1 < message.count, pointers < Self.maximumPointers else { return nil }
          if pointers == 0 { position = at + 2 }
          pointers += 1
          at = (length & 0x3F) << 8 | Int(message[at + 1])
        default: return nil
        }
      }
      return nil
    }
  }
}
