import Testing

@testable import Playback

@Suite struct PlaylistRecordTests {
  private static let track = PlaylistTrack(uri: "http://host/é", metadata: "e\u{301}\r\n\u{0}🎵")
  private static let changes: [PlaylistChange] = [
    .insert(id: 7, after: 0, track), .insert(id: .max, after: 7, PlaylistTrack(uri: "", metadata: "")), .delete(id: 7),
    .deleteAll, .current(9), .lastID(70_000), .repeats(true), .repeats(false), .shuffles(true), .closed,
  ]

  /// The check value of the CRC's own definition.
  @Test func theChecksumIsTheUsualOne() {
    let bytes = Array("123456789".utf8)
    #expect(bytes.withUnsafeBytes { CRC32.of($0) } == 0xCBF4_3926)
  }

  /// Long texts are summed eight bytes at a time.
  @Test func theChecksumIsTheSameInPieces() {
    let bytes = Sound(seconds: 0.001, seed: 1).samples
    let whole = bytes.withUnsafeBytes { CRC32.of($0) }
    for count in 0..<bytes.count {
      let (head, tail) = (Array(bytes[..<count]), Array(bytes[count...]))
      let sum = head.withUnsafeBytes { CRC32.of($0) }
      #expect(tail.withUnsafeBytes { CRC32.of($0, after: sum) } == whole)
    }
    let single = bytes.reduce(UInt32(0)) { sum, byte in [byte].withUnsafeBytes { CRC32.of($0, after: sum) } }
    #expect(single == whole)
  }

  @Test func aRecordIsReadBack() {
    var bytes: [UInt8] = []
    PlaylistRecord.append(Self.changes, batch: 3, nonce: 0xABCD_EF01, to: &bytes)
    #expect(bytes.withUnsafeBytes { PlaylistRecord.length($0, nonce: 0xABCD_EF01) } == bytes.count)
    #expect(bytes.withUnsafeBytes { PlaylistRecord.length($0, nonce: 1) } == nil)
    let record = bytes.withUnsafeBytes { PlaylistRecord.read($0) }
    #expect(record?.batch == 3)
    #expect(record?.changes == Self.changes)
    guard case .insert(_, _, let track)? = record?.changes.first else { return }
    #expect(Array(track.metadata.utf8) == Array(Self.track.metadata.utf8))
  }

  @Test func anInsertIsAsLongAsIsReckoned() {
    var bytes: [UInt8] = []
    PlaylistRecord.append([.insert(id: 7, after: 0, Self.track)], batch: 1, nonce: 1, to: &bytes)
    #expect(bytes.count == PlaylistRecord.insertLength + Self.track.bytes)
  }

  @Test func noBitMayBeWrong() {
    var bytes: [UInt8] = []
    PlaylistRecord.append(Self.changes, batch: 3, nonce: 5, to: &bytes)
    for bit in 0..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << (bit % 8)
      // In its length it is one of another length, which the checksum is about, too.
      let record = damaged.withUnsafeBytes { PlaylistRecord.read($0) }
      #expect(record == nil)
    }
  }

  @Test func theHeaderIsReadBack() throws {
    let header = PlaylistRecord.Header(nonce: 0x1234_5678, baseEnd: 99)
    let bytes = PlaylistRecord.bytes(header)
    #expect(bytes.count == PlaylistRecord.headerLength)
    #expect(try PlaylistRecord.header(bytes + [1, 2, 3]) == header)
    for bit in 0..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: PlaylistRecord.HeaderError.self) { try PlaylistRecord.header(damaged) }
    }
    for count in 0..<bytes.count {
      #expect(throws: PlaylistRecord.HeaderError.damaged) { try PlaylistRecord.header(Array(bytes.prefix(count))) }
    }
    #expect(throws: PlaylistRecord.HeaderError.laterVersion) {
      try PlaylistRecord.header(Array("swiftlet playlist 12\nwhatever".utf8))
    }
  }
}
