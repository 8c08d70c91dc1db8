import Glibc
import PlaybackModel
import PlaybackTestKit
import SQLite
import Testing

@testable import PlaybackStore

@Suite struct StateStoreTests {
  private let folder: TemporaryFolder
  private let log = LogRecorder()

  init() throws { folder = try TemporaryFolder() }

  private func store(_ folder: TemporaryFolder, _ schedule: WriteSchedule = WriteSchedule()) throws -> StateStore {
    try StateStore(folder: StateFolder(path: folder.path), schedule: schedule, logger: log.logger)
  }

  private func text(_ value: Int) -> StateText {
    var text = StateText()
    text.add("value", value)
    return text
  }

  private func track(_ number: Int) -> PlaylistTrack {
    PlaylistTrack(uri: "http://host/\(number)", metadata: String(repeating: "é", count: number))
  }

  private func append(_ count: Int, to list: inout Playlist, _ store: StateStore) throws {
    for _ in 0..<count {
      _ = try list.insert(track(list.count), after: list.ids.last ?? 0)
      store.keep(list.takeChanges())
    }
  }

  /// Waits until the files contain the text; fails after 30 s.
  private func wait(for text: String) async throws {
    let bytes = Array(text.utf8)
    try await waitFor("\(text) on the disk") {
      folder.names.contains { name in
        (try? folder.read(name)).map { $0.firstRange(of: bytes) != nil } ?? false
      }
    }
  }

  // MARK: Restarts

  @Test func settingsSurviveRestart() async throws {
    let first = try store(folder)
    #expect(first.load("sound") == nil)
    first.keep(text(1), as: "sound")
    first.keep(text(2), as: "pins")
    first.keep(text(3), as: "sound")
    await first.shutdown()
    #expect(folder.names == ["state.db"])

    let second = try store(folder)
    #expect(second.load("sound") == text(3))
    #expect(second.load("pins") == text(2))
    await second.shutdown()
    #expect(log.lines.isEmpty)
  }

  @Test func playlistSurvivesRestart() async throws {
    let first = try store(folder)
    var list = first.takePlaylist()
    try append(5, to: &list, first)
    _ = try list.delete(2)
    try list.select(4)
    list.setRepeats(true)
    list.setShuffles(true)
    first.keep(list.takeChanges())
    await first.shutdown()

    let second = try store(folder)
    var again = second.takePlaylist()
    #expect(again.ids == [1, 3, 4, 5])
    #expect(again.ids.map { again.track($0) } == list.ids.map { list.track($0) })
    #expect(again.currentID == 4)
    #expect(again.repeats)
    #expect(again.shuffles)
    #expect(again.token != list.token)
    let id = try again.insert(track(1), after: 0)
    #expect(id == 6)
    #expect(second.takePlaylist().count == 0)
    await second.shutdown()
  }

  @Test func idCounterOutlivesTracks() async throws {
    let first = try store(folder)
    var list = first.takePlaylist()
    try append(3, to: &list, first)
    _ = list.deleteAll()
    first.keep(list.takeChanges())
    await first.shutdown()
    let second = try store(folder)
    var again = second.takePlaylist()
    let id = try again.insert(track(1), after: 0)
    #expect(id == 4)
    await second.shutdown()
  }

  @Test func commitIsOnDiskWhenItReturns() async throws {
    let first = try store(folder)
    try first.commit(text(1), as: "device")
    let killed = try folder.copy()
    await first.shutdown()
    let second = try store(killed)
    #expect(second.load("device") == text(1))
    await second.shutdown()
  }

  /// Regression: the thread had taken the changes and not yet written them, so `flush` found nothing to write and returned.
  @Test func flushWaitsForChangesThatTheThreadIsWriting() async throws {
    let first = try store(folder, WriteSchedule(interval: .zero))
    // Large, so that a write takes longer than waking the thread.
    let padding = String(repeating: "x", count: 1_000_000)
    for number in 1...30 {
      var text = self.text(number)
      text.add("padding", padding)
      first.keep(text, as: "sound")
      // The thread takes the changes within a fraction of a millisecond.
      let start = ContinuousClock.now
      while start.duration(to: .now) < .microseconds(20 * number) {}
      try first.flush()
      let killed = try folder.copy()
      let second = try store(killed)
      let saved = second.load("sound")?.value("value", as: Int.self)
      await second.shutdown()
      #expect(saved == number)
    }
    await first.shutdown()
  }

