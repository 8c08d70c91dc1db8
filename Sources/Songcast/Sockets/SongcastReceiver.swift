import NIOCore
import Network

/// Receives one stream at a time: performs what `ReceiverMachine` decides. Used on its event loop only.
package final class SongcastReceiver {
  package enum Event: Sendable {
    case frame(ReceivedFrame)
    /// Frames that cannot be played.
    case lost(Int)
    case track(TrackInfo)
    case metatext(Metatext)
    case state(ReceiverMachine.State)
    /// The stream to be played has changed; nil if there is none. A sender announces it for its own zone.
    case stream(SongcastURI?)
  }

  private let eventLoop: any EventLoop
  private let zones: ZoneLink
  private let onEvent: (Event) -> Void
  private var machine: ReceiverMachine
  private var sockets: StreamSockets?
  /// The port of the last unicast stream. After an outage of the network, the sender then takes this receiver for the one
  /// that it knows, and need not wait until that one expires.
  private var port: UInt16 = 0
  /// Number of the present sockets.
  private var generation = 0
  private var received: ByteBuffer?
  private var timer: Scheduled<Void>?
  private var state = ReceiverMachine.State.stopped
  private var stream: SongcastURI?

  /// - Parameters:
  ///   - lead: how long before its time to play a frame must be there.
  ///   - onEvent: called on the event loop.
  package init(
    zones: ZoneLink, eventLoop: any EventLoop, lead: TimeAmount = .milliseconds(40), onEvent: @escaping (Event) -> Void
  ) {
    self.zones = zones
    self.eventLoop = eventLoop
    self.onEvent = onEvent
    machine = ReceiverMachine(networks: zones.networks, lead: lead)
    zones.observe { [weak self] message in
      self?.run { $0.receive(message, now: $1) }
    } onNetwork: { [weak self] networks in
      guard let self else { return }
      if case .group(let sockets) = sockets { sockets.use(self.zones.interfaces) }
      run { $0.networkChanged(networks, now: $1) }
    }
  }

  package func play(_ uri: SongcastURI) { run { $0.play(uri, now: $1) } }

  package func stop() { run { machine, _ in machine.stop() } }

  private func run(_ body: (inout ReceiverMachine, NIODeadline) -> [ReceiverMachine.Action]) {
    perform(body(&machine, .now()))
    timer?.cancel()
    timer = machine.next.map { next in
      eventLoop.assumeIsolated().scheduleTask(deadline: next) { [weak self] in self?.run { $0.due($1) } }
    }
    if machine.state != state {
      state = machine.state
      onEvent(.state(state))
    }
    if machine.uri != stream {
      stream = machine.uri
      onEvent(.stream(stream))
    }
  }

  private func perform(_ actions: [ReceiverMachine.Action]) {
    for action in actions {
      switch action {
      case .open(let uri): open(uri)
      case .close:
        sockets?.close()
        sockets = nil
        generation += 1
      case .send(let message, let target): sockets?.send(message.encoded(), to: target)
      case .forward(let slaves):
        guard let received else { continue }
        for slave in slaves { sockets?.send(received, to: slave) }
      case .query(let zone): zones.send(.zoneQuery(zone: zone))
      case .play(let frame): onEvent(.frame(frame))
      case .lost(let count): onEvent(.lost(count))
      case .track(let track): onEvent(.track(track))
      case .metatext(let metatext): onEvent(.metatext(metatext))
      }
    }
  }

  private func open(_ uri: SongcastURI) {
    generation += 1
    let generation = generation
    sockets = makeSockets(uri, generation)
    guard let local = sockets?.local else { return openLater(uri, generation) }
    // The machine is in the middle of its decision.
    eventLoop.assumeIsolated().execute { [weak self] in
      guard let self, generation == self.generation else { return }
      run { $0.opened(local: local, now: $1) }
    }
  }

  private func makeSockets(_ uri: SongcastURI, _ generation: Int) -> StreamSockets? {
    let onDatagram: (Datagram) -> Void = { [weak self] in self?.receive($0, generation) }
    let onLoss: () -> Void = { [weak self] in self?.openLater(uri, generation) }
    let group: Endpoint?
    switch uri {
    case .multicast(let address): group = address
    case .unicast: group = nil
    case .zone, .none: return nil
    }
    let sockets = StreamSockets.open(
      group, port: port, on: zones.interfaces, eventLoop: eventLoop, onDatagram: onDatagram, onLoss: onLoss)
    if case .unicast(let socket) = sockets { port = socket.local?.port ?? 0 }
    return sockets
  }

  /// Opens sockets again that failed, or could not be opened: there may be no network yet.
  private func openLater(_ uri: SongcastURI, _ generation: Int) {
    eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { [weak self] in
      guard let self, generation == self.generation else { return }
      sockets?.close()
      open(uri)
    }
  }

  private func receive(_ datagram: Datagram, _ generation: Int) {
    guard generation == self.generation, let message = try? OHMMessage(datagram.bytes) else { return }
    received = datagram.bytes
    run { $0.receive(message, from: datagram.sender, arrival: datagram.arrival, now: $1) }
    received = nil
  }
}
