import NIOCore

/// One answer to a search: what it says, and how long after the search.
struct SearchAnswer: Sendable, Hashable {
  /// The search's own ST, but for `ssdp:all` the type of what answers. The USN carries the type as asked for.
  var announcement: Announcement
  var delay: TimeAmount
}
