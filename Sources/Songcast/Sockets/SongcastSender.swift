import NIOCore
import Network

/// Sends one stream, and announces its zone: performs what `SenderMachine` and `ZoneAnnouncer` decide. Used on its event
/// loop only.
package final class SongcastSender {
  package enum Mode: Sendable, Hashable {
    case off
    case unicast
    case multicast(channel: UInt16)
  }

  private let eventLoop: any EventLoop
  private let zones: ZoneLink
  private var metadata: String
  private let onState: (SenderMachine.State?) -> Void
  private var mode = Mode.off
  private var machine: SenderMachine?
  private var announcer: ZoneAnnouncer
  private var sockets: StreamSockets?
  /// The port of the last unicast stream: after an outage of the network, receivers find it at the same address.
  private var port: UInt16 = 0
  private var generation = 0
  /// The sender whose stream this speaker plays.
  private var followed: SongcastURI?
  private var track: (uri: String, metadata: String)?
  private var text = ""
  private var timer: Scheduled<Void>?
  private var state: SenderMachine.State?

  /// - Parameters:
  ///   - zone: the UDN of the device.
  ///   - metadata: the sender's DIDL-Lite.
  ///   - onState: called on the event loop; with nil while the sender is off or has no network.
  package init(
    zone: String, preset: UInt32, metadata: String, zones: ZoneLink, eventLoop: any EventLoop,
    onState: @escaping (SenderMachine.State?) -> Void
  ) {
    self.zones = zones
    self.eventLoop = eventLoop
    self.metadata = metadata
    self.onState = onState
    announcer = ZoneAnnouncer(zone: zone, uri: .none, preset: preset, metadata: metadata, now: .now())
    zones.observe { [weak self] message in
      self?.announcer.receive(message)
      self?.run()
    } onNetwork: { [weak self] in
      self?.networkChanged($0)
    }
    run()
  }

  // MARK: Settings

  package func set(_ mode: Mode) {
    guard mode != self.mode else { return }
    self.mode = mode
    open()
    run()
  }

  /// Replaces the sender's own DIDL-Lite.
  package func set(metadata: String) {
    self.metadata = metadata
    announcer.set(metadata: metadata)
    if track == nil { run { $0.set(uri: "", metadata: metadata, now: $1) } }
  }

  package func set(preset: UInt32) {
    announcer.set(preset: preset, now: .now())
    run()
  }

  /// Announces the stream of another sender while this speaker plays that; nil ends it.
  package func follow(_ uri: SongcastURI?) {
    followed = uri
    announce()
    run()
  }

  /// Says goodbye and closes the sockets.
  package func close() {
    zones.send(announcer.end())
    generation += 1
    sockets?.close()
    (sockets, machine) = (nil, nil)
    timer?.cancel()
    timer = nil
  }

  // MARK: Sound

  package func send(_ frame: AudioFrame) { run { $0.send(frame, now: $1) } }

  package func set(uri: String, metadata: String) {
    (track, text) = ((uri, metadata), "")
    run { $0.set(uri: uri, metadata: metadata, now: $1) }
  }

  package func set(text: String) {
    self.text = text
    run { $0.set(text: text, now: $1) }
  }

  // MARK: Performing

  /// Opens the sockets again if an address is gone or there was none.
  private func networkChanged(_ networks: [CIDR]) {
    if let machine, Set(machine.networks).isSubset(of: networks) {
      self.machine?.networks = networks
      if case .group(let sockets) = sockets { sockets.use(zones.interfaces) }
    } else {
      open()
    }
    announcer.repeatAll(now: .now())
    run()
  }

  private func run(_ body: (inout SenderMachine, NIODeadline) -> [SenderMachine.Action] = { _, _ in [] }) {
    let now = NIODeadline.now()
    if machine != nil {
      // Both in one step, so that an expired receiver gets nothing more.
      for action in machine?.due(now) ?? [] { sockets?.send(action.message.encoded(), to: action.target) }
      if var machine {
        let actions = body(&machine, now)
        self.machine = machine
        for action in actions { sockets?.send(action.message.encoded(), to: action.target) }
      }
    }
    for message in announcer.due(now) { zones.send(message) }
    schedule()
    guard machine?.state != state else { return }
    state = machine?.state
    onState(state)
  }

  private func schedule() {
    timer?.cancel()
    let next = [machine?.next, announcer.next].compactMap { $0 }.min()
    timer = next.map { next in
      eventLoop.assumeIsolated().scheduleTask(deadline: next) { [weak self] in self?.run() }
    }
  }

  /// Opens the sockets of the mode on the present network.
  private func open() {
    generation += 1
    sockets?.close()
    (sockets, machine) = (nil, nil)
    let generation = generation
    let onDatagram: (Datagram) -> Void = { [weak self] in self?.receive($0, generation) }
    let onLoss: () -> Void = { [weak self] in self?.openLater(generation) }
    if mode != .off, !zones.interfaces.isEmpty {
      sockets = StreamSockets.open(
        group, port: port, on: zones.interfaces, eventLoop: eventLoop, onDatagram: onDatagram, onLoss: onLoss)
      if case .unicast(let socket) = sockets { port = socket.local?.port ?? 0 }
      if sockets?.local == nil { openLater(generation) }
    }
    machine = makeMachine()
    announce()
  }

  private func makeMachine() -> SenderMachine? {
    guard sockets?.local != nil else { return nil }
    let now = NIODeadline.now()
    var machine = SenderMachine(
      mode: group.map { .multicast($0) } ?? .unicast, networks: zones.networks, metadata: metadata)
    // Nobody listens yet, so that nothing is sent.
    if let track { _ = machine.set(uri: track.uri, metadata: track.metadata, now: now) }
    _ = machine.set(text: text, now: now)
    return machine
  }

  /// The group of the mode; nil for unicast.
  private var group: Endpoint? {
    guard case .multicast(let channel) = mode, case .multicast(let group) = SongcastURI.channel(channel) else {
      return nil
    }
    return group
  }

  private func openLater(_ generation: Int) {
    eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { [weak self] in
      guard let self, generation == self.generation else { return }
      open()
      run()
    }
  }

  /// The URI of the own stream, or of the one that this speaker plays.
  private func announce() { announcer.set(followed ?? own, now: .now()) }

  private var own: SongcastURI {
    switch (mode, sockets?.local) {
    case (.multicast(let channel), .some): .channel(channel)
    case (.unicast, let local?):
      zones.networks.first.map { .unicast(Endpoint(address: $0.address, port: local.port)) } ?? .none
    default: .none
    }
  }

  private func receive(_ datagram: Datagram, _ generation: Int) {
    guard generation == self.generation, let message = try? OHMMessage(datagram.bytes) else { return }
    run { $0.receive(message, from: datagram.sender, now: $1) }
  }
}
