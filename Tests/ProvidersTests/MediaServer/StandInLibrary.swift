import Glibc
import LocalLibrary
import UPnP

/// A library in memory: two albums of one artist in one folder, and a playlist with a URL.
final class StandInLibrary: LibraryContents {
  static let folder = LibraryContainerID.entry(.folders, 0xF)
  static let album = LibraryContainerID.entry(.albums, 0xA)
  static let playlist = LibraryContainerID.entry(.playlists, 0x9)

  let tracks: [LibraryTrack]
  /// The path of each track's file.
  private let paths: [Int64: String]
  let systemUpdateID: UInt32 = 7

  /// - Parameter paths: of files, by the track's id; other tracks cannot be opened.
  init(tracks: [LibraryTrack] = [first, second], paths: [Int64: String] = [:]) {
    self.tracks = tracks
    self.paths = paths
  }

  static let first: LibraryTrack = {
    var track = LibraryTrack(
      id: 1, folder: 0xF, fileName: "01 Říjen & more.FLAC", title: "Říjen & <more>", size: 1_234_567,
      modified: 784_111_777,
      added: 784_111_777, mimeType: "audio/x-flac")
    track.album = 0xA
    track.artists = ["Ann", "Bob"]
    track.albumArtists = ["Various"]
    track.composers = ["Cid"]
    track.genres = ["Jazz", "Folk"]
    track.albumTitle = "One"
    track.date = "1999-05"
    (track.number, track.disc) = (3, 2)
    track.duration = .milliseconds(3_723_045)
    (track.bitRate, track.sampleRate, track.channels, track.bitsPerSample) = (800_000, 44_100, 2, 16)
    track.cover = .embedded(1)
    return track
  }()

  /// A track with no more than it must have.
  static let second = LibraryTrack(
    id: 0x2B, folder: 0xF, fileName: "b.mp3", title: "B", size: 10, modified: 1, added: 1, mimeType: "audio/mpeg")

  func children(
    of container: LibraryContainerID, sort: [SortKey], range: Range<Int>
  ) async throws(LibraryError) -> LibraryPage {
    let all: [LibraryEntry]
    switch container {
    case .root: all = [.container(try await self.container(.list(.albums)))]
    case .list(.albums): all = [.container(try await self.container(Self.album))]
    case Self.album, Self.folder: all = tracks.map { .track($0, parent: container) }
    case Self.playlist:
      all = [
        .track(tracks[0], parent: container), .track(tracks[0], parent: container),
        .link("http://192.0.2.1/live?a&b", title: "Live", position: 2, parent: container),
      ]
    default: throw .missing
    }
    let sorted = sort.isEmpty ? all : all.reversed()
    return LibraryPage(
      entries: Array(sorted[range.clamped(to: 0..<sorted.count)]), total: sorted.count, updateID: 5)
  }

  func search(
    _ criteria: SearchCriteria, in container: LibraryContainerID, sort: [SortKey], range: Range<Int>
  ) async throws(LibraryError) -> LibraryPage {
    _ = try await self.container(container)
    switch criteria {
    case .comparison("dc:title", .equal, "unsupported"): throw .unsupported
    case .comparison("dc:title", .equal, "failed"): throw .failed("the disk is gone")
    case .comparison("dc:title", .contains, let text):
      let found = tracks.filter { $0.title.contains(text) }
      return LibraryPage(
        entries: found.map { .track($0, parent: Self.folder) }, total: found.count, updateID: systemUpdateID)
    default: throw .unsupported
    }
  }

  func container(_ id: LibraryContainerID) async throws(LibraryError) -> LibraryContainer {
    switch id {
    case .root: return LibraryContainer(id: id, parent: nil, title: "Music", childCount: 1, updateID: 5)
    case .list(.albums): return LibraryContainer(id: id, parent: .root, title: "Albums", childCount: 1, updateID: 5)
    case Self.album:
      var album = LibraryContainer(id: id, parent: .list(.albums), title: "One & two", childCount: 2, updateID: 6)
      (album.artist, album.date, album.genre, album.cover) = ("Ann", "1999", "Jazz", .folder(0xF))
      return album
    case Self.folder:
      return LibraryContainer(id: id, parent: .list(.folders), title: "Folder", childCount: 2, updateID: 5)
    case Self.playlist:
      return LibraryContainer(id: id, parent: .list(.playlists), title: "List", childCount: 3, updateID: 5)
    default: throw .missing
    }
  }

  func track(_ id: Int64) async throws(LibraryError) -> LibraryTrack {
    guard let track = tracks.first(where: { $0.id == id }) else { throw .missing }
    return track
  }

  func open(track id: Int64) async throws(LibraryError) -> LibraryFile {
    guard let path = paths[id] else { throw .missing }
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .failed("cannot open \(path)") }
    var status = stat()
    fstat(descriptor, &status)
    return LibraryFile(
      descriptor: descriptor, size: Int64(status.st_size), modified: Int64(status.st_mtim.tv_sec),
      mimeType: "audio/x-flac")
  }

  func cover(_ id: LibraryCoverID) async throws(LibraryError) -> LibraryCover {
    guard id == .embedded(1) else { throw .missing }
    return .bytes(Array("\u{89}PNG".utf8), mimeType: "image/png")
  }

  func changes() -> AsyncStream<LibraryChange> { AsyncStream { $0.finish() } }
}
