/// Decides which of the items that a speaker was told to play are heard, and which cannot be played. A pure state machine.
///
/// An item is heard when the speaker plays it and the position moves. A speaker may say that it plays a broken file, skip
/// it, or stay stopped.
public struct PlaybackWatch: Sendable {
  public struct Item: Sendable, Hashable {
    public var uri: String
    /// Nil if unknown.
    public var duration: Duration?
    /// Whether the item is a file, so that its position must move.
    public var isFile: Bool

    public init(uri: String, duration: Duration? = nil, isFile: Bool = false) {
      self.uri = uri
      self.duration = duration
      self.isFile = isFile
    }
  }

  /// A snapshot of the speaker.
  public struct Observation: Sendable, Hashable {
    public var state: PlaybackState
    /// Nil if nothing is selected.
    public var uri: String?
    /// Nil if the speaker does not know it.
    public var position: Duration?
    /// Whether the speaker reports an error.
    public var hasError: Bool

    public init(state: PlaybackState, uri: String?, position: Duration? = nil, hasError: Bool = false) {
      self.state = state
      self.uri = uri
      self.position = position
      self.hasError = hasError
    }
  }

  /// Why an item is not heard.
  public enum Failure: String, Sendable, Hashable {
    /// The speaker reports an error.
    case error
    /// The speaker stays stopped.
    case stopped
    /// The speaker went on to another track.
    case skipped
    /// The speaker loads it without end.
    case loading
    /// The speaker says that it plays the item, but the position does not move.
    case silent
    /// The speaker never selected the item.
    case ignored
  }

  public enum Finding: Sendable, Hashable {
    /// The item with this index.
    case heard(Int)
    /// The speaker says that it plays the item, and reports no position that would prove it.
    case unproven(Int)
    case failed(Int, Failure)
  }

  /// How long a speaker may keep reporting the previous item.
  static let staleTime = Duration.seconds(10)
  /// How long it may stay stopped on an item, and with an error.
  static let stoppedTime = Duration.seconds(8)
  static let errorTime = Duration.seconds(2)
  static let loadingTime = Duration.seconds(60)
  /// How long the position may stand still, and how long a speaker without positions must play.
  static let silentTime = Duration.seconds(15)
  static let unprovenTime = Duration.seconds(2)
  /// Durations are whole seconds, and some are wrong by a second.
  private static let tolerance = Duration.seconds(2)

  private let items: [Item]
  private let uris: [PlayedURI]
  /// Whether the first item should begin at once, and the others follow in their order.
  private let beginsNow: Bool
  private var outcomes: [Int: Finding] = [:]
  private var current: Int?
  /// When the current item was first seen, and when the state or the position last changed.
  private var seenAt = Duration.zero
  private var changedAt = Duration.zero
  private var last: Observation?
  private var isLoading = false
  /// Since when the speaker is stopped and reports an error.
  private var errorAt: Duration?

  /// - Parameter beginsNow: false for items at the end of a queue, which may begin much later, or never.
  public init(_ items: [Item], beginsNow: Bool = true) {
    self.items = items
    uris = items.map { PlayedURI($0.uri) }
    self.beginsNow = beginsNow
  }

  /// Whether an item was heard, or none can be.
  public var isDecided: Bool { outcomes.values.contains { !Self.isFailure($0) } || isOver }
  /// Whether nothing more is heard, because all items failed or the speaker stopped at one of them.
  public private(set) var isOver = false
  /// The indices of the items that failed, in order.
  public var failed: [Int] { outcomes.filter { Self.isFailure($0.value) }.keys.sorted() }

  /// - Parameter now: monotonic, from 0 on.
  /// - Returns: the new findings, in the order of the items.
  public mutating func observe(_ observation: Observation, at now: Duration) -> [Finding] {
    errorAt = observation.hasError && Self.isStopped(observation.state) ? errorAt ?? now : nil
    let findings = follow(observation, at: now) + failAfterLast(at: now)
    if failed.count == items.count { isOver = true }
    return findings
  }

  private mutating func follow(_ observation: Observation, at now: Duration) -> [Finding] {
    var findings: [Finding] = []
    guard let index = index(of: observation.uri) else {
      if let current {
        findings += leave(current, at: now)
      } else if beginsNow, now > Self.staleTime {
        findings += note(.failed(0, .ignored))
        isOver = true
      }
      if current != nil, observation.uri != nil { isOver = beginsNow }
      return findings
    }
    if index != current {
      findings += pass(to: index, at: now)
      current = index
      seenAt = now
      changedAt = now
      isLoading = false
      last = nil
    }
    defer { last = observation }
    if last.map({ $0.state != observation.state || $0.position != observation.position }) ?? true { changedAt = now }
    guard outcomes[index] == nil else {
      // A queue that stops at a broken track does not reach the others.
      if Self.isStopped(observation.state), now - changedAt > Self.stoppedTime, failed.contains(index) { isOver = true }
      return findings
    }
    return findings + judge(index, observation, at: now)
  }

