/// One step from one state of the playlist to another, as it is written to the disk.
package enum PlaylistChange: Sendable, Equatable {
  /// After 0 is the front.
  case insert(id: UInt32, after: UInt32, PlaylistTrack)
  case delete(id: UInt32)
  case deleteAll
  /// Another track is the current one; 0 for none.
  case current(UInt32)
  /// The ids up to this one are used up.
  case lastID(UInt32)
  case repeats(Bool)
  case shuffles(Bool)
}
