import Glibc
import MediaFiles
import Testing

@testable import FileServing

@Suite struct MediaScanTests {
  private let tree: FileTree

  init() throws { tree = try FileTree() }

  /// The relative paths of the found files, one list for each folder.
  private func files(_ scan: MediaScan) -> [[String]] {
    scan.folders.map { folder in
      folder.entries.map { entry in
        switch entry {
        case .file(let path): path.hasPrefix(tree.path + "/") ? String(path.dropFirst(tree.path.count + 1)) : path
        case .url(let url, _): url
        }
      }
    }
  }

  @Test func aTreeInNaturalOrder() throws {
    for name in [
      "10 c.flac", "2 b.FLAC", "1 a.mp3", "notes.txt", "list.m3u", ".hidden.flac", "CD10/a.ogg", "CD2/b.opus",
      "CD2/a.wav", ".trash/x.flac", "empty/readme.md",
    ] { try tree.write(name) }
    let scan = try MediaScan(tree.path + "/")
    #expect(files(scan) == [["1 a.mp3", "2 b.FLAC", "10 c.flac"], ["CD2/a.wav", "CD2/b.opus"], ["CD10/a.ogg"]])
    #expect(scan.count == 6)
    #expect(scan.problems.isEmpty)
  }

  @Test(
    arguments: [
      (["a.flac", "x.jpg"], nil), (["a.flac", "Cover.JPG", "folder.jpg"], "Cover.JPG"),
      (["a.flac", "folder.png", "front.jpeg"], "folder.png"), (["a.flac", "front.jpg", "cover.gif"], "front.jpg"),
    ] as [([String], String?)])
  func covers(names: [String], cover: String?) throws {
    for name in names { try tree.write(name) }
    let expected = cover.map { "\(tree.path)/\($0)" }
    #expect(try MediaScan(tree.path).folders.map(\.cover) == [expected])
    #expect(try MediaScan("\(tree.path)/a.flac").folders.map(\.cover) == [expected])
  }

  @Test func aDiscUsesTheCoverOfItsAlbum() throws {
    for name in ["cover.jpg", "CD1/a.flac", "CD2/a.flac", "CD2/front.png"] { try tree.write(name) }
    let covers = try MediaScan(tree.path).folders.map(\.cover)
    #expect(covers == ["\(tree.path)/cover.jpg", "\(tree.path)/CD2/front.png"])
  }

  @Test func loopsAndDanglingLinks() throws {
    try tree.write("album/a.flac")
    try tree.link("album/up", to: tree.path)
    try tree.link("again", to: "\(tree.path)/album")
    try tree.link("self.flac", to: "self.flac")
    try tree.link("gone.flac", to: "/nowhere/x.flac")
    mkfifo("\(tree.path)/pipe.flac", 0o644)
    defer { unlink("\(tree.path)/pipe.flac") }
    let scan = try MediaScan(tree.path)
    #expect(files(scan) == [["again/a.flac"]])
    #expect(scan.problems.map(\.path) == ["\(tree.path)/gone.flac", "\(tree.path)/self.flac"])
  }

  @Test func anUnreadableFolderIsReported() throws {
    try tree.write("a.flac")
    try tree.write("locked/b.flac")
    chmod(tree.path, 0o755)
    chmod("\(tree.path)/locked", 0)
    defer { chmod("\(tree.path)/locked", 0o755) }
    let scan = try withoutRoot { try MediaScan(tree.path) }
    #expect(files(scan) == [["a.flac"]])
    #expect(scan.problems == [.init(path: "\(tree.path)/locked", reason: "Permission denied")])
  }

