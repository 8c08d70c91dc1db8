/// How the playlist's file is written.
///
///     header   "swiftlet playlist 1\n", nonce, end of the base, checksum
///     records  nonce, length of the changes, batch, checksum, changes
///
/// Numbers are little-endian, of four bytes. The base is what was written with the file, before it got its name; records
/// after it were appended in batches. A batch is synced before the next one begins, so that no more than the last can be
/// torn. The nonce is the file's own: neither a former file's blocks nor what somebody hides in metadata can be taken for
/// a record.
enum PlaylistRecord {
  static let headerLength = firstLine.utf8.count + 12
  static let recordHeaderLength = 16
  /// The bytes of a record with one track, without its address and metadata.
  static let insertLength = recordHeaderLength + 17

  private static let firstWords = "swiftlet playlist "
  private static let firstLine = firstWords + "1\n"

  struct Header: Equatable {
    var nonce: UInt32
    /// Everything before it was synced before the file had its name.
    var baseEnd: UInt32
  }

  enum HeaderError: Error {
    case laterVersion
    case damaged
  }

  static func bytes(_ header: Header) -> [UInt8] {
    var bytes = Array(firstLine.utf8)
    append(header.nonce, to: &bytes)
    append(header.baseEnd, to: &bytes)
    append(bytes.withUnsafeBytes { CRC32.of($0) }, to: &bytes)
    return bytes
  }

  /// - Parameter bytes: the first of the file.
  static func header(_ bytes: [UInt8]) throws(HeaderError) -> Header {
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let text = String(decoding: line, as: UTF8.self)
    guard text.hasPrefix(firstWords), let version = Int(text.dropFirst(firstWords.count)) else { throw .damaged }
    guard version <= 1 else { throw .laterVersion }
    guard bytes.count >= headerLength, line.count + 1 == firstLine.utf8.count else { throw .damaged }
    let (nonce, baseEnd, isWhole) = bytes.withUnsafeBytes { bytes in
      let fields = Fields(bytes: bytes, offset: firstLine.utf8.count)
      let sum = CRC32.of(UnsafeRawBufferPointer(rebasing: bytes[..<(headerLength - 4)]))
      return (fields.number(at: 0), fields.number(at: 4), fields.number(at: 8) == sum)
    }
    guard isWhole else { throw .damaged }
    return Header(nonce: nonce, baseEnd: baseEnd)
  }

  /// Adds a record of changes that come true together or not at all.
  static func append(_ changes: [PlaylistChange], batch: UInt32, nonce: UInt32, to bytes: inout [UInt8]) {
    let start = bytes.count
    append(nonce, to: &bytes)
    append(0, to: &bytes)
    append(batch, to: &bytes)
    append(0, to: &bytes)
    for change in changes { append(change, to: &bytes) }
    let length = UInt32(bytes.count - start - recordHeaderLength)
    bytes.withUnsafeMutableBytes { bytes in
      let record = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
      record.storeBytes(of: length.littleEndian, toByteOffset: 4, as: UInt32.self)
      let sum = checksum(UnsafeRawBufferPointer(record))
      record.storeBytes(of: sum.littleEndian, toByteOffset: 12, as: UInt32.self)
    }
  }

  /// Of everything in a record but the checksum itself.
  private static func checksum(_ record: UnsafeRawBufferPointer) -> UInt32 {
    let head = CRC32.of(UnsafeRawBufferPointer(rebasing: record[..<12]))
    return CRC32.of(UnsafeRawBufferPointer(rebasing: record[recordHeaderLength...]), after: head)
  }

  /// How long a record says it is, in all; nil if none begins there.
  /// - Parameter bytes: its first sixteen, or more.
  static func length(_ bytes: UnsafeRawBufferPointer, nonce: UInt32) -> Int? {
    guard bytes.count >= recordHeaderLength else { return nil }
    let fields = Fields(bytes: bytes, offset: 0)
    return fields.number(at: 0) == nonce ? recordHeaderLength + Int(fields.number(at: 4)) : nil
  }

  /// - Parameter record: all bytes of one.
  /// - Returns: nil if it is damaged.
  static func read(_ record: UnsafeRawBufferPointer) -> (batch: UInt32, changes: [PlaylistChange])? {
    var fields = Fields(bytes: record, offset: 0)
    guard fields.number(at: 12) == checksum(record) else { return nil }
    let batch = fields.number(at: 8)
    fields.offset = recordHeaderLength
    var changes: [PlaylistChange] = []
    while fields.offset < record.count {
      guard let change = fields.change() else { return nil }
      changes.append(change)
    }
    return (batch, changes)
  }

  private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private static func append(_ change: PlaylistChange, to bytes: inout [UInt8]) {
    switch change {
    case .insert(let id, let after, let track):
      bytes.append(1)
      append(id, to: &bytes)
      append(after, to: &bytes)
      append(UInt32(track.uri.utf8.count), to: &bytes)
      append(UInt32(track.metadata.utf8.count), to: &bytes)
      bytes.append(contentsOf: track.uri.utf8)
      bytes.append(contentsOf: track.metadata.utf8)
    case .delete(let id):
      bytes.append(2)
      append(id, to: &bytes)
    case .deleteAll: bytes.append(3)
    case .current(let id):
      bytes.append(4)
      append(id, to: &bytes)
    case .lastID(let id):
      bytes.append(5)
      append(id, to: &bytes)
    case .repeats(let value): bytes += [6, value ? 1 : 0]
    case .shuffles(let value): bytes += [7, value ? 1 : 0]
    case .closed: bytes.append(8)
    }
  }

  /// Reads one field after the other; what lies beyond the end reads as 0 or nil.
  private struct Fields {
    let bytes: UnsafeRawBufferPointer
    var offset: Int

    func number(at distance: Int) -> UInt32 {
      guard offset + distance + 4 <= bytes.count else { return 0 }
      return UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + distance, as: UInt32.self))
    }

    private mutating func byte() -> UInt8? {
      guard offset < bytes.count else { return nil }
      defer { offset += 1 }
      return bytes[offset]
    }

    private mutating func number() -> UInt32? {
      guard offset + 4 <= bytes.count else { return nil }
      defer { offset += 4 }
      return number(at: 0)
    }

    private mutating func text(_ count: UInt32) -> String? {
      guard Int(count) <= bytes.count - offset else { return nil }
      defer { offset += Int(count) }
      return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(count)]), as: UTF8.self)
    }

    mutating func change() -> PlaylistChange? {
      switch byte() {
      case 1:
        guard let id = number(), let after = number(), let uriCount = number(), let metadataCount = number(),
          let uri = text(uriCount), let metadata = text(metadataCount)
        else { return nil }
        return .insert(id: id, after: after, PlaylistTrack(packedURI: uri, metadata: metadata))
      case 2: return number().map { .delete(id: $0) }
      case 3: return .deleteAll
      case 4: return number().map { .current($0) }
      case 5: return number().map { .lastID($0) }
      case 6: return byte().map { .repeats($0 != 0) }
      case 7: return byte().map { .shuffles($0 != 0) }
      case 8: return .closed
      default: return nil
      }
    }
  }
}
