import DeviceStack
import NIOCore
import UPnP

@testable import Conformance

/// A player without sound: it fetches over HTTP and counts time. Used on its event loop.
final class StandInPlayer {
  /// The time between two updates of the position.
  private static let tick = Duration.milliseconds(5)

  private let eventLoop: any EventLoop
  private let clock: CheckClock
  private let start: ContinuousClock.Instant
  private let fault: StandInFault?
  private var fetches: [Int: StandInFetch] = [:]
  /// Fetches whose content is not used.
  private var ignoredFetches: [StandInFetch] = []
  /// The first bytes of each track until its format is known.
  private var heads: [Int: [UInt8]] = [:]
  private var ticking: Task<Void, Never>?
  private(set) var transport: StandInTransport
  /// The state at the last call of ``onChange``.
  private var shown: VisibleState?
  var onChange: () -> Void = {}

  init(on eventLoop: any EventLoop, clock: CheckClock, fault: StandInFault?) {
    self.eventLoop = eventLoop
    self.clock = clock
    self.fault = fault
    start = clock.now
    transport = StandInTransport(fault: fault)
  }

  /// Advances to the current time, then changes the state.
  func perform(_ body: (inout StandInTransport) throws(ActionFault) -> Void) throws(ActionFault) {
    transport.advance(to: clock.elapsed(since: start))
    defer {
      apply()
      show()
    }
    try body(&transport)
  }

  func stop() { change { if $0.state != .noMedia { $0.halt() } } }

  private func change(_ body: (inout StandInTransport) -> Void) {
    transport.advance(to: clock.elapsed(since: start))
    body(&transport)
    apply()
    if VisibleState(transport) != shown { show() }
  }

  private func show() {
    shown = VisibleState(transport)
    onChange()
  }

  private func apply() {
    for effect in transport.takeEffects() {
      switch effect {
      case .cancel(let track):
        guard let fetch = fetches.removeValue(forKey: track) else { break }
        guard fault == .keepsConnections else {
          fetch.cancel()
          break
        }
        // Unread, so that it does not end.
        fetch.setReading(false)
        ignoredFetches.append(fetch)
      case .fetch(let track, let uri, let from): fetch(track, uri, from: from)
      }
    }
    for (track, fetch) in fetches { fetch.setReading(transport.wantsMore(track)) }
    setTicking(transport.state == .playing || transport.state == .transitioning)
  }

  private func setTicking(_ isTicking: Bool) {
    ticking?.cancel()
    ticking = nil
    guard isTicking else { return }
    let player = NIOLoopBound(self, eventLoop: eventLoop)
    ticking = Self.afterTick(of: clock, on: eventLoop) { player.value.tick() }
  }

  private static func afterTick(
    of clock: CheckClock, on eventLoop: any EventLoop, _ body: @escaping @Sendable () -> Void
  ) -> Task<Void, Never> {
    Task {
      await clock.sleep(real: tick)
      if !Task.isCancelled { eventLoop.execute(body) }
    }
  }

  private func tick() {
    if ticking != nil { change { _ in } }
  }

  private func fetch(_ track: Int, _ uri: String, from start: Int) {
    fetches.removeValue(forKey: track)?.cancel()
    heads[track] = nil
    fetches[track] = StandInFetch(uri, from: start, on: eventLoop, fault: fault) { [weak self] event in
      self?.handle(event, track)
    }
    if fault == .opensManyConnections {
      ignoredFetches = (0..<8).map { _ in StandInFetch(uri, from: start, on: eventLoop, fault: nil) { _ in } }
    }
  }

  private func handle(_ event: StandInFetch.Event, _ track: Int) {
    switch event {
    case .bytes(let bytes, let position):
      let end = position + bytes.readableBytes
      change { transport in
        begin(track, bytes, at: position, &transport)
        transport.fetched(track, upTo: end)
      }
    case .ended(let isComplete):
      fetches[track] = nil
      change { $0.ended(track, isComplete: isComplete) }
    case .refused:
      fetches[track] = nil
      change { $0.failed(track) }
    }
  }

  /// Reads the format of a track from its first bytes.
  private func begin(_ track: Int, _ bytes: ByteBuffer, at position: Int, _ transport: inout StandInTransport) {
    guard transport.format(of: track) == nil else { return }
    var head = heads[track] ?? []
    guard head.count == position else { return }
    head += bytes.readableBytesView.prefix(StandInFormat.headSize - head.count)
    heads[track] = head
    guard head.count == StandInFormat.headSize else { return }
    heads[track] = nil
    transport.began(
      track,
      StandInFormat(
        head, type: fetches[track]?.type ?? "", length: fetches[track]?.length,
        announced: transport.announcedDuration(of: track)))
  }
}

/// The part of the transport that services show. It changes far less often than the position is updated.
private struct VisibleState: Equatable {
  let state: StandInTransport.State
  let hasFailed: Bool
  let track: Int?
  let next: Int?
  let uri: String
  let duration: Duration?
  let isKnown: Bool
  let seconds: Int64

  init(_ transport: StandInTransport) {
    state = transport.state
    hasFailed = transport.hasFailed
    track = transport.current?.number
    next = transport.next?.number
    uri = transport.reportedURI
    duration = transport.current?.duration
    isKnown = transport.current?.format != nil
    seconds = transport.position.components.seconds
  }
}
