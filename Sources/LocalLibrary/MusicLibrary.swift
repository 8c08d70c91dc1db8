import Logging
import MediaFiles
import PlaybackModel
import SQLite
import UPnP

/// The library of some folders.
package final class MusicLibrary: LibraryContents {
  static let databaseName = "library.db"
  private static let stopTime = Duration.seconds(1)

  private let path: String
  private let logger: Logger
  private let state: LibraryState
  private let reader: QueryReader
  /// Opens files and reads pictures, which may wait for a disk.
  private let files = LibraryWorker("library-files")

  /// - Parameter folder: of the index.
  package init(settings: LibrarySettings, in folder: String, logger: Logger) {
    state = LibraryState(settings)
    self.logger = logger
    path = "\(folder)/\(Self.databaseName)"
    reader = QueryReader(path: path, state: state)
  }

  /// Removes the index of a library that is switched off.
  package static func removeIndex(in folder: String) { LibraryDatabase.remove("\(folder)/\(databaseName)") }

  /// Scans the folders and follows them until the task is cancelled.
  package func run() async {
    let finished = AsyncStream<Void>.makeStream()
    NamedThread.start("library-scan") { [path, state, logger] in
      LibraryScanner(path: path, state: state, logger: logger).run()
      finished.continuation.finish()
    }
    await withTaskCancellationHandler {
      // The thread ends soon after the cancellation; a stream would end at once.
      await Task { for await _ in finished.stream {} }.value
    } onCancel: {
      state.stop()
      // A disk that does not answer must not delay the end of the program.
      Task {
        try? await Task.sleep(for: Self.stopTime)
        finished.continuation.finish()
      }
    }
    reader.stop()
    files.stop()
  }

  package var status: LibraryStatus { state.status }

  /// The folders with music.
  package var folders: [String] { state.settings.folders }

  /// Scans other folders from now on, and forgets the tracks of others.
  package func setFolders(_ folders: [String]) {
    if state.setFolders(folders) { rescan() }
  }

  /// Scans all folders once more.
  package func rescan() { state.requestScan() }

  // MARK: LibraryContents

  package var systemUpdateID: UInt32 { state.systemUpdateID }

  package func changes() -> AsyncStream<LibraryChange> { state.changes() }

  package func children(
    of container: LibraryContainerID, sort: [SortKey], range: Range<Int>
  ) async throws(LibraryError) -> LibraryPage {
    try await reader.run { reader throws(LibraryError) in
      try reader.children(of: container, sort: sort, range: range)
    }
  }

  package func search(
    _ criteria: SearchCriteria, in container: LibraryContainerID, sort: [SortKey], range: Range<Int>
  ) async throws(LibraryError) -> LibraryPage {
    try await reader.run { reader throws(LibraryError) in
      try reader.search(criteria, in: container, sort: sort, range: range)
    }
  }

  package func container(_ id: LibraryContainerID) async throws(LibraryError) -> LibraryContainer {
    try await reader.run { reader throws(LibraryError) in
      try reader.translated { () throws(DatabaseError) in try reader.container(id) }
    }
  }

  package func track(_ id: Int64) async throws(LibraryError) -> LibraryTrack {
    try await reader.run { reader throws(LibraryError) in
      try reader.translated { () throws(DatabaseError) in try reader.track(id) }
    }
  }

  package func open(track id: Int64) async throws(LibraryError) -> LibraryFile {
    let place = try await place(ofTrack: id)
    return try await files.run { [state] () throws(LibraryError) in try place.open(state.settings) }
  }

  package func cover(_ id: LibraryCoverID) async throws(LibraryError) -> LibraryCover {
    switch id {
    case .embedded(let track):
      let place = try await place(ofTrack: track)
      return try await files.run { [state] () throws(LibraryError) in
        let file = try place.open(state.settings)
        guard let picture = AudioPicture(descriptor: file.descriptor, name: place.name) else { throw .missing }
        return .bytes(picture.bytes, mimeType: picture.mimeType)
      }
    case .folder(let folder):
      let place = try await reader.run { reader throws(LibraryError) in
        try reader.translated { () throws(DatabaseError) in try reader.cover(ofFolder: folder) }
      }
      return try await files.run { [state] () throws(LibraryError) in .file(try place.open(state.settings)) }
    }
  }

  private func place(ofTrack id: Int64) async throws(LibraryError) -> FilePlace {
    try await reader.run { reader throws(LibraryError) in
      try reader.translated { () throws(DatabaseError) in try reader.file(ofTrack: id) }
    }
  }
}
