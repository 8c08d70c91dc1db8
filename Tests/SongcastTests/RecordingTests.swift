import NIOCore
import Songcast
import Testing

/// Decodes what reference programs sent, and encodes it again.
@Suite struct RecordingTests {
  @Test func everyKindOfMessageSurvives() throws {
    let counts = try Self.check(Recording("messages.txt"))
    #expect(
      counts == [
        "OHM.Join": 1, "OHM.Listen": 1, "OHM.Leave": 1, "OHM.Audio": 26, "OHM.Track": 4, "OHM.Metatext": 2,
        "OHM.Slave": 3, "OHM.Resend": 5, "OHZ.ZoneQuery": 1, "OHZ.ZoneUri": 3, "OHZ.PresetInfo": 2,
        "OHZ.PresetQuery": 1,
      ])
  }

  @Test func aStreamSurvives() throws {
    let counts = try Self.check(Recording("stream.txt"))
    #expect(counts["OHM.Audio"] == 260)
  }

  /// Changes each byte of the headers and of short messages: what is still read must be written the same.
  @Test func brokenMessagesAreRefusedOrRead() throws {
    var refused = 0
    for datagram in try Recording("messages.txt").datagrams {
      for offset in 0..<min(datagram.bytes.readableBytes, 80) {
        for change: UInt8 in [0x01, 0x80, 0xFF] {
          var bytes = datagram.bytes
          let byte = try #require(bytes.getInteger(at: offset, as: UInt8.self))
          bytes.setInteger(byte ^ change, at: offset)
          if let message = try? OHMMessage(bytes) {
            #expect(try OHMMessage(message.encoded()) == message)
          } else if let message = try? OHZMessage(bytes) {
            #expect(try OHZMessage(message.encoded()) == message)
          } else {
            refused += 1
          }
        }
      }
    }
    // At least the eight bytes of each header.
    #expect(refused > 50 * 8 * 2)
  }

  /// - Returns: how many datagrams of each type there are.
  private static func check(_ recording: Recording) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for datagram in recording.datagrams {
      let name: String
      let again: ByteBuffer
      if datagram.type.hasPrefix("OHM") {
        let message = try OHMMessage(datagram.bytes)
        (name, again) = (message.name, message.encoded())
      } else {
        let message = try OHZMessage(datagram.bytes)
        (name, again) = (message.name, message.encoded())
        if case .zoneURI(_, let uri) = message { #expect(SongcastURI(uri)?.description == uri) }
      }
      #expect(name == datagram.type)
      #expect(again == datagram.bytes, "\(datagram.type)")
      counts[name, default: 0] += 1
    }
    return counts
  }
}
