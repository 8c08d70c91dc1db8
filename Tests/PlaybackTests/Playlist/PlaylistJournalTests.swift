import Testing

@testable import Playback

@Suite struct PlaylistJournalTests {
  /// Small enough for a new file every now and then.
  static let limits = PlaylistJournal.Limits(garbage: 150, piece: 300, unsaved: 2000)

  /// As a start of the program does it; nil if what is there would be set aside.
  static func open(_ files: FilesInMemory) throws -> PlaylistJournal? {
    guard let file = try files.open(PlaylistJournal.name) else { return PlaylistJournal(files: files, limits: limits) }
    guard case .list(let found) = try PlaylistReading(file) else { return nil }
    return PlaylistJournal(found, file: file, files: files, limits: limits)
  }

  /// What somebody does to a list: what changed together, in order, from the list that is given.
  static func script(_ count: Int, seed: Int, from contents: PlaylistContents) -> [[PlaylistChange]] {
    var generator = SplitMix(state: UInt64(seed))
    var list = Playlist(contents, seed: UInt64(seed))
    return (0..<count).map { number in
      switch Int.random(in: 0..<16, using: &generator) {
      case 0..<7:
        let text = String(repeating: "m", count: Int.random(in: 0..<120, using: &generator))
        let after = list.ids.randomElement(using: &generator) ?? 0
        _ = try? list.insert(PlaylistTrack(uri: "http://host/\(number)", metadata: text), after: after)
      case 7..<11: if let id = list.ids.randomElement(using: &generator) { _ = try? list.delete(id) }
      case 11: list.setRepeats(!list.repeats)
      case 12: list.setShuffles(!list.shuffles)
      case 13 where number % 5 == 0: _ = list.deleteAll()
      default: _ = list.moveToSuccessor()
      }
      return list.takeChanges()
    }.filter { !$0.isEmpty }
  }

  /// A run of the program until it ends or is stopped.
  struct Run {
    /// Everything that the list has been, in order.
    var states: [PlaylistContents]
    /// The last of them that is known to be safe.
    var safe = 0

    /// - Returns: nil if the file made no sense.
    init?(_ files: FilesInMemory, seed: Int, commands: Int = 20) throws {
      guard var journal = try open(files) else { return nil }
      states = [journal.contents]
      var generator = SplitMix(state: UInt64(seed))
      var script = script(commands, seed: seed, from: journal.contents)[...]
      do throws(StateError) {
        while !script.isEmpty {
          let groups = Array(script.prefix(Int.random(in: 1...3, using: &generator)))
          script = script.dropFirst(groups.count)
          note(groups)
          var hasMore = try journal.write(groups, isLast: false)
          safe = states.count - 1
          while hasMore, Bool.random(using: &generator) { hasMore = journal.goOn() }
        }
        note([[.closed]])
        _ = try journal.write([], isLast: true)
        safe = states.count - 1
      } catch {}
    }

    private mutating func note(_ groups: [[PlaylistChange]]) {
      for group in groups {
        guard var state = states.last else { return }
        for change in group {
          let isApplied = state.apply(change)
          #expect(isApplied)
        }
        states.append(state)
      }
    }

    /// Whether what is read is a state that was, and no older than what was safe.
    func expects(_ files: FilesInMemory, _ what: @autoclosure () -> String) throws {
      guard let journal = try open(files) else {
        Issue.record("\(what()): would be set aside")
        return
      }
      #expect(states[safe...].contains(journal.contents), "\(what())")
    }
  }

  /// What a disk may hold of bytes that were written and not synced.
  static let tails: [@Sendable ([UInt8]) -> [UInt8]] = [
    { _ in [] }, { $0 }, { Array($0.prefix($0.count / 2)) },
    { [UInt8](repeating: 0, count: $0.count) },
    // The blocks came in another order.
    { [UInt8](repeating: 0, count: $0.count / 2) + $0.suffix(from: $0.count / 2) },
    { $0.prefix($0.count / 3) + [UInt8](repeating: 0xA5, count: $0.count - $0.count / 3) },
  ]

  /// Everything that may be on the disk, however the program ends at a step.
  static func expectStates(_ run: Run, _ files: FilesInMemory, at step: Int, written: Int) throws {
    try run.expects(files.afterKill(), "killed at \(step), \(written) bytes written")
    for (index, tail) in tails.enumerated() {
      for namesAreSynced in [false, true] {
        try run.expects(
          files.afterPowerCut(namesAreSynced: namesAreSynced, tail),
          "power cut at \(step), \(written) bytes written, tail \(index), names synced: \(namesAreSynced)")
      }
    }
  }

  /// From some files on, stops at every step and in the middle of every write.
  static func stopEverywhere(from start: () -> FilesInMemory, seed: Int, commands: Int = 20) throws {
    let whole = start()
    _ = try #require(try Run(whole, seed: seed, commands: commands))
    let steps = whole.steps
    for (step, what) in steps.enumerated() {
      var lengths = [0]
      // Every byte of a small write; of a large one the ends, and some between.
      if case .write(_, let count) = what {
        lengths = stride(from: 0, to: count, by: max(1, count / 16)) + [count - 1]
      }
      for written in lengths {
        let files = start()
        files.state.update { $0.stopsAt = (step, written) }
        let run = try #require(try Run(files, seed: seed, commands: commands))
        try expectStates(run, files, at: step, written: written)
      }
    }
  }

  @Test(arguments: 0..<4) func nothingIsLostWhereverItStops(_ seed: Int) throws {
    let whole = FilesInMemory()
    let run = try #require(try Run(whole, seed: seed))
    #expect(run.safe == run.states.count - 1)
    // Otherwise the test is about less than it says.
    #expect(whole.steps.contains(.rename("playlist.new", "playlist")))
    #expect(whole.steps.count { $0 == .create("playlist.new") } > 1)
    try Self.stopEverywhere(from: { FilesInMemory() }, seed: seed)
  }

