import NIOCore
import Network
import NetworkTesting
import Synchronization

@testable import Songcast

/// A room on a bridge: a namespace with an address, and the zone group.
final class Room: Sendable {
  let namespace: NetworkNamespace
  let loop: any EventLoop
  let zones: NIOLoopBound<ZoneLink>
  private let monitor: TestMonitor

  /// - Parameter interface: the only one to use. It has an address.
  init(_ namespace: NetworkNamespace, interface: String) async throws {
    self.namespace = namespace
    loop = namespace.loop
    let loop = loop
    let zones = try await loop.submit { NIOLoopBound(ZoneLink(eventLoop: loop), eventLoop: loop) }.get()
    self.zones = zones
    monitor = try await TestMonitor(on: loop, names: [interface]) { zones.value.use($0) }
    try await waitUntil { try await loop.submit { !zones.value.interfaces.isEmpty }.get() }
  }

  func close() async throws {
    try await monitor.stop()
    try await loop.submit { [zones] in zones.value.close() }.get()
  }

  /// Connects namespaces by a bridge in the first one, and gives them the addresses 198.51.100.1, .2 and so on.
  static func with(_ count: Int, _ body: ([Room]) async throws -> Void) async throws {
    try await withNamespaces(count) { namespaces in
      let first = namespaces[0]
      try first.ip("link", "add", "br0", "type", "bridge", "mcast_snooping", "0")
      try first.ip("address", "add", "198.51.100.1/24", "dev", "br0")
      try first.ip("link", "set", "br0", "up")
      for (index, namespace) in namespaces.enumerated().dropFirst() {
        try first.connect("port\(index)", to: namespace, "room0")
        try first.ip("link", "set", "port\(index)", "master", "br0", "up")
        try namespace.ip("address", "add", "198.51.100.\(index + 1)/24", "dev", "room0")
        try namespace.ip("link", "set", "room0", "up")
      }
      var rooms: [Room] = []
      for (index, namespace) in namespaces.enumerated() {
        rooms.append(try await Room(namespace, interface: index == 0 ? "br0" : "room0"))
      }
      try await body(rooms)
      for room in rooms { try await room.close() }
    }
  }

  private static func withNamespaces(
    _ count: Int, _ made: [NetworkNamespace] = [], _ body: ([NetworkNamespace]) async throws -> Void
  ) async throws {
    guard made.count < count else { return try await body(made) }
    try await withNamespace { try await withNamespaces(count, made + [$0], body) }
  }
}

/// A receiver, and all that it has heard.
final class HeardReceiver: Sendable {
  struct Heard {
    var frames: [ReceivedFrame] = []
    var lost = 0
    var tracks: [TrackInfo] = []
    var texts: [Metatext] = []
    var states: [ReceiverMachine.State] = []
    var streams: [SongcastURI?] = []
  }

  private final class Log: Sendable {
    let heard = Mutex(Heard())
  }

  private let receiver: NIOLoopBound<SongcastReceiver>
  private let loop: any EventLoop
  private let log: Log

  init(in room: Room) async throws {
    let log = Log()
    let loop = room.loop
    let zones = room.zones
    self.log = log
    self.loop = loop
    receiver = try await loop.submit {
      let receiver = SongcastReceiver(zones: zones.value, eventLoop: loop, lead: .zero) { event in
        log.heard.withLock { heard in
          switch event {
          case .frame(let frame): heard.frames.append(frame)
          case .lost(let count): heard.lost += count
          case .track(let track): heard.tracks.append(track)
          case .metatext(let text): heard.texts.append(text)
          case .state(let state): heard.states.append(state)
          case .stream(let stream): heard.streams.append(stream)
          }
        }
      }
      return NIOLoopBound(receiver, eventLoop: loop)
    }.get()
  }

  var heard: Heard { log.heard.withLock { $0 } }

  func play(_ uri: SongcastURI) async throws { try await loop.submit { [receiver] in receiver.value.play(uri) }.get() }

  func stop() async throws { try await loop.submit { [receiver] in receiver.value.stop() }.get() }
}
