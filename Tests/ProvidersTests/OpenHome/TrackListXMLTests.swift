import NIOCore
import Testing

@testable import DeviceStack
@testable import PlaybackModel
@testable import Providers

@Suite struct TrackListXMLTests {
  /// Escaping twice makes the worst metadata nine times as long.
  @Test func longListStopsAfterAWholeTrack() throws {
    var list = Playlist()
    let worst = PlaylistTrack(uri: "http://host/", metadata: String(repeating: "&", count: 200_000))
    for _ in 0..<30 { _ = try list.insert(worst, after: list.ids.last ?? 0) }
    let ids = list.ids.map { "\($0)" }.joined(separator: " ")
    var answer = ByteBuffer()
    TrackListXML.list(ids: ids, of: list).write(to: &answer, server: "")
    #expect((32 << 20..<34 << 20).contains(answer.readableBytes))
    let end = "&lt;/Metadata&gt;&lt;/Entry&gt;&lt;/TrackList&gt;"
    #expect(answer.getString(at: answer.writerIndex - end.utf8.count, length: end.utf8.count) == end)
  }
}
