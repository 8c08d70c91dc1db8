import LocalLibrary
import Logging
import ServiceLifecycle

/// Runs the music library.
struct LibraryService: Service {
  let library: MusicLibrary

  /// - Parameter folder: for the index.
  /// - Returns: nil without folders of music; the index of an earlier library is removed.
  init?(_ configuration: Configuration, in folder: String, logger: Logger) {
    guard !configuration.libraryFolders.isEmpty else {
      MusicLibrary.removeIndex(in: folder)
      return nil
    }
    library = MusicLibrary(
      settings: LibrarySettings(folders: configuration.libraryFolders), in: folder, logger: logger)
  }

  func run() async {
    await cancelWhenGracefulShutdown { await library.run() }
  }
}
