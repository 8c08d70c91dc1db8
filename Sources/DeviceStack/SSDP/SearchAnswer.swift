import NIOCore
import UPnP

/// One answer to a search.
struct SearchAnswer: Sendable, Hashable {
  /// Its type is the search's ST, except for `ssdp:all`. The USN contains the version that was searched for.
  var announcement: Announcement
  /// Time between the search and the answer.
  var delay: TimeAmount
}
