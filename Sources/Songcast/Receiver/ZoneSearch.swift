import NIOCore

/// Finds out where a sender is, and follows it.
///
/// Pure. A sender announces changes, but announcements and answers get lost, so the question is repeated, and asked again
/// when the stream is silent.
struct ZoneSearch {
  static let shortestPause = TimeAmount.milliseconds(100)
  static let longestPause = TimeAmount.seconds(10)
  /// "Off" is believed after this time: a sender that changes its mode announces it in between.
  static let offDelay = TimeAmount.milliseconds(50)
  /// Pause between two changes, so that forged announcements cannot open sockets without end.
  static let changePause = TimeAmount.milliseconds(100)

  let zone: String
  private var pause = ZoneSearch.shortestPause
  private var queryAt: NIODeadline?
  private var changeAt: NIODeadline?
  private var lastChange: NIODeadline?
  private var announced: SongcastURI?
  private(set) var current: SongcastURI?

  init(zone: String, now: NIODeadline) {
    self.zone = zone
    queryAt = now
  }

  /// When `due` next has something to do.
  var next: NIODeadline? { [queryAt, changeAt].compactMap { $0 }.min() }

  mutating func announced(_ uri: SongcastURI, now: NIODeadline) {
    // A zone in another zone would be followed in circles.
    if case .zone = uri { return }
    queryAt = nil
    pause = Self.shortestPause
    announced = uri
    guard uri != current else {
      changeAt = nil
      return
    }
    var at = uri == .none ? now + Self.offDelay : now
    if let lastChange { at = max(at, lastChange + Self.changePause) }
    // Repeated announcements do not delay the change.
    changeAt = uri == .none ? min(changeAt ?? at, at) : at
  }

  /// Asks again, such as after a change of the network or because the stream is silent.
  mutating func ask(now: NIODeadline) {
    guard queryAt == nil else { return }
    pause = Self.shortestPause
    queryAt = now
  }

  /// - Returns: whether to send a query, and the new URI if it changes.
  mutating func due(_ now: NIODeadline) -> (query: Bool, change: SongcastURI?) {
    var query = false
    if let at = queryAt, at <= now {
      query = true
      queryAt = now + pause
      pause = min(pause * 2, Self.longestPause)
    }
    guard let at = changeAt, at <= now, let announced else { return (query, nil) }
    changeAt = nil
    lastChange = now
    current = announced
    return (query, announced)
  }
}