  @Test func changesAfterShutdownAreNotWritten() async throws {
    let first = try store(folder)
    await first.shutdown()
    first.keep(text(1), as: "sound")
    await first.shutdown()
    let second = try store(folder)
    #expect(second.load("sound") == nil)
    await second.shutdown()
  }

  @Test func invalidSettingsAreSetAside() async throws {
    let first = try store(folder)
    try first.commit(text(1), as: "sound")
    await first.shutdown()
    let second = try store(folder)
    second.setAside("sound")
    await second.shutdown()
    let third = try store(folder)
    #expect(third.load("sound") == nil)
    #expect(third.load("sound.unreadable") == text(1))
    await third.shutdown()
    #expect(log.lines.count == 1)
  }

  // MARK: Kills

  /// Ids assigned in the last second before a kill are not reused.
  @Test func idsAreNotReusedAfterKill() async throws {
    let first = try store(folder, WriteSchedule(interval: .seconds(3600)))
    var list = first.takePlaylist()
    try append(1, to: &list, first)
    try await wait(for: "http://host/0")
    // No write happens between here and the kill.
    try append(7000, to: &list, first)
    let killed = try folder.copy()
    await first.shutdown()

    var highest = list.ids.last ?? 0
    for _ in 0..<3 {
      let again = try store(killed)
      var list = again.takePlaylist()
      #expect(list.ids == [1])
      let id = try list.insert(track(1), after: 0)
      #expect(id > highest)
      highest = id
      let next = try killed.copy()
      await again.shutdown()
      for name in killed.names { unlink("\(killed.path)/\(name)") }
      for name in next.names { try killed.write(name, next.read(name)) }
    }
  }

  /// Truncating a file anywhere leads to an earlier state or to setting the database aside.
  @Test func truncatedFileIsEarlierStateOrSetAside() async throws {
    let (files, states) = try await filesOfARun()
    for name in files.names {
      let whole = try files.read(name)
      for end in stride(from: 0, to: whole.count, by: 997) {
        let damaged = try files.copy()
        try damaged.write(name, Array(whole.prefix(end)))
        try await expectAState(of: damaged, oneOf: states + [[]], "\(name) cut at \(end)")
      }
    }
  }

  /// Random bytes in the database never crash the program. They may change a text, since SQLite has no checksum for it.
  @Test func randomBytesDoNotCrash() async throws {
    var random = SplitMix(state: 4711)
    let (files, _) = try await filesOfARun()
    for name in files.names {
      let whole = try files.read(name)
      for _ in 0..<60 {
        let damaged = try files.copy()
        var bytes = whole
        let place = Int.random(in: 0..<bytes.count - 16, using: &random)
        for offset in 0..<16 { bytes[place + offset] = UInt8.random(in: 0...255, using: &random) }
        try damaged.write(name, bytes)
        let store = try store(damaged)
        var list = store.takePlaylist()
        _ = try list.insert(track(1), after: list.ids.last ?? 0)
        store.keep(list.takeChanges())
        store.keep(text(9), as: "sound")
        await store.shutdown()
        let again = try self.store(damaged)
        #expect(again.load("sound") == text(9), "\(name) at \(place)")
        #expect(again.takePlaylist().ids == list.ids, "\(name) at \(place)")
        await again.shutdown()
      }
    }
  }

  /// The files of a program killed after several commits, and the lists that it committed.
  private func filesOfARun() async throws -> (TemporaryFolder, [[UInt32]]) {
    let folder = try TemporaryFolder()
    var writer = try StateWriter(folder: StateFolder(path: folder.path), logger: log.logger)
    var list = Playlist(writer.contents)
    var states: [[UInt32]] = []
    for round in 0..<8 {
      _ = try list.insert(track(round * 100), after: round % 2 == 0 ? 0 : list.ids.last ?? 0)
      if round == 5 { _ = try list.delete(list.ids[0]) }
      try writer.write(sections: ["sound": text(round)], changes: list.takeChanges())
      states.append(list.ids)
    }
    let files = try folder.copy()
    writer.close()
    return (files, states)
  }

  private func expectAState(of folder: TemporaryFolder, oneOf states: [[UInt32]], _ what: Comment) async throws {
    let store = try store(folder)
    let ids = store.takePlaylist().ids
    await store.shutdown()
    #expect(states.contains(ids), what)
  }

