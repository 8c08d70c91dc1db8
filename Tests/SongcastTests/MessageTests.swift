import NIOCore
import Network
import Songcast
import Testing

private let longestZone = "ohz://239.255.255.250:51972/" + String(repeating: "z", count: 256)

@Suite struct MessageTests {
  // MARK: Bytes

  private static let messages: [(OHMMessage, String)] = [
    (OHMMessage.join, "4f686d2001000008"), (.listen, "4f686d2001010008"), (.leave, "4f686d2001020008"),
    (.slave([endpoint("192.168.1.10:51970")]), "4f686d200106001200000001c0a8010acb02"),
    (.slave([]), "4f686d200106000c00000000"),
    (.resend([93, 0x1_0203]), "4f686d2001070014000000020000005d00010203"),
    (.metatext(Metatext(sequence: 2, text: "ü")), "4f686d20010500120000000200000002c3bc"),
    (.track(TrackInfo(sequence: 1, uri: "u", metadata: "<>")), "4f686d2001040017000000010000000100000002753c3e"),
  ]

  @Test(arguments: messages) func encodesEachMessage(message: OHMMessage, hex: String) throws {
    let bytes = try ByteBuffer(plainHexEncodedBytes: hex)
    #expect(message.encoded() == bytes)
    #expect(try OHMMessage(bytes) == message)
  }

  private static let zoneMessages: [(OHZMessage, String)] = [
    (OHZMessage.zoneQuery(zone: "abc"), "4f687a200100000f00000003616263"),
    (.zoneURI(zone: "a", uri: "ohu://0.0.0.0:0"), "4f687a2001010020000000010000000f616f68753a2f2f302e302e302e303a30"),
    (.presetQuery(preset: 7), "4f687a200102000c00000007"),
    (.presetInfo(preset: 7, metadata: "<>"), "4f687a200103001200000007000000023c3e"),
  ]

  @Test(arguments: zoneMessages) func encodesEachZoneMessage(message: OHZMessage, hex: String) throws {
    let bytes = try ByteBuffer(plainHexEncodedBytes: hex)
    #expect(message.encoded() == bytes)
    #expect(try OHZMessage(bytes) == message)
  }

  @Test func encodesAFrameWithStampsAndVolume() throws {
    var frame = frame(number: 5)
    frame.flags = [.halt, .timestamped, .timestamped2, .resent]
    (frame.networkTimestamp, frame.mediaTimestamp, frame.volumeOffset) = (0x0102_0304, 0x0506_0708, -2)
    let bytes = OHMMessage.audio(frame).encoded()
    #expect(bytes.getInteger(at: 9, as: UInt8.self) == 29)
    #expect(bytes.getInteger(at: 52, as: Int16.self) == -2)
    #expect(try OHMMessage(bytes) == .audio(frame))
  }

  @Test func limitsTheLatency() {
    var frame = frame(number: 1)
    #expect(frame.latency == .milliseconds(100))
    frame.mediaLatency = .max
    #expect(frame.latency == .seconds(1))
  }

  // MARK: Errors

  private static let invalidMessages: [(String, WireError)] = [
    ("", WireError.truncated(.header)), ("4f686d20010000", .truncated(.header)),
    ("4f687a2001000008", .foreign), ("4f686d2002000008", .version(2)), ("4f686d2001080008", .type(8)),
    ("4f686d2001ff0008", .type(255)), ("4f686d2001000007", .size(announced: 7, actual: 8)),
    ("4f686d200100ffff", .size(announced: 65535, actual: 8)), ("4f686d200100000900", .trailing(count: 1)),
    ("4f686d2001060008", .truncated(.slaves)), ("4f686d200106000cffffffff", .truncated(.slaves)),
    ("4f686d200107000cffffffff", .truncated(.frames)), ("4f686d20010700100000000200000000", .truncated(.frames)),
    ("4f686d2001040014000000000000040100000000", .tooLong(.uri, count: 1025, limit: 1024)),
    ("4f686d2001040014000000000000000100000000", .truncated(.uri)),
    ("4f686d20010400140000000000000000ffffffff", .tooLong(.metadata, count: 4_294_967_295, limit: 65507)),
    ("4f686d20010500100000000000000001", .truncated(.metatext)),
    ("4f686d200105000900", .truncated(.sequence)),
  ]

  @Test(arguments: invalidMessages) func refusesInvalidMessages(hex: String, error: WireError) throws {
    let bytes = try ByteBuffer(plainHexEncodedBytes: hex)
    #expect(throws: error) { try OHMMessage(bytes) }
  }

