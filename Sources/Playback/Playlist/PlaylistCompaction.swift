/// A new file of the playlist that holds nothing of what was deleted, made in pieces beside the one in use.
struct PlaylistCompaction {
  private let file: any StateFile
  private let contents: PlaylistContents
  private let nonce: UInt32
  private var end = PlaylistRecord.headerLength
  /// How many tracks are written.
  private var done = 0
  /// What has changed since it began.
  private var changes: [[PlaylistChange]] = []

  init(of contents: PlaylistContents, to file: any StateFile) {
    self.contents = contents
    self.file = file
    nonce = .random(in: 0...UInt32.max)
  }

  /// - Parameter changes: what has been applied to the list that this is of.
  mutating func note(_ changes: [[PlaylistChange]]) { self.changes += changes }

  /// Writes a piece of so many bytes, about.
  /// - Returns: whether tracks are left.
  mutating func write(piece length: Int) throws(StateError) -> Bool {
    var bytes: [UInt8] = []
    while done < contents.ids.count, bytes.count < length {
      let id = contents.ids[done]
      if let track = contents.tracks[id] {
        append([.insert(id: id, after: done > 0 ? contents.ids[done - 1] : 0, track)], to: &bytes)
      }
      done += 1
    }
    try write(bytes)
    return done < contents.ids.count
  }

  /// Writes what else there is; now the file may take the other one's place.
  mutating func finish() throws(StateError) -> (file: any StateFile, nonce: UInt32, end: Int) {
    var bytes: [UInt8] = []
    let settings: [PlaylistChange] = [
      .lastID(contents.lastID), .current(contents.currentID), .repeats(contents.repeats), .shuffles(contents.shuffles),
    ]
    append(settings + (contents.isClosed ? [.closed] : []), to: &bytes)
    for changes in changes { append(changes, to: &bytes) }
    try file.write(PlaylistRecord.bytes(.init(nonce: nonce, baseEnd: UInt32(end + bytes.count))), at: 0)
    try write(bytes)
    return (file, nonce, end)
  }

  private func append(_ changes: [PlaylistChange], to bytes: inout [UInt8]) {
    PlaylistRecord.append(changes, batch: 0, nonce: nonce, to: &bytes)
  }

  private mutating func write(_ bytes: [UInt8]) throws(StateError) {
    try file.write(bytes, at: end)
    try file.sync()
    end += bytes.count
  }
}
