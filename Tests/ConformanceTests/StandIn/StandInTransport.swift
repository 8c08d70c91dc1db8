import DeviceStack
import UPnP

/// The state machine of the stand-in player (pure). Commands, fetched data and time go in; fetches come out.
struct StandInTransport {
  enum State: Equatable {
    case noMedia, stopped, transitioning, playing, paused
  }

  /// An action on the network.
  enum Effect: Equatable {
    /// Fetches a track from an offset on. Replaces a running fetch for this track.
    case fetch(track: Int, uri: String, from: Int)
    case cancel(track: Int)
  }

  struct Track {
    /// Identifies the track and its fetches. Never reused.
    let number: Int
    let uri: String
    let metadata: String
    /// The duration in the metadata (`res@duration`).
    let announced: Duration?
    /// Nil until the beginning has been fetched.
    var format: StandInFormat?
    /// The offset after the last byte fetched so far.
    var end = 0
    var isFetching = false
    var isComplete = false
    /// The number of fetches that ended early without a byte.
    var failures = 0

    var duration: Duration? { format?.duration ?? announced }

    /// The byte offset at a time, aligned to a frame.
    func byte(at time: Duration) -> Int {
      guard let format else { return 0 }
      return format.dataStart + Int(time / .seconds(1) * Double(format.bytesPerSecond)) / 4 * 4
    }

    /// The end of the playable sound so far.
    var playable: Duration {
      guard let format, end > format.dataStart else { return .zero }
      return .seconds(Double(end - format.dataStart) / Double(format.bytesPerSecond))
    }
  }

  /// The amount of sound needed to start, and to continue after a stall.
  private var prebuffer: Duration { fault == .isImpatient ? .seconds(4) : .milliseconds(200) }
  /// The delay before each track.
  private var delay: Duration {
    switch fault {
    case .startsLate: .seconds(6)
    case .joinsLate where previousURI != nil: .seconds(8)
    default: .zero
    }
  }
  /// Time before the end at which the next track is opened.
  private static let openAhead = Duration.seconds(5)
  /// Fetching pauses once this much sound is buffered.
  private static let readAhead = Duration.seconds(20)
  private static let maximumFailures = 5

  let fault: StandInFault?
  private(set) var state = State.noMedia
  private(set) var hasFailed = false
  private(set) var current: Track?
  private(set) var next: Track?
  /// The URI of the track before the join.
  private var previousURI: String?
  private var effects: [Effect] = []
  private var trackCount = 0
  /// The position at ``anchorTime``; it rises only in the state ``State/playing``.
  private var anchor = Duration.zero
  private var anchorTime = Duration.zero
  private var now = Duration.zero

  init(fault: StandInFault? = nil) { self.fault = fault }

  var position: Duration {
    let isCounting = state == .playing || state == .paused && fault == .pauseKeepsCounting
    let position = isCounting ? anchor + (now - anchorTime) : anchor
    return min(position, current?.duration ?? position)
  }

  var reportedURI: String {
    if fault == .reportsNextEarly, let next, let duration = current?.duration, duration - position < .seconds(3) {
      return next.uri
    }
    return current?.uri ?? ""
  }

  /// The effects since the last call.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  // MARK: Commands

  mutating func set(uri: String, metadata: String) {
    if state == .playing, fault == .ignoresURIWhilePlaying { return }
    if fault != .keepsNextAfterSet { dropNext() }
    let wasPlaying = state == .playing || state == .transitioning
    release()
    hasFailed = false
    current = uri.isEmpty ? nil : track(uri, metadata)
    anchor = .zero
    state = uri.isEmpty ? .noMedia : .stopped
    if wasPlaying, current != nil { begin() }
  }

  mutating func setNext(uri: String, metadata: String) {
    switch fault {
    case .ignoresNext: return
    case .ignoresEmptyNext where uri.isEmpty: return
    case .ignoresSecondNext where next != nil: return
    case .ignoresSameNext where uri == current?.uri: return
    case .setNextStarts where state == .stopped: begin()
    case .setNextFetchesAgain: if let current { fetch(current.number, from: 0) }
    default: break
    }
    dropNext()
    if !uri.isEmpty { next = track(uri, metadata) }
    update()
  }

