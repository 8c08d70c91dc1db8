import Glibc
import PlaybackTestKit
import Testing

@testable import PlaybackModel

@Suite struct SourcePolicyTests {
  @Test(arguments: [
    ("http://host/a", nil), ("HTTPS://host:8443/a?b#c", nil), ("http://[::1]:80/a", nil), ("http://user@host/a", nil),
    ("http:///a", PlaybackError.badAddress), ("http://host:0/", .badAddress), ("http://host:99999/", .badAddress),
    ("http:host", .badAddress), ("", .badAddress), ("host/a", .badAddress), ("1http://a", .badAddress),
    ("ftp://host/a", .unsupportedScheme("ftp")), ("rtsp://host/a", .unsupportedScheme("rtsp")),
    ("file:///etc/passwd", .unsupportedScheme("file")), ("appsrc://", .unsupportedScheme("appsrc")),
  ])
  func judgesAddresses(_ uri: String, _ expected: PlaybackError?) {
    var error: PlaybackError?
    do throws(PlaybackError) { try SourcePolicy(allowedFolders: []).check(uri) } catch let thrown { error = thrown }
    #expect(error == expected)
  }

  @Test func filesOnlyOfAllowedFolders() throws {
    let folder = try TemporaryFolder()
    try folder.write("a b.wav", [1])
    let policy = SourcePolicy(allowedFolders: [folder.path])
    try policy.check("file://\(folder.path)/a%20b.wav")
    #expect(throws: PlaybackError.forbiddenFolder) { try policy.check("file:///etc/hostname") }
    #expect(throws: PlaybackError.forbiddenFolder) { try policy.check("file://\(folder.path)/../../etc/hostname") }
    #expect(throws: PlaybackError.notFound) { try policy.check("file://\(folder.path)/none.wav") }
    #expect(throws: PlaybackError.badAddress) { try policy.check("file://\(folder.path)/a%00") }
    #expect(throws: PlaybackError.badAddress) { try policy.check("file://host/a") }
  }

  @Test func onlyTheProgramsOwnFileIsAllowedBesides() throws {
    let policy = SourcePolicy(allowedFolders: [], ownFile: "file:///proc/self/fd/9")
    try policy.check("file:///proc/self/fd/9")
    #expect(throws: PlaybackError.unsupportedScheme("file")) { try policy.check("file:///proc/self/fd/8") }
    #expect(throws: PlaybackError.unsupportedScheme("file")) { try policy.check("file:///proc/self/fd/9/") }
  }

  @Test func aFolderIsNotAllowedByTheBeginningOfItsName() throws {
    let folder = try TemporaryFolder()
    let folders = ["music", "music-private"].map { "\(folder.path)/\($0)" }
    for path in folders { try #require(mkdir(path, 0o700) == 0) }
    defer { for path in folders { rmdir(path) } }
    for name in ["music/a.wav", "music-private/a.wav"] { try folder.write(name, [1]) }
    defer { for path in folders { unlink(path + "/a.wav") } }
    let policy = SourcePolicy(allowedFolders: [folders[0]])
    try policy.check("file://\(folders[0])/a.wav")
    #expect(throws: PlaybackError.forbiddenFolder) { try policy.check("file://\(folders[1])/a.wav") }
  }

  @Test(arguments: [
    ("http://host/a", "host", 80), ("https://host/a", "host", 443), ("http://u:p@host:81?x", "host", 81),
    ("http://[fe80::1]:82/", "fe80::1", 82),
  ])
  func findsTheServer(_ uri: String, _ host: String, _ port: Int) throws {
    let address = try #require(HTTPAddress(uri))
    #expect(address.host == host)
    #expect(address.port == port)
  }
}