  private static let invalidZoneMessages: [(String, WireError)] = [
    ("4f686d2001000008", WireError.foreign), ("4f687a2001040008", .type(4)),
    ("4f687a200100000c00000101", .tooLong(.zone, count: 257, limit: 256)),
    ("4f687a200100000c00000001", .truncated(.zone)),
    ("4f687a2001010010000000000000003d", .tooLong(.uri, count: 61, limit: 60)),
    ("4f687a200102000a0000", .truncated(.preset)),
    ("4f687a20010300100000000000000001", .truncated(.metadata)),
  ]

  @Test(arguments: invalidZoneMessages) func refusesInvalidZoneMessages(hex: String, error: WireError) throws {
    let bytes = try ByteBuffer(plainHexEncodedBytes: hex)
    #expect(throws: error) { try OHZMessage(bytes) }
  }

  /// Changes one byte of a valid frame.
  private static let invalidFrames: [(Int, Int, WireError)] = [
    (8, 49, WireError.invalid(.audioHeader, value: 49)), (8, 51, .invalid(.audioHeader, value: 51)),
    (11, 111, .truncated(.audio)), (11, 109, .trailing(count: 2)),
    (10, 255, .tooLong(.audio, count: 130_780, limit: 5760)),
    (47, 35, .invalid(.sampleRate, value: 22051)), (54, 0, .invalid(.bitDepth, value: 0)),
    (54, 32, .invalid(.bitDepth, value: 32)), (55, 0, .invalid(.channels, value: 0)),
    (55, 9, .invalid(.channels, value: 9)),
    (57, 30, .tooLong(.codec, count: 30, limit: 29)), (57, 4, .truncated(.audio)),
  ]

  @Test(arguments: invalidFrames) func refusesInvalidFrames(offset: Int, byte: Int, error: WireError) {
    var frame = frame(number: 5, samples: 110)
    frame.sampleRate = 22050
    var bytes = OHMMessage.audio(frame).encoded()
    bytes.setInteger(UInt8(byte), at: offset)
    #expect(throws: error) { try OHMMessage(bytes) }
  }

  @Test func refusesEveryTruncatedFrame() {
    let bytes = OHMMessage.audio(frame(number: 5, samples: 2)).encoded()
    for count in 0..<bytes.readableBytes {
      var bytes = bytes.getSlice(at: 0, length: count) ?? ByteBuffer()
      if count >= 8 { bytes.setInteger(UInt16(count), at: 6) }
      #expect(throws: WireError.self) { try OHMMessage(bytes) }
    }
  }

  // MARK: URIs

  private static let uris: [(String, SongcastURI)] = [
    ("ohm://239.253.1.44:51970", SongcastURI.channel(300)), ("ohm://239.253.0.0:51970", .channel(0)),
    ("ohm://239.253.255.255:51970", .channel(65535)), ("ohu://192.0.2.1:40000", .unicast(endpoint("192.0.2.1:40000"))),
    ("ohu://0.0.0.0:0", .none), ("ohz://239.255.255.250:51972/a", .zone("a")),
    ("ohz://239.255.255.250:51972/a/b", .zone("a/b")),
    (longestZone, .zone(String(repeating: "z", count: 256))),
  ]

  @Test(arguments: uris) func readsAndWritesURIs(text: String, uri: SongcastURI) {
    #expect(SongcastURI(text) == uri)
    #expect(uri.description == text)
  }

  @Test func anyNoneIsNone() { #expect(SongcastURI("ohm://0.0.0.0:0") == SongcastURI.none) }

  private static let otherURIs: [String] = [
    "", "ohm://", "ohu://192.0.2.1", "ohu://192.0.2.1:0", "ohu://0.0.0.0:1", "ohu://192.0.2.1:65536",
    "ohu://192.0.2.1:+1",
    "ohu://239.253.1.44:51970", "ohu://255.255.255.255:1", "ohm://192.0.2.1:51970", "ohm://239.253.1.44:51970/",
    "ohu://speaker:1", "ohu://192.0.2.1:1:1", "http://192.0.2.1:80", "ohz://239.255.255.250:51972/",
    "ohz://239.255.255.250:51972", "ohz://239.255.255.250:51973/a", "ohz://239.253.1.44:51972/a",
    longestZone + "z",
  ]

  @Test(arguments: otherURIs) func refusesOtherURIs(text: String) {
    #expect(SongcastURI(text) == nil)
  }
}
