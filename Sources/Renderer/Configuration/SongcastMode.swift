/// How the speaker's sound goes to other rooms.
enum SongcastMode: String, CaseIterable, Sendable {
  /// To one receiver, which forwards it to at most four others.
  case unicast
  /// To a multicast group, for any number of receivers.
  case multicast
  /// Other rooms cannot play it.
  case off
}
