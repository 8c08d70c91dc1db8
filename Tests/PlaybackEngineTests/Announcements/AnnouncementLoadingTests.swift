import Logging
import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Synchronization
import Testing

@testable import PlaybackEngine
@testable import PlaybackModel

/// What becomes of an address that is to be announced.
@Suite(.timeLimit(.minutes(2))) struct AnnouncementLoadingTests {
  private static func load(
    _ request: AnnouncementRequest, settings: PlayerSettings = .init()
  ) -> Result<AnnouncementSound, AnnouncementError> {
    let result = Monitor<Result<AnnouncementSound, AnnouncementError>?>(nil)
    AnnouncementLoader(settings: settings, logger: Logger(label: "test")).load(request) { loaded in
      result.update { $0 = loaded }
    }
    return result.wait { $0 } ?? .failure(.full)
  }

  private static func failure(_ address: String) -> AnnouncementError? {
    if case .failure(let error) = load(AnnouncementRequest(.address(address))) { error } else { nil }
  }

  @Test func samplesAreKeptAsTheyAre() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let sound = Sound(seconds: 1, seed: 1)
    for body in [sound.wav, try sound.flac()] {
      let loaded = try Self.load(AnnouncementRequest(.address(server.serve("a", body)))).get()
      #expect(loaded.parts.count == 1)
      #expect(loaded.parts[0].samples.withUnsafeBytes { Array($0) }.isSame(as: sound.samples))
    }
  }

  @Test func aServerWithoutRangesIsReadFromTheBeginning() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let address = server.serve("a.ogg", try Sound(seconds: 1, seed: 2).encoded("vorbisenc ! oggmux")) {
      $0.ranges = false
      $0.silentOnRanges = true
    }
    let loaded = try Self.load(AnnouncementRequest(.address(address))).get()
    #expect(abs(loaded.duration / .seconds(1) - 1) < 0.1)
  }

  @Test func anEndlessStreamIsCutAndFades() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    var request = AnnouncementRequest(
      .address(server.serve("live.wav", Sound(seconds: 5, seed: 3).wav) { $0.endless = true }))
    request.limit = .seconds(2)
    let loaded = try Self.load(request).get()
    #expect(loaded.duration == .seconds(2))
    #expect(loaded.parts[0].samples.suffix(2) == [0, 0])
  }

  @Test func oneLargerThan32MiBIsRefused() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    // A picture in front of the sound: MP3 with a tag of 40 MiB.
    let size = 40 << 20
    let tag: [UInt8] = Array("ID3".utf8) + [3, 0, 0] + (0..<4).map { UInt8(size >> (21 - 7 * $0) & 0x7F) }
    let address = server.serve("a.mp3", tag + [UInt8](repeating: 0, count: size) + [0xFF, 0xFB, 0x90, 0x64])
    #expect([.tooLarge, .failed(.notAudio)].contains(Self.failure(address)))
  }

  @Test func failures() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let text = server.serve("a.txt", Array("Neither music nor speech.\n".utf8))
    let missing = server.serve("missing", []) { $0.status = .init(404) }
    #expect(Self.failure(text) == .failed(.notAudio))
    #expect(Self.failure(missing) == .failed(.notFound))
    #expect(Self.failure("http://no-such-host.invalid/a.mp3") == .failed(.unknownHost))
    #expect(Self.failure("http://127.0.0.1:1/a.mp3") == .failed(.refused))
    #expect(Self.failure("file:///etc/passwd") == .failed(.unsupportedScheme("file")))
    #expect(Self.failure("ftp://192.0.2.1/a.mp3") == .failed(.unsupportedScheme("ftp")))
    #expect(Self.failure("no address") == .failed(.badAddress))
  }

  @Test func aChimePrecedesIt() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    var request = AnnouncementRequest(.address(server.serve("a.wav", Sound(seconds: 0.5, seed: 4).wav)))
    request.hasChime = true
    let loaded = try Self.load(request).get()
    #expect(loaded.parts.first == Chime.sound)
    #expect(loaded.parts.count == 2)
    #expect(try Self.load(AnnouncementRequest(.chime)).get().parts == [Chime.sound])
  }

  @Test func aFileReplacesTheChime() throws {
    let folder = try TemporaryFolder()
    let sound = Sound(seconds: 0.5, seed: 5)
    try folder.write("my chime.wav", sound.wav)
    try folder.write("text", Array("no sound".utf8))
    var settings = PlayerSettings()
    settings.chimeFile = folder.path + "/my chime.wav"
    let loaded = try Self.load(AnnouncementRequest(.chime), settings: settings).get()
    #expect(loaded.parts[0].samples.withUnsafeBytes { Array($0) }.isSame(as: sound.samples))
    // One that cannot be read is not missed.
    settings.chimeFile = folder.path + "/text"
    #expect(try Self.load(AnnouncementRequest(.chime), settings: settings).get().parts == [Chime.sound])
  }
}
