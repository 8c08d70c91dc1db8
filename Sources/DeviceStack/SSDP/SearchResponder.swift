import NIOCore
import UPnP

struct SearchAnswer: Sendable, Hashable {
  /// Its type is the search's ST, except for `ssdp:all`. The USN contains the version that was searched for.
  var announcement: Announcement
  /// Time between the search and the answer.
  var delay: TimeAmount
}

/// Decides which announcements answer a search, and when (UDA 1.1 §1.3.3).
struct SearchResponder: Sendable {
  /// Longest delay of the first answer: short, so that controllers show the device at once.
  static let firstWithin = TimeAmount.milliseconds(60)
  /// Pause between further answers; shorter if the searcher does not listen long enough.
  static let spacing = TimeAmount.milliseconds(40)
  /// Latest delay of the last answer, however long the searcher listens; MX 1 leaves 50 ms for the way back.
  static let lastWithin = TimeAmount.milliseconds(950)

  var devices: [Advertisement]

  /// The answers, ordered by delay; empty if nothing matches.
  func answers(to request: SearchRequest, random: inout some RandomNumberGenerator) -> [SearchAnswer] {
    let announcements = matches(request)
    guard request.wait > .zero else { return announcements.map { SearchAnswer(announcement: $0, delay: .zero) } }
    let first = Int64.random(in: 0...Self.firstWithin.nanoseconds, using: &random)
    let last = min(request.wait.nanoseconds * 95 / 100, Self.lastWithin.nanoseconds)
    let step = min(Self.spacing.nanoseconds, (last - Self.firstWithin.nanoseconds) / Int64(max(announcements.count, 1)))
    var slot = Self.firstWithin.nanoseconds
    return announcements.enumerated().map { position, announcement in
      if position == 0 { return SearchAnswer(announcement: announcement, delay: .nanoseconds(first)) }
      defer { slot += step }
      return SearchAnswer(
        announcement: announcement, delay: .nanoseconds(Int64.random(in: slot...(slot + step), using: &random)))
    }
  }

  private func matches(_ request: SearchRequest) -> [Announcement] {
    switch request.target {
    case .all: devices.flatMap(\.announcements)
    case .rootDevice: devices.map { Announcement(of: $0, as: SearchTarget.rootDeviceText) }
    case .udn(let udn):
      // UUIDs are case-insensitive (RFC 4122 §3). ST repeats the searcher's spelling, the USN keeps ours.
      devices.filter { $0.udn.lowercased() == udn.lowercased() }.map {
        var announcement = Announcement(of: $0)
        announcement.type = udn
        return announcement
      }
    case .type(let urn):
      devices.filter { device in
        device.deviceType.satisfies(urn) || device.serviceTypes.contains { $0.satisfies(urn) }
      }.map { Announcement(of: $0, as: request.text) }
    }
  }
}
