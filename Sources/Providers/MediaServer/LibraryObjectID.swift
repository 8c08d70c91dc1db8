import LocalLibrary

/// The id of an object of the library in ContentDirectory.
///
///     albums/1f          a container
///     albums/1f:2a       the track 2a in it
///     playlists/3:2a.4   the same in a playlist, as its fifth entry
///     playlists/3:.5     the sixth entry of a playlist, a URL
enum LibraryObjectID: Hashable {
  case container(LibraryContainerID)
  /// - position: tells a track that a playlist contains twice from itself.
  case track(Int64, parent: LibraryContainerID, position: Int?)
  case link(position: Int, parent: LibraryContainerID)

  /// - Returns: nil for text that is no id. The object may still not exist.
  init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let container = parts.first.flatMap({ LibraryContainerID(String($0)) }) else { return nil }
    guard parts.count == 2 else {
      self = .container(container)
      return
    }
    let item = parts[1].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    var position: Int?
    if item.count == 2 {
      guard let number = Int(item[1]), number >= 0, "\(number)" == item[1] else { return nil }
      position = number
    }
    if let position, item[0].isEmpty {
      self = .link(position: position, parent: container)
    } else {
      guard let id = LibraryID.parse(item[0]) else { return nil }
      self = .track(id, parent: container, position: position)
    }
  }

  var text: String {
    switch self {
    case .container(let id): id.text
    case .track(let id, let parent, let position):
      "\(parent.text):\(LibraryID.text(id))\(position.map { ".\($0)" } ?? "")"
    case .link(let position, let parent): "\(parent.text):.\(position)"
    }
  }

  /// The one place of a track that is no reference: its folder.
  static func original(of track: LibraryTrack) -> LibraryObjectID {
    .track(track.id, parent: .entry(.folders, track.folder), position: nil)
  }
}
