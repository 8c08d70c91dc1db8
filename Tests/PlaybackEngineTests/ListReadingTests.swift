import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackModel

/// Reading the entries of a playlist without playing it.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ListReadingTests {
  private let entries = [
    ListedTrack(address: "http://elsewhere/1.flac", title: "One"),
    ListedTrack(address: "http://elsewhere/2.flac"),
  ]
  private let text = "#EXTM3U\n#EXTINF:61,One\nhttp://elsewhere/1.flac\nhttp://elsewhere/2.flac\n"

  private func read(_ uri: String, _ test: PlayerUnderTest) async throws -> Result<[ListedTrack], PlaybackError> {
    try await found(await test.player.readList(at: uri), test)
  }

  private func found(
    _ request: Int, _ test: PlayerUnderTest
  ) async throws -> Result<[ListedTrack], PlaybackError> {
    while true {
      if let found = await test.player.takeList(request) {
        #expect(test.notices.withLock { $0.contains { $0.contains(.list) } })
        return found
      }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  /// Regression: only UTF-8 and the usual forms were read.
  @Test func otherEncodingsAndForms() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let utf16 = "\u{FEFF}\(text)".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let references = "[Reference]\r\nRef1=http://elsewhere/1.flac\r\nRef2=http://elsewhere/2.flac\r\n"
    try await withPlayer(.null) { test in
      #expect(try await read(server.serve("list.m3u", utf16), test) == .success(entries))
      let found = try await read(server.serve("list.asx", Array(references.utf8)), test)
      #expect(found == .success(entries.map { ListedTrack(address: $0.address) }))
    }
  }

  @Test func aPlaylistIsReadWhilePlaybackContinues() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let sound = server.serve("sound.wav", Sound(seconds: 60, seed: 1).wav)
    let list = server.serve("list.m3u", Array(text.utf8))
    try await withPlayer(.null) { test in
      try await test.play(sound)
      await test.wait(for: .playing)
      let found = try await read(list, test)
      #expect(found == .success(entries))
      #expect(await test.player.state == .playing)
      #expect(await test.player.item?.uri == sound)
    }
  }

  /// Regression: the address was requested a second time for the rest of the list.
  @Test(arguments: [.length, .chunked, .close] as [Manners.Framing])
  func aLongPlaylistIsReadToItsEnd(_ framing: Manners.Framing) async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let lines = (1...900).map { "#EXTINF:123,Artist - The title of track \($0)\nhttp://elsewhere/\($0).flac\n" }
    let list = server.serve("list.m3u", Array(("#EXTM3U\n" + lines.joined()).utf8)) { $0.framing = framing }
    try await withPlayer { test in
      let found = try await read(list, test).get()
      #expect(found.count == 900)
      #expect(found.last?.title == "Artist - The title of track 900")
    }
    #expect(server.requests.count == 1)
  }

  @Test func anAudioFileIsAPlaylistOfItself() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let sound = server.serve("sound.wav", Sound(seconds: 1, seed: 1).wav)
    try await withPlayer { test in
      let found = try await read(sound, test)
      #expect(found == .success([ListedTrack(address: sound)]))
      #expect(await test.player.state == .noMedia)
    }
  }

  @Test func anythingElseFails() async throws {
    let server = try await MediaServer.start()
    let page = server.serve("page", Array("<!DOCTYPE html><html><body>Hello, and welcome</body></html>".utf8))
    let gone = server.url("/gone.m3u")
    try await withPlayer { test in
      for (uri, error) in [
        (page, .notAudio), (gone, .notFound), ("ftp://host/list.m3u", .unsupportedScheme("ftp")),
      ] as [(String, PlaybackError)] {
        let found = try await read(uri, test)
        #expect(found == .failure(error))
      }
      await server.stop()
      let found = try await read(gone, test)
      #expect(found == .failure(.refused))
    }
  }

  @Test func aNewerRequestReplacesAnOlderOne() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let list = server.serve("list.m3u", Array(text.utf8))
    let slow = server.serve("slow.m3u", Array(text.utf8)) { $0.openDelay = .milliseconds(500) }
    try await withPlayer { test in
      let older = await test.player.readList(at: slow)
      try await server.waitForRequest("/slow.m3u")
      let found = try await read(list, test)
      #expect(found == .success(entries))
      #expect(await test.player.takeList(older) == nil)
    }
  }

  @Test func aSilentServerTimesOut() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let silent = server.serve("silent.m3u", Array(text.utf8)) { $0.openDelay = .seconds(2) }
    var settings = PlayerSettings()
    settings.openTimeout = .milliseconds(300)
    try await withPlayer(settings: settings) { test in
      let found = try await read(silent, test)
      #expect(found == .failure(.timedOut))
    }
  }
}