  // MARK: Damage and full disks

  @Test func damagedDatabaseIsSetAsideWithJournal() async throws {
    let wrong = Array(repeating: UInt8(7), count: 9000)
    for name in ["state.db", "state.db-wal", "state.db-shm"] { try folder.write(name, wrong) }
    let first = try store(folder)
    first.keep(text(1), as: "sound")
    await first.shutdown()
    let names = folder.names
    #expect(names.count == 4)
    let aside = try #require(names.first { $0.hasPrefix("state.db.unreadable-") })
    #expect(names == ["state.db", aside, aside + "-shm", aside + "-wal"])
    for name in names.dropFirst() { #expect(try folder.read(name) == wrong) }
    #expect(
      log.lines == [
        "warning: \(folder.path)/state.db is damaged (it is not a database with a WAL). It is kept as \(aside), and replaced by "
          + "a new one."
      ])
    let second = try store(folder)
    #expect(second.load("sound") == text(1))
    await second.shutdown()
  }

  @Test func databaseOfLaterVersionIsSetAside() async throws {
    do {
      let later = try Database(path: "\(folder.path)/state.db")
      try later.run("PRAGMA journal_mode = WAL")
      try later.run("PRAGMA user_version = 2")
    }
    let content = try folder.read("state.db")
    let store = try store(folder)
    store.keep(text(1), as: "sound")
    await store.shutdown()
    let aside = try #require(folder.names.first { $0.hasPrefix("state.db.unreadable-") })
    #expect(try folder.read(aside) == content)
    #expect(log.lines.first?.contains("was written by a later version of this program") == true)
  }

  /// SQLite reports a full disk when a database may not grow.
  @Test func fullDiskLosesNothing() throws {
    let folder = try StateFolder(path: folder.path)
    var writer = try StateWriter(folder: folder, logger: log.logger, maximumPages: 8)
    var list = Playlist(writer.contents)
    let large = PlaylistTrack(uri: "http://host/", metadata: String(repeating: "x", count: 30_000))
    _ = try list.insert(track(1), after: 0)
    try writer.write(changes: list.takeChanges())
    for _ in 0..<2 {
      _ = try list.insert(large, after: 1)
      let changes = list.takeChanges()
      let error = #expect(throws: StateError.self) { try writer.write(changes: changes) }
      #expect(error?.description == "Cannot write \(folder.path)/state.db: database or disk is full.")
      #expect(throws: StateError.self) { try writer.write() }
    }
    // With room again, all waiting changes are written.
    for id in list.ids where id > 1 { _ = try list.delete(id) }
    try writer.write(sections: ["sound": text(2)], changes: list.takeChanges())
    writer.close()
    let reader = try StateWriter(folder: folder, logger: log.logger)
    #expect(reader.contents.ids == [1])
    #expect(reader.sections["sound"] == text(2))
  }

  /// Waiting changes are limited to the size of the playlist, which is then written as a whole.
  @Test func manyWaitingChangesBecomeOneList() throws {
    let folder = try StateFolder(path: folder.path)
    var writer = try StateWriter(folder: folder, logger: log.logger, maximumPages: 8)
    var list = Playlist(writer.contents)
    let large = PlaylistTrack(uri: "http://host/", metadata: String(repeating: "x", count: 30_000))
    for _ in 0..<200 {
      _ = list.deleteAll()
      _ = try list.insert(large, after: 0)
      _ = try list.insert(large, after: 0)
      let changes = list.takeChanges()
      #expect(throws: StateError.self) { try writer.write(changes: changes) }
    }
    _ = list.deleteAll()
    _ = try list.insert(track(3), after: 0)
    try writer.write(changes: list.takeChanges())
    writer.close()
    let reader = try StateWriter(folder: folder, logger: log.logger)
    #expect(reader.contents.ids == list.ids)
  }

  @Test(
    arguments: [
      // last id, reserved before, reserved after
      (0, 0, 16_384), (1, 16_384, 16_384), (8_192, 16_384, 16_384), (8_193, 16_384, 24_577),
      (.max - 8_192, 0, .max), (.max, .max, .max),
    ] as [(UInt32, UInt32, UInt32)])
  func idsAreReservedAhead(last: UInt32, before: UInt32, after: UInt32) {
    #expect(StateWriter.reservation(for: last, reserved: before) == after)
  }
}
