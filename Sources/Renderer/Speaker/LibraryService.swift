import LocalLibrary
import Logging
import ServiceLifecycle

/// Runs the music library, and gives it the folders of a reloaded configuration.
struct LibraryService: Service {
  let library: MusicLibrary
  private let changes: AsyncStream<Configuration>

  /// - Parameters:
  ///   - changes: configurations after a reload.
  ///   - folder: for the index.
  /// - Returns: nil without folders of music; the index of an earlier library is removed.
  init?(_ configuration: Configuration, changes: AsyncStream<Configuration>, in folder: String, logger: Logger) {
    guard !configuration.libraryFolders.isEmpty else {
      MusicLibrary.removeIndex(in: folder)
      return nil
    }
    self.changes = changes
    library = MusicLibrary(
      settings: LibrarySettings(folders: configuration.libraryFolders), in: folder, logger: logger)
  }

  func run() async {
    await withTaskGroup { group in
      group.addTask {
        for await configuration in changes.cancelOnGracefulShutdown() {
          library.setFolders(configuration.libraryFolders)
        }
      }
      await cancelWhenGracefulShutdown { await library.run() }
      group.cancelAll()
    }
  }
}
