/// Writes Ogg streams (RFC 3533).
struct Ogg {
  private static let crc = CRC<UInt32>(polynomial: 0x04C1_1DB7)
  private static let serial: UInt32 = 0x5357_4654

  private(set) var bytes: [UInt8] = []
  private var page: UInt32 = 0

  /// Adds a page of complete packets.
  /// - Parameter granule: the stream's position after them.
  mutating func add(_ packets: [[UInt8]], granule: Int, isLast: Bool = false) {
    let flags: UInt8 = (page == 0 ? 2 : 0) | (isLast ? 4 : 0)
    var header = Array("OggS".utf8) + [0, flags]
    header.append(littleEndian: Int64(granule))
    header.append(littleEndian: Self.serial)
    header.append(littleEndian: page)
    let checksum = header.count
    header.append(littleEndian: UInt32(0))
    let lacing = packets.flatMap { packet in
      [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
    }
    header.append(UInt8(lacing.count))
    var content = header + lacing + packets.flatMap(\.self)
    var value: [UInt8] = []
    value.append(littleEndian: Self.crc(content))
    content.replaceSubrange(checksum..<checksum + 4, with: value)
    bytes += content
    page += 1
  }

  /// Adds pages of equal packets, about a second each.
  /// - Parameters:
  ///   - packet: of at most 254 bytes.
  ///   - length: samples per packet.
  ///   - granule: the stream's position after a number of packets.
  fileprivate mutating func add(_ packet: [UInt8], count: Int, granule: (Int) -> Int) {
    let packetsPerPage = 50
    for start in stride(from: 0, to: count, by: packetsPerPage) {
      let end = min(start + packetsPerPage, count)
      add([[UInt8]](repeating: packet, count: end - start), granule: granule(end), isLast: end == count)
    }
  }
}

/// Writes Opus in Ogg (RFC 7845): digital silence in stereo, with about 64 kbit/s.
enum Opus {
  static let rate = 48_000
  private static let frameLength = 960
  private static let preSkip = 312

  /// - Parameter frames: samples per channel that are played.
  static func stream(frames: Int) -> [UInt8] {
    var head = Array("OpusHead".utf8) + [1, 2]
    head.append(littleEndian: UInt16(preSkip))
    head.append(littleEndian: UInt32(rate))
    // No gain; the mapping of mono and stereo.
    head += [0, 0, 0]

    // CELT in frames of 20 ms, fullband, stereo. The first bytes set the flag of silence (RFC 6716 §4.3); the rest is
    // padding.
    let packet = [0xFC, 0xFF, 0xFE] + [UInt8](repeating: 0, count: 157)
    let total = preSkip + frames
    var ogg = Ogg()
    ogg.add([head], granule: 0)
    ogg.add([Array("OpusTags".utf8) + vendorComment], granule: 0)
    ogg.add(packet, count: (total + frameLength - 1) / frameLength) { min($0 * frameLength, total) }
    return ogg.bytes
  }
}

/// Writes Vorbis in Ogg: digital silence in stereo, 44.1 kHz, with about 64 kbit/s.
enum Vorbis {
  static let rate = 44_100
  private static let channels = 2
  /// Base 2 logarithm of the block size.
  private static let blockSize = 11
  /// Consecutive blocks overlap by half.
  private static let packetLength = 1 << (blockSize - 1)

  /// - Parameter frames: samples per channel.
  static func stream(frames: Int) -> [UInt8] {
    var identification = header(1)
    identification.append(littleEndian: UInt32(0))
    identification.append(UInt8(channels))
    identification.append(littleEndian: UInt32(rate))
    for bitRate in [0, 64_000, 0] { identification.append(littleEndian: Int32(bitRate)) }
    identification += [UInt8(blockSize << 4 | blockSize), 1]

    // The bits of type, mode and floors are 0: an audio packet without floors is silent. The rest is padding.
    let packet = [UInt8](repeating: 0, count: 185)
    // The first packet only primes the overlap.
    let count = (frames + packetLength - 1) / packetLength + 1
    var ogg = Ogg()
    ogg.add([identification], granule: 0)
    ogg.add([header(3) + vendorComment + [1], header(5) + setup], granule: 0)
    ogg.add(packet, count: count) { min(($0 - 1) * packetLength, frames) }
    return ogg.bytes
  }

  private static func header(_ type: UInt8) -> [UInt8] { [type] + Array("vorbis".utf8) }

  /// The smallest setup (Vorbis I §4.2.4): one of everything, with a codebook of one entry.
  private static var setup: [UInt8] {
    var writer = BitWriter(.leastSignificantFirst)
    // Codebook: sync pattern, one dimension, one entry, not ordered, not sparse, length 1, no lookup.
    writer.write(0, bits: 8)
    writer.write(0x564342, bits: 24)
    writer.write(1, bits: 16)
    writer.write(1, bits: 24)
    writer.write(0, bits: 2)
    writer.write(0, bits: 5)
    writer.write(0, bits: 4)
    // One time domain transform, type 0.
    writer.write(0, bits: 6)
    writer.write(0, bits: 16)
    // Floor 1: no partitions, multiplier 1, 8 bits for positions.
    writer.write(0, bits: 6)
    writer.write(1, bits: 16)
    writer.write(0, bits: 5)
    writer.write(0, bits: 2)
    writer.write(8, bits: 4)
    // Residue 1: from 0 to 0 in partitions of 1, one class, codebook 0, no cascade.
    writer.write(0, bits: 6)
    writer.write(1, bits: 16)
    writer.write(0, bits: 24 * 3)
    writer.write(0, bits: 6)
    writer.write(0, bits: 8)
    writer.write(0, bits: 4)
    // Mapping 0: one submap, no coupling, floor 0, residue 0.
    writer.write(0, bits: 6)
    writer.write(0, bits: 16)
    writer.write(0, bits: 2)
    writer.write(0, bits: 2)
    writer.write(0, bits: 24)
    // Mode: short block, window 0, transform 0, mapping 0. Then the framing bit.
    writer.write(0, bits: 6)
    writer.write(0, bits: 1 + 16 + 16 + 8)
    writer.write(1, bits: 1)
    return writer.bytes
  }
}

/// A vendor string and no comments (Vorbis I §5.2.1).
private let vendorComment: [UInt8] = {
  let vendor = Array("swiftlet-control".utf8)
  var bytes: [UInt8] = []
  bytes.append(littleEndian: UInt32(vendor.count))
  bytes += vendor
  bytes.append(littleEndian: UInt32(0))
  return bytes
}()
