import Playback
import PlaybackModel
import SpeakerCore
import UPnP

/// A track of the queue, for display.
package struct QueueItem: Encodable, Sendable, Equatable {
  package var id: UInt32
  package var title: String
  package var artist: String?
  package var album: String?
  /// Seconds.
  package var duration: Double?
  package var art: String?
  package var uri: String
  /// Why the track could not be played when it was last tried.
  package var failure: FailureDocument?
}

/// A track that could not be played, for display.
package struct FailureDocument: Encodable, Sendable, Equatable {
  /// The kind of the error, see `PlaybackError.code`.
  let code: String
  let title: String
  let host: String?
  /// The variable part of the error, such as the HTTP status.
  let detail: String?
  /// One sentence.
  let text: String

  init(_ failure: TrackFailure) {
    code = failure.error.code
    title = failure.shownTitle
    host = failure.host
    detail = failure.error.detail
    text = failure.text
  }
}

/// Reads the metadata of tracks for display, and remembers the latest ones.
package final class QueueReader {
  /// Maximum number of cached items: more than a window of the state and a page of the queue.
  private static let maximumRemembered = 600

  private let art: ArtLinks
  private var items: [UInt32: QueueItem] = [:]

  package init(art: ArtLinks) { self.art = art }

  /// The tracks of the playlist at those of the indices that exist.
  package func items(_ indices: Range<Int>, of playlist: PlaylistSource) -> [QueueItem] {
    items(indices, of: playlist.list).map { item in
      var item = item
      item.failure = playlist.failures[item.id].map { FailureDocument($0) }
      return item
    }
  }

  private func items(_ indices: Range<Int>, of list: Playlist) -> [QueueItem] {
    let range = indices.clamped(to: 0..<list.count)
    if items.count + range.count > Self.maximumRemembered { items = [:] }
    return list.ids[range].compactMap { id in
      if let item = items[id] { return item }
      guard let track = list.track(id) else { return nil }
      let item = item(id, track)
      items[id] = item
      return item
    }
  }

  /// A track for display, with an id of the caller's.
  func item(_ id: UInt32, _ track: PlaylistTrack) -> QueueItem {
    let texts = MetadataTexts(track.metadata)
    return QueueItem(
      id: id, title: texts.title ?? DIDLLite.title(ofURI: track.uri), artist: texts.artist, album: texts.album,
      duration: track.duration?.inSeconds, art: art.path(for: texts.art), uri: track.uri)
  }
}