  @Test func limits() throws {
    for name in ["a/1.flac", "a/2.flac", "b/3.flac", "d/d/d/4.flac"] { try tree.write(name) }
    var limits = MediaScan.Limits()
    limits.files = 2
    var scan = try MediaScan(tree.path, limits: limits)
    #expect(files(scan) == [["a/1.flac", "a/2.flac"]])
    #expect(scan.problems.map(\.reason) == ["there are more than 2 audio files; the rest is ignored"])
    limits = MediaScan.Limits()
    limits.depth = 2
    scan = try MediaScan(tree.path, limits: limits)
    #expect(files(scan) == [["a/1.flac", "a/2.flac"], ["b/3.flac"]])
    #expect(scan.problems.map(\.path) == ["\(tree.path)/d/d/d"])
  }

  @Test func unplayablePathsAreReported() throws {
    let text = try tree.write("notes.txt")
    #expect(throws: MediaScan.Problem(path: text, reason: "not an audio file")) { try MediaScan(text) }
    #expect(throws: MediaScan.Problem(path: "/nowhere", reason: "No such file or directory")) {
      try MediaScan("/nowhere")
    }
    #expect(throws: MediaScan.Problem(path: "/dev/null", reason: "neither a file nor a folder")) {
      try MediaScan("/dev/null")
    }
    #expect(try MediaScan(tree.path).folders.isEmpty)
  }

  @Test func aPlaylist() throws {
    for name in ["b.flac", "sub/a.mp3", "notes.txt"] { try tree.write(name) }
    let list = try tree.write(
      "list.m3u8",
      text: """
        \u{FEFF}#EXTM3U\r
        #EXTINF:3,The title, with a comma\r
        http://192.0.2.1/radio\r
        sub\\a.mp3\r
        file://\(tree.path)/b.flac\r
        b.flac\r
        notes.txt\r
        gone.flac\r
        ftp://192.0.2.1/x.flac\r
        """)
    let scan = try MediaScan(list)
    #expect(files(scan) == [["http://192.0.2.1/radio", "sub/a.mp3", "b.flac", "b.flac"]])
    #expect(scan.folders.first?.entries.first == .url("http://192.0.2.1/radio", title: "The title, with a comma"))
    #expect(scan.folders.map(\.isPlaylist) == [true])
    #expect(
      scan.problems.map(\.reason) == [
        "not an audio file", "in the playlist, but not found", "in the playlist, but not found",
      ])
  }

  @Test func xspf() {
    let list = """
      <?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><title>List</title><trackList>
      <track><title>A &amp; B</title><location>sub/a%20b.mp3</location><location>other.mp3</location></track>
      <track><title>None</title></track><track><location> http://192.0.2.1/%20 </location></track></trackList></playlist>
      """
    let entries: [PlaylistFile.Entry] = [
      .init(location: "sub/a b.mp3", title: "A & B"), .init(location: "http://192.0.2.1/%20"),
    ]
    #expect(PlaylistFile.entries(Array(list.utf8), format: .xspf) == entries)
    #expect(PlaylistFile.entries(Array("no XML".utf8), format: .xspf).isEmpty)
  }

  @Test func utf16AndAddressesWithoutAHost() throws {
    let text = "\u{FEFF}#EXTM3U\r\n#EXTINF:1,Ü\r\nü.mp3\r\n"
    let bytes = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    #expect(PlaylistFile.entries(bytes, format: .m3u) == [.init(location: "ü.mp3", title: "Ü")])
    #expect(["http://", "https:///x", "http://:80"].allSatisfy { !PlaylistFile.isURL($0) })
    #expect(["http://h", "HTTPS://h:1/x"].allSatisfy { PlaylistFile.isURL($0) })
  }

  @Test func plsAndLatin1() {
    let pls = PlaylistFile.entries(
      Array("[playlist]\nTitle2=Two\nFile10=c\nfile2=b\nFile1 = a\nNumberOfEntries=3\nFilex=d".utf8), format: .pls)
    #expect(pls == [.init(location: "a"), .init(location: "b", title: "Two"), .init(location: "c")])
    #expect(PlaylistFile.entries([0xFC, 0x2E, 0x6D], format: .m3u) == [.init(location: "ü.m")])
    #expect(PlaylistFile.entries([], format: .pls).isEmpty)
  }
}
