import Glibc
import NIOCore
import Songcast
import Testing

/// Decodes what reference programs sent, and encodes it again.
@Suite struct RecordingTests {
  /// Where `Tests/fixtures/songcast.py --all` has written all datagrams.
  private static let all = getenv("SONGCAST_DATAGRAMS").map { String(cString: $0) }

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

  @Test(.enabled(if: all != nil)) func everyRecordedDatagramSurvives() throws {
    let counts = try Self.check(Recording(path: try #require(Self.all)))
    #expect(
      counts == [
        "OHM.Join": 95, "OHM.Listen": 86, "OHM.Leave": 41, "OHM.Audio": 34158, "OHM.Track": 146, "OHM.Metatext": 122,
        "OHM.Slave": 29, "OHM.Resend": 543, "OHZ.ZoneQuery": 48, "OHZ.ZoneUri": 326, "OHZ.PresetInfo": 7,
        "OHZ.PresetQuery": 2,
      ])
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