  mutating func play() throws(ActionFault) {
    switch state {
    case .noMedia: throw Self.notAvailable
    case .stopped: begin()
    case .transitioning: break
    case .playing: if fault == .playRestarts { restart() }
    case .paused:
      enter(.playing)
      if fault == .resumeRestarts { restart() }
      if fault == .fetchesAgainAfterPause, let current { fetch(current.number, from: 0) }
    }
  }

  private mutating func restart() {
    anchor = .zero
    anchorTime = now
  }

  mutating func pause() throws(ActionFault) {
    switch state {
    case .noMedia, .stopped: throw Self.notAvailable
    case .transitioning, .playing: enter(.paused)
    case .paused: if fault == .pauseToggles { enter(.playing) }
    }
  }

  mutating func stop() throws(ActionFault) {
    guard state != .noMedia else { throw Self.notAvailable }
    if state == .transitioning, fault == .stopWaitsForServer { return }
    if fault == .stopPlaysNext, next != nil { return advance() }
    halt()
  }

  mutating func seek(to target: Duration) throws(ActionFault) {
    guard state != .noMedia, let current else { throw Self.notAvailable }
    guard current.duration.map({ target <= $0 }) ?? false else { throw Self.illegalTarget }
    if state == .paused, fault == .ignoresSeekWhilePaused { return }
    if fault == .seekDropsNext { dropNext() }
    anchor = target
    anchorTime = now
    guard state != .stopped else { return }
    if target > current.playable { fetchCurrent() }
    if state == .playing { enter(.transitioning) }
    update()
  }

  mutating func selectTrack(_ number: Int) throws(ActionFault) {
    guard state != .noMedia else { throw Self.notAvailable }
    guard number == 1 else { throw Self.illegalTarget }
    try seek(to: .zero)
  }

  mutating func skipToNext() throws(ActionFault) {
    guard state != .noMedia else { throw Self.notAvailable }
    guard next != nil else { throw Self.illegalTarget }
    advance()
  }

  mutating func skipToPrevious() throws(ActionFault) {
    throw state == .noMedia ? Self.notAvailable : Self.illegalTarget
  }

  static let notAvailable = ActionFault(701, "Transition not available")
  static let illegalTarget = ActionFault(711, "Illegal seek target")

  /// CurrentTransportActions.
  var actions: [String] {
    let skips = next == nil ? [] : ["Next"]
    switch state {
    case .noMedia: return []
    case .stopped: return ["Play", "Stop", "Seek"] + skips
    case .transitioning, .playing: return ["Play", "Stop", "Pause", "Seek"] + skips
    case .paused: return ["Play", "Stop", "Pause", "Seek"] + skips
    }
  }

  // MARK: Fetching

  func format(of number: Int) -> StandInFormat? { track(number)?.format }

  func announcedDuration(of number: Int) -> Duration? { track(number)?.announced }

  /// Whether a fetch should continue to read.
  func wantsMore(_ number: Int) -> Bool {
    guard let track = track(number) else { return false }
    return track.format == nil || track.playable < (number == current?.number ? position : .zero) + Self.readAhead
  }

  /// The first bytes of a track have arrived.
  mutating func began(_ number: Int, _ format: StandInFormat?) {
    if case .refusesRate(let rate) = fault, format?.rate == rate { return failed(number) }
    change(number) { $0.format = $0.format ?? format }
    if format == nil { failed(number) }
  }

  mutating func fetched(_ number: Int, upTo end: Int) {
    change(number) { track in
      track.end = end
      track.failures = 0
    }
    update()
  }

  /// - Parameter isComplete: whether all announced bytes have arrived.
  mutating func ended(_ number: Int, isComplete: Bool) {
    change(number) { track in
      track.isFetching = false
      track.isComplete = isComplete
      track.failures += 1
    }
    guard let track = track(number) else { return }
    if isComplete { return track.format == nil ? failed(number) : update() }
    guard track.failures < Self.maximumFailures, fault != .fetchesOnce else { return failed(number) }
    fetch(number, from: track.end)
  }

