import NIOCore

/// Tells the network where this speaker's zone plays, and its preset.
///
/// Pure. Changes are announced three times; queries are answered once.
package struct ZoneAnnouncer {
  static let pause = TimeAmount.milliseconds(100)
  static let repeats = 3
  /// Changes in quick succession add up to this many announcements.
  static let longestRow = 9
  /// Pause between two answers to the same question, which anybody may ask all the time.
  static let answerPause = TimeAmount.milliseconds(20)

  /// One of the two messages, with its repetitions.
  private struct Row {
    var left = 0
    var at: NIODeadline?
    var isAsked = false
    var answeredAt = NIODeadline.distantPast

    var next: NIODeadline? {
      [at, isAsked ? answeredAt + ZoneAnnouncer.answerPause : nil].compactMap { $0 }.min()
    }

    mutating func announce(now: NIODeadline) {
      left = min(left + ZoneAnnouncer.repeats, ZoneAnnouncer.longestRow)
      at = at ?? now
    }

    mutating func isDue(_ now: NIODeadline) -> Bool {
      guard let next, next <= now else { return false }
      if let due = at, due <= now {
        left -= 1
        at = left > 0 ? now + ZoneAnnouncer.pause : nil
      }
      isAsked = false
      answeredAt = now
      return true
    }
  }

  package let zone: String
  /// The sender's DIDL-Lite.
  private var metadata: String
  private var uri = SongcastURI.none
  private var preset: UInt32 = 0
  private var uriRow = Row()
  private var presetRow = Row()

  /// - Parameter preset: number of the sender; 0 for none.
  package init(zone: String, uri: SongcastURI, preset: UInt32, metadata: String, now: NIODeadline) {
    self.zone = zone
    self.uri = uri
    self.preset = preset
    self.metadata = metadata
    uriRow.announce(now: now)
    presetRow.announce(now: now)
  }

  /// The zone plays elsewhere: at the sender's new URI, or at that of another sender which this speaker receives.
  package mutating func set(_ uri: SongcastURI, now: NIODeadline) {
    guard uri != self.uri else { return }
    self.uri = uri
    uriRow.announce(now: now)
  }

  /// Replaces the sender's DIDL-Lite.
  package mutating func set(metadata: String) { self.metadata = metadata }

  package mutating func set(preset: UInt32, now: NIODeadline) {
    guard preset != self.preset else { return }
    self.preset = preset
    presetRow.announce(now: now)
  }

  /// The network has changed, so that others may not have heard anything.
  package mutating func repeatAll(now: NIODeadline) {
    uriRow.announce(now: now)
    presetRow.announce(now: now)
  }

  package mutating func receive(_ message: OHZMessage) {
    switch message {
    case .zoneQuery(zone: zone): uriRow.isAsked = true
    case .presetQuery(preset: preset) where preset != 0: presetRow.isAsked = true
    default: break
    }
  }

  /// When `due` next has something to do.
  package var next: NIODeadline? { [uriRow.next, presetRow.next].compactMap { $0 }.min() }

  package mutating func due(_ now: NIODeadline) -> [OHZMessage] {
    var messages: [OHZMessage] = []
    if uriRow.isDue(now) { messages.append(.zoneURI(zone: zone, uri: uri.description)) }
    if presetRow.isDue(now) { messages.append(.presetInfo(preset: preset, metadata: metadata)) }
    return messages
  }

  /// The last message.
  package func end() -> OHZMessage { .zoneURI(zone: zone, uri: SongcastURI.none.description) }
}
