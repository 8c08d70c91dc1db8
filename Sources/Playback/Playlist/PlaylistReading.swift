/// What is found in the playlist's file.
enum PlaylistReading {
  case list(Found)
  case laterVersion
  /// Something is damaged that had been written safely.
  case damaged

  struct Found {
    var contents = PlaylistContents()
    var nonce: UInt32
    /// The number of the last batch.
    var batch: UInt32 = 0
    /// Where the records end; what is beyond was being written when the power went.
    var end: Int
    /// Of the file.
    var size: Int
  }

  /// Reads a file to its end.
  init(_ file: any StateFile) throws(StateError) {
    var reader = Reader(file: file, size: try file.size())
    let head = try file.read(PlaylistRecord.headerLength, at: 0)
    let header: PlaylistRecord.Header
    do throws(PlaylistRecord.HeaderError) {
      header = try PlaylistRecord.header(head)
    } catch {
      self = error == .laterVersion ? .laterVersion : .damaged
      return
    }
    var found = Found(nonce: header.nonce, end: PlaylistRecord.headerLength, size: reader.size)
    while let (record, length) = try reader.record(at: found.end, nonce: header.nonce) {
      let isOfBase = found.end < header.baseEnd
      guard record.batch == found.batch || !isOfBase && record.batch == found.batch + 1 else { break }
      for change in record.changes {
        guard found.contents.apply(change) else {
          self = .damaged
          return
        }
      }
      found.batch = record.batch
      found.end += length
    }
    // The last batch may be torn anywhere. Later ones were begun only when it was safe.
    if found.end < header.baseEnd {
      self = .damaged
    } else {
      let isDamaged = try reader.hasRecord(from: found.end, after: found.batch + 1, header.nonce)
      self = isDamaged ? .damaged : .list(found)
    }
  }

  /// Reads a file in large pieces.
  private struct Reader {
    private static let pieceLength = 1 << 20

    let file: any StateFile
    let size: Int
    private var piece: [UInt8] = []
    private var start = 0

    init(file: any StateFile, size: Int) {
      self.file = file
      self.size = size
    }

    /// The record at an offset, and its length; nil if none is there, whole.
    mutating func record(
      at offset: Int, nonce: UInt32
    ) throws(StateError) -> (record: (batch: UInt32, changes: [PlaylistChange]), length: Int)? {
      let head = PlaylistRecord.recordHeaderLength
      guard let length = try bytes(head, at: offset, { PlaylistRecord.length($0, nonce: nonce) }) ?? nil,
        let record = try bytes(length, at: offset, { PlaylistRecord.read($0) }) ?? nil
      else { return nil }
      return (record, length)
    }

    /// Whether a whole record of a batch later than the given one begins anywhere from the offset on.
    mutating func hasRecord(from offset: Int, after batch: UInt32, _ nonce: UInt32) throws(StateError) -> Bool {
      var offset = offset
      while offset + PlaylistRecord.recordHeaderLength <= size {
        if let (record, _) = try record(at: offset, nonce: nonce), record.batch > batch { return true }
        offset += 1
      }
      return false
    }

    /// Lets the body see some bytes of the file; nil if they go beyond its end.
    private mutating func bytes<T>(
      _ count: Int, at offset: Int, _ body: (UnsafeRawBufferPointer) -> T
    ) throws(StateError) -> T? {
      guard offset + count <= size else { return nil }
      if offset < start || offset + count > start + piece.count {
        piece = try file.read(max(count, min(Self.pieceLength, size - offset)), at: offset)
        start = offset
        // The file has become shorter.
        guard piece.count >= count else { return nil }
      }
      let place = offset - start
      return piece.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[place..<place + count])) }
    }
  }
}