  private mutating func judge(_ index: Int, _ observation: Observation, at now: Duration) -> [Finding] {
    switch observation.state {
    case .paused: return note(.heard(index))
    case .playing:
      guard let position = observation.position else {
        return now - seenAt >= Self.unprovenTime ? note(.unproven(index)) : []
      }
      let hasMoved = last.flatMap(\.position).map { $0 != position && last?.state == .playing } ?? false
      if hasMoved || position >= .seconds(1) && now - seenAt >= .seconds(1) { return note(.heard(index)) }
      guard now - changedAt > Self.silentTime else { return [] }
      return note(items[index].isFile ? .failed(index, .silent) : .unproven(index))
    case .buffering, .waiting:
      isLoading = true
      return now - seenAt > Self.loadingTime ? note(.failed(index, .loading)) : []
    case .stopped, .noMedia, .unknown:
      if observation.hasError, now - changedAt >= Self.errorTime { return note(.failed(index, .error)) }
      return now - changedAt > Self.stoppedTime ? note(.failed(index, .stopped)) : []
    }
  }

  /// A queue that ends with a broken item may select another one when it stops.
  private mutating func failAfterLast(at now: Duration) -> [Finding] {
    guard let errorAt, now - errorAt >= Self.errorTime, let current,
      outcomes[current].map({ !Self.isFailure($0) }) ?? false,
      let next = items.indices.first(where: { outcomes[$0] == nil })
    else { return [] }
    isOver = true
    return note(.failed(next, .error))
  }

  /// The speaker has gone on to an item: those before it that nobody heard were skipped.
  private mutating func pass(to index: Int, at now: Duration) -> [Finding] {
    guard let current else {
      let passed = beginsNow ? Array(0..<index) : []
      return passed.flatMap { outcomes[$0] == nil ? note(.failed($0, .skipped)) : [] }
    }
    var findings = leave(current, at: now)
    if current < index {
      for passed in (current + 1)..<index { findings += leave(passed, at: now) }
    }
    return findings
  }

  /// An item is not current any more. It was skipped, unless there was time to play it since its start was seen.
  private mutating func leave(_ index: Int, at now: Duration) -> [Finding] {
    guard outcomes[index] == nil else { return [] }
    if let duration = items[index].duration, now - seenAt + Self.tolerance >= duration { return note(.heard(index)) }
    return note(.failed(index, .skipped))
  }

  private mutating func note(_ finding: Finding) -> [Finding] {
    switch finding {
    case .heard(let index), .unproven(let index), .failed(let index, _): outcomes[index] = finding
    }
    return [finding]
  }

  /// The current item if it has this URI, otherwise a later one, otherwise any.
  private func index(of uri: String?) -> Int? {
    guard let uri = uri.map({ PlayedURI($0) }) else { return nil }
    let start = current ?? 0
    return uris[start...].firstIndex(of: uri) ?? uris.firstIndex(of: uri)
  }

  private static func isFailure(_ finding: Finding) -> Bool {
    if case .failed = finding { return true }
    return false
  }

  private static func isStopped(_ state: PlaybackState) -> Bool { [.stopped, .noMedia, .unknown].contains(state) }
}

extension PlaybackWatch.Failure: CustomStringConvertible {
  /// Completes "The speaker cannot play …: ".
  public var description: String {
    switch self {
    case .error: "it reports an error"
    case .stopped: "it stays stopped"
    case .skipped: "it went on to another track"
    case .loading: "it loads without end"
    case .silent: "it says that it plays, but its position stands still"
    case .ignored: "it did not select the track"
    }
  }
}

extension RemoteSpeaker {
  /// A snapshot for `PlaybackWatch`.
  public func observation(of now: NowPlaying) async throws(ControlPointError) -> PlaybackWatch.Observation {
    var observation = PlaybackWatch.Observation(state: now.state, uri: now.track?.uri, position: now.position)
    // OpenHome's services report no errors. The renderer of the same machine does.
    if [.stopped, .noMedia].contains(now.state), let transport = services.avTransport {
      let info = try await tolerating { () throws(ControlPointError) in try await transport.getTransportInfo() }
      observation.hasError = info?.currentTransportStatus == .errorOccurred
    }
    return observation
  }
}