  mutating func failed(_ number: Int) {
    effects.append(.cancel(track: number))
    guard fault != .hidesFailures, fault != .ignoresStarvation || state != .playing else { return }
    if number == next?.number {
      next = nil
      if fault == .failedNextStops { halt() }
    }
    guard number == current?.number else { return }
    halt()
    hasFailed = true
  }

  // MARK: Time

  /// - Parameter time: since the start of the player.
  mutating func advance(to time: Duration) {
    now = time
    update()
  }

  private mutating func update() {
    guard let current else { return }
    switch state {
    case .transitioning:
      if fault == .neverPlays { return }
      if fault == .fetchesNextLate, now - anchorTime > .seconds(6) { fetchIfNeeded() }
      if fault == .isImpatient, now - anchorTime > .seconds(1) { return failed(current.number) }
      let isReady = current.isComplete || current.playable >= anchor + prebuffer
      if isReady, now - anchorTime >= delay { enter(.playing) }
    case .playing:
      if let duration = current.duration, position >= duration {
        if fault != .ignoresEnd { finish() }
      } else if !current.isComplete, position > current.playable, fault != .ignoresStarvation {
        enter(.transitioning)
      }
    case .noMedia, .stopped, .paused: break
    }
    openNext()
  }

  private mutating func openNext() {
    guard let next, !next.isFetching, !next.isComplete, state == .playing, let duration = current?.duration,
      duration - position < Self.openAhead, fault != .fetchesNextLate
    else { return }
    fetch(next.number, from: 0)
  }

  private mutating func finish() {
    if next == nil { halt() } else { advance() }
  }

  /// Makes the next track current.
  private mutating func advance() {
    let plays = state == .playing || state == .transitioning
    release()
    previousURI = current?.uri
    current = next
    if fault != .keepsNextAfterJoin { next = nil }
    (anchor, anchorTime) = (.zero, now)
    guard plays else { return }
    enter(.transitioning)
    if fault != .fetchesNextLate { fetchIfNeeded() }
    update()
  }

  // MARK: Parts

  private mutating func begin() {
    hasFailed = false
    enter(.transitioning)
    fetchCurrent()
  }

  mutating func halt() {
    release()
    anchor = fault == .stopKeepsPosition ? position : .zero
    state = .stopped
  }

  private mutating func enter(_ new: State) {
    anchor = position
    anchorTime = now
    state = new
  }

  private mutating func fetchIfNeeded() {
    if let current, !current.isFetching, !current.isComplete { fetchCurrent() }
  }

  private mutating func fetchCurrent() {
    guard let current else { return }
    fetch(current.number, from: current.byte(at: anchor))
  }

  private mutating func fetch(_ number: Int, from start: Int) {
    change(number) { track in
      track.isFetching = true
      track.isComplete = false
      track.end = start
    }
    guard let track = track(number) else { return }
    effects.append(.fetch(track: number, uri: track.uri, from: start))
  }

  /// Ends the fetches of the current track and of the next one.
  private mutating func release() {
    guard let current else { return }
    effects.append(.cancel(track: current.number))
    change(current.number) { track in
      track.isFetching = false
      track.isComplete = false
      track.end = 0
    }
  }

  private mutating func dropNext() {
    if let next { effects.append(.cancel(track: next.number)) }
    next = nil
  }

  private mutating func track(_ uri: String, _ metadata: String) -> Track {
    trackCount += 1
    return Track(
      number: trackCount, uri: uri, metadata: metadata, announced: DIDLLite.duration(in: metadata, uri: uri))
  }

  private func track(_ number: Int) -> Track? { [current, next].lazy.compactMap(\.self).first { $0.number == number } }

  private mutating func change(_ number: Int, _ body: (inout Track) -> Void) {
    if current?.number == number, var track = current {
      body(&track)
      current = track
    } else if next?.number == number, var track = next {
      body(&track)
      next = track
    }
  }
}
