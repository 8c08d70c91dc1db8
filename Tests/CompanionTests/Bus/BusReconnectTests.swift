import Testing

@testable import Companion

/// The daemon may be missing, killed and restarted.
@Suite struct BusReconnectTests {
  private static let name = "org.example.Thing"

  @Test @CompanionActor func everythingIsRestoredAfterTheDaemonWasKilled() async throws {
    let daemon = try PrivateBus()
    let (server, client) = (try await daemon.connected(), try await daemon.connected())
    let (events, signals) = (Record<String>(), Record<[BusValue]>())
    let tokens = [
      client.watchName(Self.name, appeared: { _ in events.add("appeared") }, vanished: { events.add("vanished") }),
      client.subscribe(BusMatch(sender: Self.name, member: "Hello")) { signals.add($0.arguments) },
      server.requestName([Self.name]) { _ in },
      server.export("/thing", BusInterface(Self.name, methods: [.init("Ask") { _ in [.int32(42)] }])),
    ]
    let states = Record<String>()
    let observer = client.observe { state in
      switch state {
      case .connecting: break
      case .connected: states.add("connected")
      case .disconnected: states.add("disconnected")
      }
    }
    let thing = BusObject(client, Self.name, "/thing")
    try await events.wait(for: ["appeared"])
    #expect(try await thing.call(Self.name, "Ask") == [.int32(42)])

    daemon.kill()
    try await events.wait(for: ["appeared", "vanished"])
    await #expect(throws: BusError.notConnected) { try await thing.call(Self.name, "Ask") }
    try daemon.start()
    try await events.wait(for: ["appeared", "vanished", "appeared"])
    #expect(try await thing.call(Self.name, "Ask") == [.int32(42)])
    server.emit("/thing", Self.name, "Hello", [.string("again")])
    try await signals.wait(for: [[.string("again")]])
    #expect(states.elements.first == "connected" && states.elements.last == "connected")
    #expect(states.elements.contains("disconnected"))
    withExtendedLifetime((tokens, observer)) {}
  }

  @Test @CompanionActor func aCallInFlightFailsWhenTheDaemonEnds() async throws {
    let daemon = try PrivateBus()
    let (server, client) = (try await daemon.connected(), try await daemon.connected())
    let asked = Record<String>()
    let export = server.export(
      "/thing",
      BusInterface(
        Self.name,
        methods: [
          .init("Hang") { call in
            asked.add("asked")
            try? await eventually { server.state == .disconnected }
            return []
          }
        ]))
    guard case .connected(let name) = server.state else { throw BusError.notConnected }
    let reply = Task { @CompanionActor in try await client.call(name, "/thing", Self.name, "Hang") }
    try await asked.wait(for: ["asked"])
    daemon.kill()
    let error = await #expect(throws: BusError.self) { try await reply.value }
    #expect(error == .disconnected)
    withExtendedLifetime(export) {}
  }

  @Test @CompanionActor func aBusThatAppearsLaterIsUsed() async throws {
    let daemon = try PrivateBus()
    daemon.kill()
    let bus = daemon.connect()
    #expect(bus.state == .disconnected)
    await #expect(throws: BusError.notConnected) { try await bus.call("a.b", "/", "a.b", "C") }
    try daemon.start()
    try await eventually { if case .connected = bus.state { true } else { false } }
  }

  @Test @CompanionActor func aSharedBusEndsWithItsLastUser() async throws {
    let daemon = try PrivateBus()
    let watcher = try await daemon.connected()
    var users = [Bus.shared(daemon.kind, logger: daemon.logger), Bus.shared(daemon.kind, logger: daemon.logger)]
    #expect(users[0] === users[1])
    let owned = Record<String>()
    let watch = watcher.watchName(
      Self.name, appeared: { _ in owned.add("appeared") }, vanished: { owned.add("vanished") })
    let token = users[0].requestName([Self.name]) { _ in }
    try await owned.wait(for: ["appeared"])
    users.removeLast()
    users.removeLast()
    try await owned.wait(for: ["appeared", "vanished"])
    withExtendedLifetime((token, watch)) {}
  }
}
