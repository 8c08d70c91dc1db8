/// Why a command to the playlist is refused. Nothing has changed then.
public enum PlaylistError: Error, Sendable, Equatable {
  /// No track has the id.
  case idNotFound
  /// The list is too short for the index.
  case indexNotFound
  /// There is no room for another track.
  case full
}
