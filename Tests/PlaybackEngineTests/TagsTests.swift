import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackModel

/// The texts in a file's tags reach the player.
@Suite(.serialized, .timeLimit(.minutes(1))) struct TagsTests {
  @Test(arguments: [
    "flacenc", "lamemp3enc ! id3v2mux", "vorbisenc ! oggmux", "audioresample ! opusenc ! oggmux",
    "voaacenc ! aacparse ! mp4mux",
  ])
  func tagsOfFilesAreRead(_ encoder: String) async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let tags = #"taginject tags="title=Autumn,artist=Ana,album=Leaves""#
    let sound = Sound(seconds: 2, seed: 31)
    let urls = [
      server.serve("first", try sound.encoded("\(tags) ! \(encoder)")), server.serve("second.wav", sound.wav),
    ]
    try await withPlayer(.bin("fakesink sync=true")) { test in
      try await test.play(urls[0], next: urls[1])
      await test.wait("the tags") { player in
        player.deck().tags == TrackTags(title: "Autumn", artist: "Ana", album: "Leaves")
      }
      #expect(await test.player.deck().title == nil)
      await test.wait("the second track") { $0.item?.uri == urls[1] }
      #expect(await test.player.deck().tags == TrackTags())
    }
  }
}
