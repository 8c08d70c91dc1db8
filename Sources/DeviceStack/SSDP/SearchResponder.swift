import NIOCore

/// Who answers a search, with what and when (UDA 1.1 §1.3.3).
struct SearchResponder: Sendable {
  /// The first answer comes within this time, so that controllers show the device at once.
  static let firstWithin = TimeAmount.milliseconds(60)
  /// Answers beyond the first are this far apart, or less where the asker does not listen for so long.
  static let spacing = TimeAmount.milliseconds(40)
  /// The last answer comes no later than this, however long the asker listens, less a margin for the way back.
  static let lastWithin = TimeAmount.milliseconds(950)

  var devices: [Advertisement]

  /// The answers in the order of their delays; none if nothing of ours is meant.
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
      // A UUID is compared without regard to case (RFC 4122 §3); the answer keeps the asker's spelling in ST only.
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