  /// What was left by a stop is a start like any other.
  @Test(arguments: 0..<2) func norAfterAStop(_ seed: Int) throws {
    var generator = SplitMix(state: UInt64(seed) + 100)
    let whole = FilesInMemory()
    _ = try #require(try Run(whole, seed: seed))
    for tail in Self.tails.dropFirst().prefix(4) {
      let writes = whole.steps.indices.filter { step in
        if case .write("playlist", _) = whole.steps[step] { true } else { false }
      }
      let step = try #require(writes.randomElement(using: &generator))
      guard case .write(_, let count) = whole.steps[step] else { continue }
      let stopped = FilesInMemory()
      stopped.state.update { $0.stopsAt = (step, count - 1) }
      _ = try Run(stopped, seed: seed)
      let start = { stopped.afterPowerCut(namesAreSynced: true, tail) }
      try Self.stopEverywhere(from: start, seed: seed + 50, commands: 8)
    }
  }

  /// What costs the disk a track costs it a track, however long the list is.
  @Test func anInsertAppendsATrack() throws {
    let files = FilesInMemory()
    var journal = PlaylistJournal(files: files)
    var list = PlaylistTests.list(3000)
    _ = try journal.write([list.takeChanges()], isLast: false)
    let before = files.steps.count
    _ = try list.insert(PlaylistTrack(uri: "u", metadata: "m"), after: 1500)
    _ = try journal.write([list.takeChanges()], isLast: false)
    #expect(files.steps[before...] == [.write("playlist", PlaylistRecord.insertLength + 2), .syncFile("playlist")])
  }

  @Test func theFileStaysInProportionToTheList() throws {
    let files = FilesInMemory()
    var journal = PlaylistJournal(files: files)
    var list = PlaylistTests.list(10)
    let text = String(repeating: "m", count: 1000)
    for _ in 0..<3000 {
      _ = try list.insert(PlaylistTrack(uri: "u", metadata: text), after: list.ids[4])
      _ = try list.delete(list.ids[5])
      if try journal.write([list.takeChanges()], isLast: false) { while journal.goOn() {} }
      #expect((files.bytes("playlist")?.count ?? 0) < 70_000)
    }
    #expect(try Self.open(files)?.contents.ids == list.ids)
    #expect(files.names == ["playlist"])
  }

  @Test func aFullDiskTakesNothingAwayAndLosesNothing() throws {
    let files = FilesInMemory()
    var journal = PlaylistJournal(files: files, limits: Self.limits)
    var list = PlaylistTests.list(5)
    _ = try journal.write([list.takeChanges()], isLast: false)
    let safe = list.ids
    // Less than a track's room; then for some tracks, but not for a whole new file.
    for more in [10, 10, 200] {
      files.state.update { $0.capacity = $0.used + more }
      for _ in 0..<6 {
        _ = try list.insert(PlaylistTests.track(1), after: list.ids[0])
        let changes = list.takeChanges()
        #expect(throws: StateError.self) {
          while true { _ = try journal.write([changes], isLast: false) }
        }
        let read = try #require(try Self.open(files.afterKill()))
        #expect(Set(read.contents.ids).isSuperset(of: safe))
        #expect(Set(read.contents.ids).isSubset(of: list.ids))
      }
    }
    files.state.update { $0.capacity = .max }
    if try journal.write([], isLast: false) { while journal.goOn() {} }
    #expect(try Self.open(files.afterPowerCut(namesAreSynced: false) { _ in [] })?.contents.ids == list.ids)
  }

  @Test func afterAFailedSyncThereIsANewFile() throws {
    let files = FilesInMemory()
    var journal = PlaylistJournal(files: files)
    var list = PlaylistTests.list(5)
    _ = try journal.write([list.takeChanges()], isLast: false)
    files.state.update { $0.fails = { $0 == .syncFile("playlist") } }
    _ = list.moveToSuccessor()
    let changes = list.takeChanges()
    #expect(throws: StateError.self) { try journal.write([changes], isLast: false) }
    _ = try journal.write([], isLast: false)
    #expect(files.steps.suffix(3) == [.syncFile("playlist.new"), .rename("playlist.new", "playlist"), .syncFolder])
    let read = try Self.open(files.afterPowerCut(namesAreSynced: false) { _ in [] })
    #expect(read?.contents.currentID == list.currentID)
  }

  /// Damage behind which something was written safely is told from what the power cut off.
  @Test func damageInTheMiddleIsNotTakenForATornEnd() throws {
    let files = FilesInMemory()
    var journal = PlaylistJournal(files: files)
    var list = PlaylistTests.list(3)
    _ = try journal.write([list.takeChanges()], isLast: false)
    let base = try #require(files.bytes("playlist")).count
    for _ in 0..<3 {
      _ = try list.insert(PlaylistTests.track(1), after: 1)
      _ = try journal.write([list.takeChanges()], isLast: false)
    }
    let bytes = try #require(files.bytes("playlist"))
    let lastBatch = bytes.count - (bytes.count - base) / 3
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 0x10
      let read = try Self.open(FilesInMemory(files: ["playlist": damaged]))
      // The last batch may have been cut off.
      #expect((read == nil) == (place < lastBatch), "\(place)")
    }
    for count in bytes.indices {
      let read = try Self.open(FilesInMemory(files: ["playlist": Array(bytes.prefix(count))]))
      #expect((read == nil) == (count < base), "\(count)")
    }
  }
}
