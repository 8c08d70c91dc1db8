import ControlPoint
import MediaFiles
import MediaOrigin
import TestFixtures
import Testing
import UPnP

@testable import FileServing

@Suite struct ServedTrackTests {
  private let tree: FileTree

  init() throws { tree = try FileTree() }

  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + (0..<500).map { UInt8(truncatingIfNeeded: $0) }

  /// A big-endian number.
  private static func number(_ value: Int, bytes: Int = 4) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// Inserts a picture block after STREAMINFO (RFC 9639 §8.8).
  private static func withPicture(flac: [UInt8], _ picture: [UInt8]) -> [UInt8] {
    let mime = Array("image/jpeg".utf8)
    var block = number(3) + number(mime.count) + mime + number(0) + [UInt8](repeating: 0, count: 16)
    block += number(picture.count) + picture
    var file = flac
    file.insert(contentsOf: [6] + number(block.count, bytes: 3) + block, at: 42)
    return file
  }

  /// An ID3v2.3 tag with texts and the back of the cover.
  private static func id3(_ texts: [(String, String)], picture: [UInt8]) -> [UInt8] {
    func frame(_ id: String, _ body: [UInt8]) -> [UInt8] { Array(id.utf8) + number(body.count) + [0, 0] + body }
    let body =
      texts.flatMap { frame($0.0, [0] + Array($0.1.utf8)) }
      + frame("APIC", [0] + Array("image/jpeg".utf8) + [0, 4, 0] + picture)
    let size = [21, 14, 7, 0].map { UInt8(body.count >> $0 & 0x7F) }
    return Array("ID3".utf8) + [3, 0, 0] + size + body
  }

  private func serve(_ body: (FileServer) async throws -> Void) async throws {
    let server = try await FileServer.start(on: #require(IPAddress("127.0.0.1"))) { _ in true }
    do { try await body(server) } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  private func get(_ url: String?, from server: FileServer) throws -> (type: String?, bytes: [UInt8]) {
    let client = try Client(port: server.port)
    client.send(target(url))
    let head = client.receiveHead()
    return (head["Content-Type"], client.receive(head.length))
  }

  @Test func anAlbumWithCovers() async throws {
    let flac = try readFile(Fixtures.named("noise10-96000-24-2-3s.flac").path)
    let mp3 = try readFile(Fixtures.named("cbr.mp3").path)
    let texts = [
      ("TIT2", "Half & half"), ("TPE1", "Random & Sons"), ("TPE2", "Various"), ("TALB", "Fixtures"), ("TCON", "Noise"),
      ("TYER", "1999"), ("TRCK", "1/2"), ("TPOS", "2/3"),
    ]
    try tree.write("a.flac", Self.withPicture(flac: flac, Self.jpeg))
    try tree.write("b.mp3", Self.id3(texts, picture: Self.jpeg.dropLast(7)) + mp3)
    try tree.write("c.wav", readFile(Fixtures.named("noise3-44100-16-2-0.2s.wav").path))
    try tree.write("cover.png", [1, 2, 3])
    let scan = try MediaScan(tree.path)
    try await serve { server in
      let tracks = server.publish(try #require(scan.folders.first))
      #expect(tracks.map(\.object.title) == ["Noise 10", "Half & half", "c"])
      let (first, second, third) = (tracks[0].object, tracks[1].object, tracks[2].object)

      #expect(first.artist == "Random & Sons")
      #expect(first.album == "Fixtures")
      let lossless = try #require(first.resources.first)
      #expect(lossless.uri == tracks[0].url)
      #expect(lossless.protocolInfo.contentFormat == "audio/x-flac")
      #expect(lossless.protocolInfo.info("DLNA.ORG_OP") == "01")
      #expect(lossless.duration == .seconds(3))
      #expect(lossless.sampleFrequency == 96_000)
      #expect(lossless.bitsPerSample == 24)
      #expect(lossless.channels == 2)
      #expect(lossless.size == UInt64(flac.count + Self.jpeg.count + 46))

      #expect(second.artists == [.init("Random & Sons"), .init("Various", role: "AlbumArtist")])
      #expect(second.genres == ["Noise"])
      #expect(second.date == "1999-01-01")
      #expect(second.originalTrackNumber == 1)
      #expect(second.resources.first?.bitsPerSample == nil)
      #expect(second.resources.first?.bytesPerSecond == 24_000)
      #expect(AudioTags(path: "\(tree.path)/b.mp3")?.disc == 2)

      #expect(first.albumArtURIs.first?.hasSuffix("/cover.jpg") == true)
      // The pictures in the files, otherwise the folder's.
      #expect(try get(first.albumArtURIs.first, from: server) == ("image/jpeg", Self.jpeg))
      #expect(try get(second.albumArtURIs.first, from: server) == ("image/jpeg", Self.jpeg.dropLast(7)))
      #expect(try get(third.albumArtURIs.first, from: server) == ("image/png", [1, 2, 3]))
      #expect(server.activity.delivered.isEmpty, "covers are not tracks")

      let document = MediaObjects(didlLite: second.didlLite)
      #expect(document.deviations.isEmpty)
      #expect(document.objects.first?.title == "Half & half")
      #expect(document.objects.first?.resources == second.resources)
    }
  }

  @Test func filesThatTagLibCannotReadAreServedByName() async throws {
    let path = try tree.write("01 Broken.flac", [1, 2, 3])
    try tree.write("list.m3u", text: "http://192.0.2.1/a%20b.mp3\n01 Broken.flac\n")
    let scan = try MediaScan("\(tree.path)/list.m3u")
    try await serve { server in
      let tracks = server.publish(try #require(scan.folders.first))
      #expect(tracks.map(\.object.title) == ["a b.mp3", "01 Broken"])
      #expect(tracks.map(\.path) == [nil, path])
      #expect(tracks[0].url == "http://192.0.2.1/a%20b.mp3")
      #expect(tracks[1].object.resources.first?.duration == nil)
      #expect(try get(tracks[1].url, from: server).bytes == [1, 2, 3])
    }
  }
}
