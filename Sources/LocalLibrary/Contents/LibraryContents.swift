import UPnP

/// The music on the speaker's own disks: an index that follows the files, and its contents.
package protocol LibraryContents: Sendable {
  /// The entries of a container.
  /// - Parameters:
  ///   - sort: the order, by properties of `LibraryProperty.sortable`; if empty, the natural one of the container.
  ///   - range: of the positions in the list, cut to those that exist.
  func children(
    of container: LibraryContainerID, sort: [SortKey], range: Range<Int>
  ) async throws(LibraryError) -> LibraryPage

  /// The entries in a container, at any depth, that match.
  /// - Throws: `unsupported` for properties that are not in `LibraryProperty.searchable`.
  func search(
    _ criteria: SearchCriteria, in container: LibraryContainerID, sort: [SortKey], range: Range<Int>
  ) async throws(LibraryError) -> LibraryPage

  func container(_ id: LibraryContainerID) async throws(LibraryError) -> LibraryContainer
  func track(_ id: Int64) async throws(LibraryError) -> LibraryTrack

  /// Opens the file of a track.
  func open(track id: Int64) async throws(LibraryError) -> LibraryFile
  func cover(_ id: LibraryCoverID) async throws(LibraryError) -> LibraryCover

  /// Changes with each change of the contents, also over restarts (ContentDirectory:1 §2.5.20).
  var systemUpdateID: UInt32 { get }
  /// Changes from now on. A slow reader gets several at once.
  func changes() -> AsyncStream<LibraryChange>
}

package enum LibraryError: Error, Sendable, Hashable {
  /// There is no such container or object.
  case missing
  /// The criteria have too many parts, or compare what cannot be compared.
  case unsupported
  /// The index or the file cannot be read; a reason for the log.
  case failed(String)
}

package struct LibraryChange: Sendable, Hashable {
  package var systemUpdateID: UInt32
  /// Containers with changed contents; of many, only the lists.
  package var containers: [LibraryContainerID: UInt32]

  package init(systemUpdateID: UInt32, containers: [LibraryContainerID: UInt32]) {
    self.systemUpdateID = systemUpdateID
    self.containers = containers
  }
}
