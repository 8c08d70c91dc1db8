import PlaybackModel
import PlaybackTestKit
import SQLite
import Testing

@testable import PlaybackStore

@Suite struct StateDatabaseTests {
  private let folder: TemporaryFolder
  private var path: String { "\(folder.path)/state.db" }

  init() throws { folder = try TemporaryFolder() }

  private func track(_ number: Int) -> PlaylistTrack {
    PlaylistTrack(uri: "http://host/\(number)", metadata: String(repeating: "é\0", count: number % 50))
  }

  /// Commits survive power cuts only with these two pragmas.
  @Test func journalIsWALWithFullSync() throws {
    let database = try StateDatabase(path: path)
    #expect(try database.pragma("journal_mode") == "wal")
    #expect(try database.pragma("synchronous") == "2")
  }

  @Test(arguments: ["", "\n", "a'b\"c;--", "é 🎵", "e\u{301}\n\u{301}", "zero\0byte"])
  func valuesMayHoldAnyText(value: String) throws {
    var text = StateText()
    text.add(value, 1)
    text.add("title", value)
    try StateDatabase(path: path).replace("a section", with: text)
    let read = try StateDatabase(path: path).settings()["a section"]
    // String equality ignores the difference between composed and decomposed letters.
    #expect(read?.values("title").map { Array($0.utf8) } == [Array(value.utf8)])
    #expect(read?.lines.count == 2)
  }

  @Test func emptySectionIsRemoved() throws {
    var text = StateText()
    text.add("volume", 1)
    let database = try StateDatabase(path: path)
    try database.replace("speaker", with: text)
    try database.replace("speaker", with: StateText())
    #expect(try database.settings().isEmpty)
  }

  /// Random edits, and a hundred inserts at one place, which use up the ranks between two tracks.
  @Test func tracksKeepTheOrderOfTheList() throws {
    var random = SplitMix(state: 4711)
    var contents = PlaylistContents()
    var open: StateDatabase? = try StateDatabase(path: path)
    for id in UInt32(1)...600 {
      var after = contents.ids.randomElement(using: &random) ?? 0
      if id > 300 { after = id <= 400 ? contents.ids[10] : Bool.random(using: &random) ? 0 : after }
      var changes: [PlaylistChange] = [.insert(id: id, after: after, track(Int(id)))]
      if id % 5 == 0, let old = contents.ids.randomElement(using: &random), old != after {
        changes.append(PlaylistChange.delete(id: old))
      }
      if id % 3 == 0 {
        // Exclude the track that the previous change deletes.
        let rest = contents.ids.filter { !changes.contains(.delete(id: $0)) }.shuffled(using: &random)
        changes.append(.move(ids: Array(rest.prefix(3)), after: rest.dropFirst(3).first ?? 0))
      }
      for change in changes {
        let isApplied = contents.apply(change)
        #expect(isApplied)
        try open?.apply(change)
      }
      if id % 50 == 0 {
        open = nil
        open = try StateDatabase(path: path)
        try expect(#require(open), contents)
      }
    }
    let database = try #require(open)
    try database.apply(.deleteAll)
    #expect(try database.tracks().isEmpty)
    try database.replaceTracks(contents)
    try expect(database, contents)
  }

  private func expect(_ database: StateDatabase, _ contents: PlaylistContents) throws {
    let tracks = try database.tracks()
    #expect(tracks.map { UInt32($0.id) } == contents.ids)
    #expect(tracks.map(\.track) == contents.ids.compactMap { contents.tracks[$0] })
  }

  @Test func failedTransactionChangesNothing() throws {
    let database = try StateDatabase(path: path)
    try database.apply(.insert(id: 1, after: 0, track(1)))
    #expect(throws: DatabaseError.self) {
      try database.transaction { () throws(DatabaseError) in
        try database.apply(.deleteAll)
        try database.apply(.insert(id: 2, after: 1, track(2)))
      }
    }
    #expect(try database.tracks().map(\.id) == [1])
  }

  @Test func otherFileIsReportedAsCorrupt() throws {
    try folder.write("state.db", Array("something else".utf8) + Array(repeating: 7, count: 9000))
    let error = #expect(throws: DatabaseError.self) { try StateDatabase(path: path) }
    #expect(error?.isCorruption == true)
  }
}
