import DeviceStack
import LocalLibrary
import Logging
import MediaFiles
import NIOCore
import Providers
import UPnP

/// The media server with the music on the speaker's own disks. Used on the event loop.
final class LibraryDevice {
  let root: RootDevice
  private let library: any LibraryContents
  private let directory: ContentDirectoryProvider
  private let files: LibraryFiles

  /// - Parameters:
  ///   - name: the speaker's.
  ///   - uuid: without `uuid:`.
  ///   - presentationURL: the page; nil for none.
  init(
    library: any LibraryContents, name: String, uuid: UUID, presentationURL: String?, eventLoop: any EventLoop,
    logger: Logger
  ) {
    self.library = library
    directory = ContentDirectoryProvider(library: library, eventLoop: eventLoop)
    files = LibraryFiles(library: library, eventLoop: eventLoop, logger: logger)
    let source = ProtocolInfo.sink(mimeTypes: FileType.audioTypes)
    var info = DeviceInfo.swiftlet(
      URN(domain: "schemas-upnp-org", kind: .device, name: "MediaServer", version: 1), name: Self.name(name),
      uuid: uuid, presentationURL: presentationURL)
    info.modelDescription = "Music on the speaker's own disks"
    info.extensions = [
      // Marks a DLNA server, which some renderers require (DLNA guidelines 7.3.2).
      DescriptionExtension(
        prefix: "dlna", namespace: "urn:schemas-dlna-org:device-1-0", name: "X_DLNADOC", text: "DMS-1.50")
    ]
    root = RootDevice(
      info: info, services: [directory.service, ConnectionManagerProvider(source: source).service], folder: Self.folder)
  }

  private static let folder = "library"

  /// The friendly name. It differs from the speaker's, so that control points can tell them apart.
  static func name(_ speaker: String) -> String { "\(speaker) library" }

  /// The beginnings of the paths of its covers and icons.
  static let pictures = [LibraryFiles.pictures] + Icons.all.map { "/\(folder)/\($0.fileName)" }

  /// Adds the routes of tracks and covers.
  func mount(on host: isolated DeviceHost) { files.mount(on: host) }

  /// Passes a change of the library to the services.
  func update(_ change: LibraryChange) { directory.update(change) }

  /// The changes from now on. The first one is the current state.
  func changes() -> AsyncStream<LibraryChange> {
    let changes = library.changes()
    directory.update(LibraryChange(systemUpdateID: library.systemUpdateID, containers: [:]))
    return changes
  }
}
