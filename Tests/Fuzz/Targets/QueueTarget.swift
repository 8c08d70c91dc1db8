import MediaFiles

@testable import ControlPoint
@testable import FileServing
@testable import UPnP

/// Answers of OpenHome players about their queue and sources.
enum QueueTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    let text = String(decoding: input, as: UTF8.self)
    if let ids = try? OpenHomeQueue.ids(Array(input)) {
      check(ids.count <= OpenHomeQueue.maximumEntries, "\(ids.count) ids")
      check(!ids.contains(0), "an id is 0")
    }
    for (_, item) in (try? OpenHomeQueue.items(trackList: text)) ?? [:] { _ = item.track }
    if let sources = try? SpeakerSources(xml: text) {
      check(sources.sources.count <= SpeakerSources.maximumSources, "\(sources.sources.count) sources")
      check(sources.sources.allSatisfy { !$0.isVisible || !$0.type.isEmpty }, "a visible source has no type")
    }
    _ = PlaybackState(transportState: text)
  }
}

/// Requests for a served file, and the user's own playlist files.
enum FilesTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    for format in [PlaylistFile.Format.m3u, .pls] {
      let entries = PlaylistFile.entries(Array(input), format: format)
      check(entries.count <= input.count, "\(entries.count) entries")
      for entry in entries { _ = PlaylistFile.path(entry.location, folder: "/music") }
    }
    let header = String(decoding: input, as: UTF8.self)
    for size in [0, 1, 1000, Int.max] {
      guard case .part(let part) = ByteRange(header, size: size) else { continue }
      check(!part.isEmpty && part.lowerBound >= 0 && part.upperBound <= size, "\(part) of \(size) bytes")
    }
  }
}
