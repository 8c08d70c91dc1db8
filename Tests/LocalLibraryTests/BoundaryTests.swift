import Glibc
import Testing

@testable import LocalLibrary

/// What is outside the folders, hostile, or too much.
@Suite(.timeLimit(.minutes(5))) struct BoundaryTests {
  private let tree: LibraryTree
  private let outside: LibraryTree

  init() throws {
    tree = try LibraryTree()
    outside = try LibraryTree()
  }

  @Test func linksAndSpecialFilesAreIgnored() async throws {
    try tree.track("a.flac")
    let secret = try outside.track("secret.flac")
    symlink(secret, "\(tree.path)/link.flac")
    symlink(outside.path, "\(tree.path)/folder")
    symlink(".", "\(tree.path)/loop")
    symlink("\(outside.path)/cover.jpg", "\(tree.path)/cover.jpg")
    mkfifo("\(tree.path)/fifo.flac", 0o644)
    mkfifo("\(tree.path)/folder.jpg", 0o644)
    try await tree.withLibrary { library in
      let titles = try await library.titles("tracks")
      #expect(titles == ["a"])
      #expect(try await library.track("a").cover == nil)
    }
  }

  /// A file or folder that became a link after the scan is not opened.
  @Test func linksThatTakeThePlaceOfFiles() async throws {
    try tree.track("Album/a.flac", picture: LibraryTree.jpeg)
    try tree.track("b.flac")
    try tree.write("Album/cover.jpg", LibraryTree.jpeg)
    let secret = try outside.track("a.flac", picture: LibraryTree.jpeg)
    try await tree.withLibrary { library in
      let (a, b) = (try await library.track("a"), try await library.track("b"))
      rename("\(tree.path)/Album", "\(tree.path).moved")
      symlink(outside.path, "\(tree.path)/Album")
      unlink("\(tree.path)/b.flac")
      symlink(secret, "\(tree.path)/b.flac")
      await #expect(throws: LibraryError.missing) { try await library.open(track: a.id) }
      await #expect(throws: LibraryError.missing) { try await library.cover(.embedded(a.id)) }
      await #expect(throws: LibraryError.missing) { try await library.cover(.folder(a.folder)) }
      await #expect(throws: LibraryError.missing) { try await library.open(track: b.id) }
    }
    LibraryTree.remove("\(tree.path).moved")
  }

  @Test func namesThatLeadUp() throws {
    let folder = try OpenFolder(root: tree.path)
    for name in ["..", ".", "", "a/b", "../music"] {
      #expect(throws: FileFailure.self) { try folder.file(named: name) }
      #expect(throws: FileFailure.self) { try folder.folder(named: name) }
    }
    #expect(throws: FileFailure.self) { try folder.folder(at: "/../..") }
  }

  @Test func hostileTags() async throws {
    let long = String(repeating: "x", count: 100_000)
    try tree.track("a.flac", ["TITLE": "one\u{1F}two\n\u{7}three", "ARTIST": long, "DATE": "99999999-99"])
    try tree.track("b.flac", ["TITLE": "\u{1}\u{2}", "ALBUM": "  ", "TRACKNUMBER": "-5", "DATE": "0000"])
    // Not FLAC at all, a cut header, and an empty file.
    try tree.write("c.flac", Array("garbage".utf8))
    try tree.write("d.flac", Array(LibraryTree.flac(["TITLE": "Dee"]).prefix(60)))
    try tree.write("e.flac", [])
    try tree.write("bad\u{FFFD}.flac", LibraryTree.flac([:]))
    // A name that is not UTF-8.
    let name: [CChar] = "\(tree.path)/".utf8.map { CChar(bitPattern: $0) } + [-1, 46, 109, 112, 51, 0]
    let file = try #require(fopen(name, "w"))
    fclose(file)
    try await tree.withLibrary { library in
      let titles = try await library.titles("tracks")
      #expect(titles == ["b", "bad\u{FFFD}", "c", "d", "one two  three"])
      #expect(try await library.track("one two  three").artists.first?.count == 1000)
      #expect(try await library.titles("years") == [])
      #expect(library.status.problems == ["\(tree.path): names that are not UTF-8: 1"])
    }
  }

  @Test func limits() async throws {
    for number in 1...5 { try tree.track("\(number).flac") }
    var settings = tree.settings
    settings.maximumTracks = 3
    try await tree.withLibrary(settings) { library in
      #expect(library.status.tracks == 3)
      #expect(library.status.isTruncated)
      #expect(library.status.problems == ["more than 3 tracks; the rest is left out"])
    }
    settings.maximumTracks = 5
    try await tree.withLibrary(settings) { #expect($0.status.tracks == 5 && !$0.status.isTruncated) }
  }

  @Test func depth() async throws {
    let folders = (1...40).map { "\($0)" }
    for depth in [31, 32, 33] { try tree.track(folders.prefix(depth).joined(separator: "/") + "/\(depth).flac") }
    try await tree.withLibrary { library in
      let titles = try await library.titles("tracks")
      #expect(titles == ["31", "32"])
      #expect(library.status.isTruncated)
    }
  }

  @Test func folders() {
    #expect(LibrarySettings(folders: ["/a/", "//a//b", "/a/b/c", "/ab"]).folders == ["/a", "/ab"])
    #expect(LibrarySettings(folders: (0..<20).map { "/\($0)" }).folders.count == 16)
  }
}
