import NIOCore
import Network

/// A message between a sender and its receivers ("Ohm ").
package enum OHMMessage: Sendable, Hashable {
  /// Asks the sender for the stream, its track and its texts.
  case join
  /// Keeps the sender sending.
  case listen
  /// Ends a unicast stream.
  case leave
  case audio(AudioFrame)
  case track(TrackInfo)
  case metatext(Metatext)
  /// Asks a unicast receiver to forward all it gets.
  case slave([Endpoint])
  /// Asks for frames that were lost.
  case resend([UInt32])

  /// "Ohm "
  private static let magic: UInt32 = 0x4F68_6D20

  private enum Kind: UInt8 {
    case join, listen, leave, audio, track, metatext, slave, resend
  }

  /// Reads one datagram.
  package init(_ datagram: ByteBuffer) throws(WireError) {
    var reader = try WireReader(datagram, magic: Self.magic)
    guard let kind = Kind(rawValue: reader.type) else { throw .type(reader.type) }
    switch kind {
    case .join: self = .join
    case .listen: self = .listen
    case .leave: self = .leave
    case .audio: self = .audio(try AudioFrame(&reader))
    case .track: self = .track(try TrackInfo(&reader))
    case .metatext: self = .metatext(try Metatext(&reader))
    case .slave:
      var slaves: [Endpoint] = []
      for _ in 0..<(try reader.count(.slaves, entrySize: 6)) {
        slaves.append(
          Endpoint(address: IPAddress(bits: try reader.integer(.slaves)), port: try reader.integer(.slaves)))
      }
      self = .slave(slaves)
    case .resend:
      var frames: [UInt32] = []
      for _ in 0..<(try reader.count(.frames, entrySize: 4)) { frames.append(try reader.integer(.frames)) }
      self = .resend(frames)
    }
    try reader.end()
  }

  /// The message as a datagram.
  package func encoded() -> ByteBuffer {
    var buffer = ByteBuffer()
    WireHeader.write(magic: Self.magic, type: kind.rawValue, into: &buffer)
    switch self {
    case .join, .listen, .leave: break
    case .audio(let frame): frame.write(into: &buffer)
    case .track(let track): track.write(into: &buffer)
    case .metatext(let metatext): metatext.write(into: &buffer)
    case .slave(let slaves):
      buffer.writeInteger(UInt32(truncatingIfNeeded: slaves.count))
      for slave in slaves { buffer.writeMultipleIntegers(slave.address.bits, slave.port) }
    case .resend(let frames):
      buffer.writeInteger(UInt32(truncatingIfNeeded: frames.count))
      for frame in frames { buffer.writeInteger(frame) }
    }
    WireHeader.seal(&buffer)
    return buffer
  }

  private var kind: Kind {
    switch self {
    case .join: .join
    case .listen: .listen
    case .leave: .leave
    case .audio: .audio
    case .track: .track
    case .metatext: .metatext
    case .slave: .slave
    case .resend: .resend
    }
  }
}

/// What is playing.
package struct TrackInfo: Sendable, Hashable {
  /// Counts the tracks of the sender.
  package var sequence: UInt32
  /// Empty before anything plays.
  package var uri: String
  /// DIDL-Lite.
  package var metadata: String

  package init(sequence: UInt32, uri: String, metadata: String) {
    self.sequence = sequence
    self.uri = uri
    self.metadata = metadata
  }

  init(_ reader: inout WireReader) throws(WireError) {
    sequence = try reader.integer(.sequence)
    let uriSize: UInt32 = try reader.integer(.uri)
    let metadataSize: UInt32 = try reader.integer(.metadata)
    uri = try reader.text(.uri, uriSize, limit: WireLimits.trackURI)
    metadata = try reader.text(.metadata, metadataSize)
  }

  func write(into buffer: inout ByteBuffer) {
    buffer.writeMultipleIntegers(
      sequence, UInt32(truncatingIfNeeded: uri.utf8.count), UInt32(truncatingIfNeeded: metadata.utf8.count))
    buffer.writeString(uri)
    buffer.writeString(metadata)
  }
}

/// A text that changes within a track, such as a station's title.
package struct Metatext: Sendable, Hashable {
  /// Counts the texts of the track.
  package var sequence: UInt32
  package var text: String

  package init(sequence: UInt32, text: String) {
    self.sequence = sequence
    self.text = text
  }

  init(_ reader: inout WireReader) throws(WireError) {
    sequence = try reader.integer(.sequence)
    text = try reader.text(.metatext, try reader.integer(.metatext))
  }

  func write(into buffer: inout ByteBuffer) {
    buffer.writeMultipleIntegers(sequence, UInt32(truncatingIfNeeded: text.utf8.count))
    buffer.writeString(text)
  }
}
