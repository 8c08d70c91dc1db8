import Glibc
import LocalLibrary
import Testing

/// Changes of files while the library runs, and between runs.
@Suite(.timeLimit(.minutes(5))) struct FollowingTests {
  private let tree: LibraryTree

  init() throws { tree = try LibraryTree() }

  @Test func filesAndFolders() async throws {
    try tree.track("a.flac")
    try await tree.withLibrary { library in
      let before = library.systemUpdateID
      try tree.track("b.flac")
      try await library.waitForTracks(["a", "b"])
      #expect(library.systemUpdateID > before)
      try tree.track("New/Deep/c.flac")
      try await library.waitForTracks(["a", "b", "c"])
      // A file in a folder that has just appeared.
      try tree.track("New/Deep/d.flac", ["TITLE": "Dee"])
      try await library.waitForTracks(["a", "b", "c", "Dee"])
      rename("\(tree.path)/New/Deep/d.flac", "\(tree.path)/e.flac")
      unlink("\(tree.path)/a.flac")
      try await library.waitForTracks(["b", "c", "Dee"])
      rename("\(tree.path)/New", "\(tree.path)/Old")
      try await Task.sleep(for: .milliseconds(1))
      try tree.track("Old/f.flac")
      try await library.waitForTracks(["b", "c", "Dee", "f"])
      LibraryTree.remove("\(tree.path)/Old")
      try await library.waitForTracks(["b", "Dee"])
    }
  }

  @Test func changedTags() async throws {
    try tree.track("a.flac", ["TITLE": "Before", "ARTIST": "X"])
    try await tree.withLibrary { library in
      let id = try await library.track("Before").id
      try tree.track("a.flac", ["TITLE": "After", "ARTIST": "Yes"])
      try await library.waitForTracks(["After"])
      #expect(try await library.track("After").id == id)
      #expect(try await library.titles("artists") == ["Yes/"])
      #expect(try await library.found("dc:title contains \"before\"") == [])
      #expect(try await library.found("dc:title contains \"after\"") == ["After"])
    }
  }

  @Test func changesNameContainers() async throws {
    try tree.track("a.flac", ["ALBUM": "One"])
    try await tree.withLibrary { library in
      var changes = library.changes().makeAsyncIterator()
      try tree.track("b.flac", ["ALBUM": "One"])
      let change = try #require(await changes.next())
      #expect(change.systemUpdateID == library.systemUpdateID)
      let album = try #require(LibraryContainerID(try await library.child("One", of: "albums")))
      #expect(change.containers[album] == change.systemUpdateID)
      #expect(change.containers[.list(.tracks)] == change.systemUpdateID)
      #expect(try await library.container(album).updateID == change.systemUpdateID)
    }
  }

  @Test func anIndexIsKeptAndBroughtUpToDate() async throws {
    try tree.track("a.flac", ["ARTIST": "X"])
    try tree.track("Gone/b.flac", ["ARTIST": "Y"])
    var id: Int64 = 0
    var update: UInt32 = 0
    try await tree.withLibrary { library in
      id = try await library.track("a").id
      update = library.systemUpdateID
    }
    try await tree.withLibrary { #expect($0.systemUpdateID == update) }
    LibraryTree.remove("\(tree.path)/Gone")
    try tree.track("c.flac")
    try await tree.withLibrary { library in
      let titles = try await library.titles("tracks")
      #expect(titles == ["a", "c"])
      #expect(try await library.titles("artists") == ["X/"])
      #expect(try await library.track("a").id == id)
      #expect(library.systemUpdateID > update)
    }
  }

  @Test func aDamagedIndexIsMadeAgain() async throws {
    try tree.track("a.flac")
    var id: Int64 = 0
    try await tree.withLibrary { id = try await $0.track("a").id }
    let file = try #require(fopen("\(tree.index)/library.db", "w"))
    fputs("this is not a database, and longer than a header of one would be, so that SQLite reads it", file)
    fclose(file)
    try await tree.withLibrary { library in
      let found = try await library.track("a")
      #expect(found.id == id)
    }
  }

  @Test func aFolderThatIsNoLongerConfigured() async throws {
    try tree.track("One/a.flac", ["ALBUM": "A"])
    try tree.track("Two/b.flac", ["ALBUM": "B"])
    func settings(_ names: String...) -> LibrarySettings {
      var settings = LibrarySettings(folders: names.map { "\(tree.path)/\($0)" })
      settings.isInBackground = false
      return settings
    }
    try await tree.withLibrary(settings("One", "Two")) { library in
      let titles = try await library.titles("tracks")
      #expect(titles == ["a", "b"])
    }
    try await tree.withLibrary(settings("Two")) { library in
      let titles = try await library.titles("tracks")
      #expect(titles == ["b"])
      #expect(try await library.titles("albums") == ["B/"])
      #expect(try await library.titles("folders") == ["Two/"])
    }
  }

  @Test func aMissingFolderIsReportedAndItsTracksReturn() async throws {
    try tree.track("a.flac", ["ALBUM": "A"])
    try await tree.withLibrary { _ in }
    rename(tree.path, "\(tree.path).away")
    try await tree.withLibrary { library in
      let titles = try await library.titles("tracks")
      #expect(titles == [])
      #expect(try await library.titles("0") == [])
      #expect(library.status.problems.contains { $0.hasPrefix(tree.path) })
      rename("\(tree.path).away", tree.path)
      library.rescan()
      try await library.waitForTracks(["a"])
      #expect(try await library.titles("albums") == ["A/"])
      #expect(try await library.found("dc:title contains \"a\"") == ["A/", "a"])
    }
  }
}
