import NIOCore
import Network

/// Receives the stream of one sender: joins, keeps it alive, repairs it and leaves.
///
/// Pure: events and time go in, actions come out. Call `due` when `next` has passed.
package struct ReceiverMachine {
  package enum Action: Sendable, Hashable {
    /// Open the sockets for a stream, then call `opened`.
    case open(SongcastURI)
    case close
    case send(OHMMessage, to: Endpoint)
    /// Send the received datagram to these receivers, unchanged.
    case forward(to: [Endpoint])
    /// Ask all zones for the URI of this one.
    case query(zone: String)
    case play(ReceivedFrame)
    /// Frames that cannot be played.
    case lost(Int)
    case track(TrackInfo)
    case metatext(Metatext)
  }

  /// What the receiver does, in the terms of OpenHome's Receiver service.
  package enum State: Sendable, Hashable {
    case stopped
    /// There is nothing to play: the sender is unknown, off, or pauses.
    case waiting
    /// Sound is missing or not yet complete.
    case buffering
    case playing
  }

  package static let joinPause = TimeAmount.milliseconds(300)
  /// Pause between Joins once the sender has been silent for `patience`.
  package static let lateJoinPause = TimeAmount.seconds(2)
  package static let patience = TimeAmount.seconds(10)
  /// Sound without a track is played after this time.
  private static let trackPatience = TimeAmount.milliseconds(1500)
  private static let shortestHalt = TimeAmount.milliseconds(100)
  /// Silence that is longer than the latency by this is starvation.
  private static let starvation = TimeAmount.milliseconds(40)

  private var networks: [CIDR]
  private var random: any RandomNumberGenerator
  private var search: ZoneSearch?
  /// The stream to be played; nil if stopped, or if the zone is off or not known.
  package private(set) var uri: SongcastURI?
  /// The sending socket, once it is open.
  private var local: Endpoint?
  private var order: FrameOrder
  private var joinAt: NIODeadline?
  private var listen = ListenTimer()
  /// When to join again after a halt.
  private var rejoinAt: NIODeadline?
  private var openedAt: NIODeadline?
  /// What the Joins have not brought yet.
  private var awaitsTrack = true
  private var awaitsMetatext = true
  /// Whether the sender has said what it plays since the sockets were opened.
  private var isJoined = false
  private var track: TrackInfo?
  private var metatext: Metatext?
  private var source: StreamSource?
  private var lastSound: (at: NIODeadline, latency: TimeAmount)?
  private var isStarving = false
  private var isStopped = true

  /// - Parameters:
  ///   - networks: the addresses of this machine with their networks.
  ///   - lead: how long before its time to play a frame must be there.
  package init(
    networks: [CIDR], lead: TimeAmount = .milliseconds(40),
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    self.networks = networks
    order = FrameOrder(lead: lead)
    self.random = random
  }

  // MARK: Commands

  /// Plays a stream, or what a zone plays.
  package mutating func play(_ uri: SongcastURI, now: NIODeadline) -> [Action] {
    isStopped = false
    guard case .zone(let zone) = uri else {
      search = nil
      return tune(uri)
    }
    // Do not interrupt what already plays.
    guard search?.zone != zone else { return [] }
    search = ZoneSearch(zone: zone, now: now)
    return tune(nil) + due(now)
  }

  package mutating func stop() -> [Action] {
    isStopped = true
    search = nil
    return tune(nil)
  }

  /// The sockets are open.
  /// - Parameter local: where the receiver sends from.
  package mutating func opened(local: Endpoint, now: NIODeadline) -> [Action] {
    guard uri != nil else { return [] }
    self.local = local
    openedAt = now
    joinAt = now
    listen.sent(now: now, random: &random)
    return due(now)
  }

  /// Interfaces have changed: asks for the zone, and opens the sockets again if an address is gone or there was none.
  package mutating func networkChanged(_ networks: [CIDR], now: NIODeadline) -> [Action] {
    let isReopened = local == nil || !Set(self.networks).isSubset(of: networks)
    let uri = uri
    let actions = isReopened ? tune(nil) : []
    self.networks = networks
    source?.networks = networks
    search?.ask(now: now)
    return actions + tune(uri) + due(now)
  }

  // MARK: Messages

  package mutating func receive(_ message: OHZMessage, now: NIODeadline) -> [Action] {
    guard case .zoneURI(let zone, let text) = message, zone == search?.zone, let uri = SongcastURI(text) else {
      return []
    }
    search?.announced(uri, now: now)
    return due(now)
  }

  /// - Parameter arrival: when the kernel received it.
  package mutating func receive(
    _ message: OHMMessage, from sender: Endpoint, arrival: NIODeadline, now: NIODeadline
  ) -> [Action] {
    // A multicast receiver hears itself.
    guard let local, sender != local else { return [] }
    let forwarded = forward(source?.slaves(for: sender) ?? [])
    switch message {
    case .join, .leave: return []
    case .listen:
      if isMulticast { listen.heardOther(now: now, random: &random) }
      return []
    case .resend:
      if isMulticast { order.heardRequest(now) }
      return []
    case .slave(let list):
      source?.forward(to: list, askedBy: sender, local: local)
      return []
    case .track(let new):
      guard source?.accepts(textFrom: sender, arrival) == true else { return [] }
      defer { track = new }
      awaitsTrack = false
      join()
      return forwarded + (new == track ? [] : [.track(new)])
    case .metatext(let new):
      guard source?.accepts(textFrom: sender, arrival) == true else { return [] }
      defer { metatext = new }
      awaitsMetatext = false
      join()
      return forwarded + (new == metatext ? [] : [.metatext(new)])
    case .audio(let frame):
      guard source?.accepts(soundFrom: sender, arrival) == true else { return [] }
      lastSound = (now, TimeAmount(frame.latency))
      isStarving = false
      guard isPlayable(now) else { return forwarded }
      let outputs = order.receive(frame, arrival: arrival, now: now, random: &random)
      return forwarded + perform(outputs, now: now)
    }
  }

  // MARK: Time

  /// When `due` next has something to do.
  package var next: NIODeadline? {
    [search?.next, rejoinAt, local == nil ? nil : streamNext].compactMap { $0 }.min()
  }

  package mutating func due(_ now: NIODeadline) -> [Action] {
    var actions: [Action] = []
    if let search = search?.due(now) {
      if search.query, let zone = self.search?.zone { actions.append(.query(zone: zone)) }
      if let change = search.change { actions += tune(change) }
    }
    if let at = rejoinAt, at <= now { actions += rejoin(now: now) }
    guard let target, local != nil else { return actions }
    let (request, outputs) = order.due(now)
    if !request.isEmpty { actions.append(.send(.resend(request), to: target)) }
    actions += perform(outputs, now: now)
    // A halt among the outputs has closed the sockets.
    guard local != nil else { return actions }
    if let at = starvesAt, at <= now { (isStarving, joinAt) = (true, now) }
    if !isStarving, !awaitsTrack, !awaitsMetatext { joinAt = nil }
    if let at = joinAt, at <= now {
      actions.append(.send(.join, to: target))
      let isLate = now - (lastSound?.at ?? openedAt ?? now) >= Self.patience
      if isLate { search?.ask(now: now) }
      joinAt = now + (isLate ? Self.lateJoinPause : Self.joinPause)
    }
    if listen.isDue(now) {
      actions.append(.send(.listen, to: target))
      listen.sent(now: now, random: &random)
    }
    return actions
  }

  private var streamNext: NIODeadline? { [order.next, joinAt, listen.next, starvesAt].compactMap { $0 }.min() }

  package var state: State {
    guard !isStopped else { return .stopped }
    guard uri != nil, rejoinAt == nil, lastSound != nil else { return .waiting }
    return isStarving || !isJoined ? .buffering : .playing
  }

  // MARK: Joining and leaving

  private var target: Endpoint? {
    switch uri {
    case .multicast(let endpoint), .unicast(let endpoint): endpoint
    default: nil
    }
  }

  private var isMulticast: Bool {
    if case .multicast = uri { true } else { false }
  }

  private var starvesAt: NIODeadline? {
    guard !isStarving else { return nil }
    return lastSound.map { $0.at + $0.latency + Self.starvation }
  }

  /// Leaves the present stream, if any, and opens another.
  private mutating func tune(_ new: SongcastURI?) -> [Action] {
    let new = new == SongcastURI.none ? nil : new
    guard new != uri else { return [] }
    let actions = leave()
    (uri, rejoinAt, track, metatext) = (new, nil, nil, nil)
    return actions + open()
  }

  private mutating func open() -> [Action] {
    guard let uri else { return [] }
    source = StreamSource(uri: uri, networks: networks)
    return [.open(uri)]
  }

  /// Leaves and closes the sockets. A Leave is sent twice: if it is lost, a sender's other receivers hear nothing for 10 s.
  private mutating func leave() -> [Action] {
    // Between a halt and the next Join nothing is open.
    guard let uri, source != nil else { return [] }
    var actions: [Action] = []
    if case .unicast(let target) = uri, local != nil {
      actions = [.send(.leave, to: target), .send(.leave, to: target)]
    }
    (local, joinAt, openedAt, source, lastSound, isStarving) = (nil, nil, nil, nil, nil, false)
    (awaitsTrack, awaitsMetatext, isJoined) = (true, true, false)
    order.reset()
    return actions + [.close]
  }

  /// The sound has ended. A unicast receiver leaves, and every receiver joins again when it has been played.
  private mutating func halt(latency: TimeAmount, now: NIODeadline) -> [Action] {
    let actions = isMulticast ? [] : leave()
    (lastSound, joinAt, isStarving) = (nil, nil, false)
    rejoinAt = now + max(latency, Self.shortestHalt)
    return actions
  }

  private mutating func rejoin(now: NIODeadline) -> [Action] {
    rejoinAt = nil
    guard local != nil else { return open() }
    (joinAt, awaitsTrack, awaitsMetatext) = (now, true, true)
    return []
  }

  /// Sound is played once the sender has said what it is. Some never do.
  private func isPlayable(_ now: NIODeadline) -> Bool {
    isJoined || openedAt.map { now - $0 >= Self.trackPatience } ?? false
  }

  private mutating func join() {
    if !awaitsTrack, !awaitsMetatext { isJoined = true }
  }

  private func forward(_ slaves: [Endpoint]) -> [Action] { slaves.isEmpty ? [] : [.forward(to: slaves)] }

  private mutating func perform(_ outputs: [FrameOrder.Output], now: NIODeadline) -> [Action] {
    var actions: [Action] = []
    for output in outputs {
      switch output {
      case .lost(let count): actions.append(.lost(count))
      case .play(let frame):
        actions.append(.play(frame))
        if frame.frame.isHalt { actions += halt(latency: TimeAmount(frame.frame.latency), now: now) }
      }
    }
    return actions
  }
}
