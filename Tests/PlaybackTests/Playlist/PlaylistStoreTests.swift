import Testing

@testable import Playback

@Suite struct PlaylistStoreTests {
  private let log = LogRecorder()

  private func keeper(_ files: FilesInMemory) -> StateKeeper {
    StateKeeper(folder: StateFolder(path: "/state", files: files), logger: log.logger)
  }

  /// Inserts, and gives the changes to the store.
  private func insert(_ count: Int, into list: inout Playlist, _ store: PlaylistStore) throws {
    for number in 0..<count {
      _ = try list.insert(PlaylistTests.track(number), after: list.ids.last ?? 0)
      store.keep(list.takeChanges())
    }
  }

  @Test func theListIsThereAgainAfterARestart() async throws {
    let files = FilesInMemory()
    let first = keeper(files)
    let store = PlaylistStore(first)
    var list = store.takePlaylist()
    try insert(5, into: &list, store)
    _ = try list.delete(2)
    try list.select(4)
    list.setRepeats(true)
    list.setShuffles(true)
    store.keep(list.takeChanges())
    await first.shutdown()

    let second = keeper(files.afterPowerCut(namesAreSynced: false) { _ in [] })
    var again = PlaylistStore(second).takePlaylist()
    #expect(again.ids == [1, 3, 4, 5])
    #expect(again.ids.map { again.track($0) } == list.ids.map { list.track($0) })
    #expect(again.currentID == 4)
    #expect(again.repeats)
    #expect(again.shuffles)
    #expect(again.token != list.token)
    let id = try again.insert(PlaylistTests.track(1), after: 0)
    #expect(id == 6)
    await second.shutdown()
    #expect(log.lines.isEmpty)
  }

  @Test func theListIsGivenToOneOnly() async throws {
    let files = FilesInMemory()
    let first = keeper(files)
    let store = PlaylistStore(first)
    var list = store.takePlaylist()
    try insert(5, into: &list, store)
    await first.shutdown()
    let second = keeper(files)
    let again = PlaylistStore(second)
    #expect(again.takePlaylist().count == 5)
    #expect(again.takePlaylist().count == 0)
    await second.shutdown()
  }

  @Test func theCounterOutlivesTheTracks() async throws {
    let files = FilesInMemory()
    let first = keeper(files)
    let store = PlaylistStore(first)
    var list = store.takePlaylist()
    try insert(3, into: &list, store)
    _ = list.deleteAll()
    store.keep(list.takeChanges())
    await first.shutdown()
    let second = keeper(files)
    var again = PlaylistStore(second).takePlaylist()
    let id = try again.insert(PlaylistTests.track(1), after: 0)
    #expect(id == 4)
    await second.shutdown()
  }

  /// Ids that were given away in the last moment before a kill are not given away again.
  @Test func noIdIsUsedAgainAfterAKill() async throws {
    let files = FilesInMemory()
    let first = keeper(files)
    let store = PlaylistStore(first)
    var list = store.takePlaylist()
    try insert(1, into: &list, store)
    #expect(files.state.wait(timeout: .seconds(30)) { $0.syncedNames["playlist"] == nil ? nil : true } == true)
    let killed = files.afterKill()
    try insert(7, into: &list, store)
    await first.shutdown()

    for _ in 0..<3 {
      let second = keeper(killed)
      var again = PlaylistStore(second).takePlaylist()
      let before = again.ids
      #expect(before == [] || before == [1])
      let id = try again.insert(PlaylistTests.track(1), after: 0)
      #expect(before.isEmpty || id > 8)
      await second.shutdown()
    }
  }

  @Test func aFileThatMakesNoSenseIsSetAsideAndSaid() async throws {
    for (content, reason) in [
      ("swiftlet playlist 2\nlater", "was written by a later version of this program"), ("something", "is damaged"),
    ] {
      let log = LogRecorder()
      let files = FilesInMemory(files: ["playlist": Array(content.utf8)])
      let keeper = StateKeeper(folder: StateFolder(path: "/state", files: files), logger: log.logger)
      let store = PlaylistStore(keeper)
      var list = store.takePlaylist()
      #expect(list.count == 0)
      try insert(2, into: &list, store)
      await keeper.shutdown()
      let aside = try #require(files.names.first { $0.hasPrefix("playlist.unreadable-") })
      #expect(files.bytes(aside) == Array(content.utf8))
      #expect(
        log.lines == ["warning: /state/playlist \(reason): it is kept as \(aside), and what it held begins anew."])
      let again = self.keeper(files)
      #expect(PlaylistStore(again).takePlaylist().ids == [1, 2])
      await again.shutdown()
    }
  }

  @Test func aFileThatCannotBeSetAsideIsLeftAlone() async throws {
    let files = FilesInMemory(files: ["playlist": Array("something".utf8)])
    files.state.update { $0.fails = { if case .rename("playlist", _) = $0 { true } else { false } } }
    let keeper = keeper(files)
    let store = PlaylistStore(keeper)
    var list = store.takePlaylist()
    try insert(2, into: &list, store)
    await keeper.shutdown()
    #expect(files.names == ["playlist"])
    #expect(files.bytes("playlist") == Array("something".utf8))
    #expect(log.lines.count == 1)
  }

  /// A real folder, and what comes from it again.
  @Test func onADisk() async throws {
    let temporary = try TemporaryFolder()
    let folder = try StateFolder(path: temporary.path)
    var expected: [PlaylistTrack] = []
    for run in 0..<3 {
      let keeper = StateKeeper(folder: folder, logger: log.logger)
      let store = PlaylistStore(keeper)
      var list = store.takePlaylist()
      #expect(list.ids.compactMap { list.track($0) } == expected)
      for number in 0..<200 {
        let track = PlaylistTrack(uri: "\(run)-\(number)", metadata: String(repeating: "é", count: 1000))
        _ = try list.insert(track, after: list.ids.last ?? 0)
        store.keep(list.takeChanges())
        expected.append(track)
      }
      for id in list.ids.prefix(100) { _ = try list.delete(id) }
      expected.removeFirst(100)
      store.keep(list.takeChanges())
      await keeper.shutdown()
    }
    #expect(log.lines.isEmpty)
  }
}
