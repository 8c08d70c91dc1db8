import Testing

@testable import Companion

/// Two connections to a bus: one exports objects, the other one calls their methods.
@Suite struct BusTests {
  private static let path = "/org/example/Thing"
  private static let interface = "org.example.Thing"

  private static let every: [BusValue] = [
    .byte(255), .bool(true), .bool(false), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max), .int64(.min),
    .uint64(.max), .double(-0.25), .string("Grüße 🎵"), .string(""), .path("/a/b_1"), .signature("a{sv}"),
    .bytes([0x02, 0x15, 0xFF]), .array(of: "s", []), .strings(["a", "b"]), .array(of: "a{sv}", [.options([:])]),
    .options(["Key": .uint16(0x4C), "Nested": .options(["x": .bytes([])])]),
    .dictionary(key: "q", value: "ay", [.uint16(0x4C): .bytes([1, 2])]),
    .structure([.string("a"), .structure([.int32(1), .array(of: "i", [.int32(2)])])]),
    .variant(.variant(.int32(-1))),
  ]

  @Test @CompanionActor func valuesOfEveryTypeAreSentAndRead() async throws {
    let daemon = try PrivateBus()
    let (server, client) = (try await daemon.connected(), try await daemon.connected())
    let echo = BusInterface.Method("Echo", in: [.init("value", "v")], out: [.init("value", "v")]) { $0.arguments }
    let export = server.export(Self.path, BusInterface(Self.interface, methods: [echo]))
    let object = try Self.object(client, server)
    for value in Self.every {
      let reply = try await object.call(Self.interface, "Echo", [.variant(value)], reply: "v")
      #expect(reply == [.variant(value)])
    }
    withExtendedLifetime(export) {}
  }

  private static func name(_ bus: Bus) async throws -> String {
    guard case .connected(let name) = await bus.state else { throw BusError.notConnected }
    return name
  }

  @CompanionActor private static func object(_ client: Bus, _ server: Bus) throws -> BusObject {
    guard case .connected(let name) = server.state else { throw BusError.notConnected }
    return BusObject(client, name, path)
  }

  /// The daemon also delivers a stranger's signal if another subscription matches it.
  @Test @CompanionActor func signalsOfANameCountFromItsOwnerOnly() async throws {
    let daemon = try PrivateBus()
    let (owner, stranger) = (try await daemon.connected(), try await daemon.connected())
    let client = try await daemon.connected()
    let (ofOwner, ofAll, owners) = (Record<String>(), Record<String>(), Record<String>())
    let tokens = [
      owner.requestName(["org.example.Owner"]) { _ in },
      client.subscribe(BusMatch(sender: "org.example.Owner", interface: Self.interface)) { signal in
        ofOwner.add(signal.arguments.first?.string ?? "")
      },
      client.subscribe(BusMatch(interface: Self.interface)) { ofAll.add($0.arguments.first?.string ?? "") },
      client.watchName("org.example.Owner") {
        owners.add($0)
      } vanished: {
      },
    ]
    try await owners.wait(for: [Self.name(owner)])
    // The daemon must know the subscriptions first.
    _ = try await client.call(Self.name(owner), "/", "org.freedesktop.DBus.Peer", "Ping", reply: "")
    stranger.emit(Self.path, Self.interface, "Signal", [.string("stranger")])
    try await ofAll.wait(for: ["stranger"])
    owner.emit(Self.path, Self.interface, "Signal", [.string("owner")])
    try await ofAll.wait(for: ["stranger", "owner"])
    try await ofOwner.wait(for: ["owner"])
    withExtendedLifetime(tokens) {}
  }

  @Test @CompanionActor func hostileRepliesAreErrors() async throws {
    let daemon = try PrivateBus()
    let (server, client) = (try await daemon.connected(), try await daemon.connected())
    var deep = BusValue.int32(1)
    for _ in 0..<40 { deep = .variant(deep) }
    let replies: [(String, [BusValue])] = [
      ("Wrong", [.int32(1)]), ("More", [.string("a"), .string("b")]), ("None", []),
      ("Huge", [.array(of: "i", (0..<70_000).map { .int32($0) })]),
      ("Bytes", [.bytes(Array(repeating: 0, count: 70_000))]),
      ("Long", [.string(String(repeating: "x", count: 2 << 20))]), ("Deep", [deep]),
    ]
    let methods =
      replies.map { name, values in BusInterface.Method(name) { _ in values } } + [
        BusInterface.Method("Fails") { _ throws(BusFault) in throw BusFault("org.example.Error", "No\nway") },
        BusInterface.Method("Hangs") { _ in
          await withCheckedContinuation { continuation in
            Self.held.append(CompanionTimer(after: .seconds(20)) { continuation.resume() })
          }
          return []
        },
      ]
    let export = server.export(Self.path, BusInterface(Self.interface, methods: methods))
    let object = try Self.object(client, server)
    func error(_ member: String) async -> BusError? {
      do throws(BusError) {
        let timeout = Duration.milliseconds(member == "Hangs" ? 500 : 30_000)
        _ = try await object.call(Self.interface, member, reply: "s", timeout: timeout)
        return nil
      } catch {
        return error
      }
    }
    for name in ["Wrong", "More", "None"] { #expect(await error(name) == .unexpectedReply) }
    for name in ["Huge", "Bytes", "Long", "Deep"] { #expect(await error(name) == .tooLarge) }
    #expect(await error("Fails") == .remote(BusFault("org.example.Error", "No\nway")))
    #expect(await error("Fails")?.description == "No way")
    #expect(await error("Hangs") == .noReply)
    #expect(await error("Missing")?.isRemote("org.freedesktop.DBus.Error.UnknownMethod") == true)
    await #expect(throws: BusError.invalidMessage) { try await object.call("no interface", "Echo") }
    await #expect(throws: BusError.invalidMessage) {
      try await object.call(Self.interface, "Echo", [.array(of: "s", [.int32(1)])])
    }
    // The connection still works.
    #expect(await error("Wrong") == .unexpectedReply)
    withExtendedLifetime(export) {}
  }

  @CompanionActor private static var held: [CompanionTimer] = []

  @Test @CompanionActor func propertiesAreReadWrittenAndAnnounced() async throws {
    let daemon = try PrivateBus()
    let (server, client) = (try await daemon.connected(), try await daemon.connected())
    let volume = Record<Double>()
    let interface = BusInterface(
      Self.interface,
      properties: [
        .init("Volume", "d", get: { .double(volume.elements.last ?? 0.5) }) { value throws(BusFault) in
          guard let value = value.double, value <= 1 else { throw .invalidArguments("too loud") }
          volume.add(value)
        },
        .init("Name", "s", get: { .string("Kitchen") }),
      ])
    let export = server.export(Self.path, interface)
    let object = try Self.object(client, server)
    let changes = Record<[BusValue]>()
    let subscription = client.subscribe(
      BusMatch(sender: object.destination, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged")
    ) { changes.add($0.arguments) }

    #expect(try await object.getAll(Self.interface) == ["Volume": .double(0.5), "Name": .string("Kitchen")])
    try await object.set(Self.interface, "Volume", .double(0.25))
    #expect(try await object.get(Self.interface, "Volume") == .double(0.25))
    server.emitPropertiesChanged(Self.path, Self.interface, ["Volume"])
    try await changes.wait(for: [[.string(Self.interface), .options(["Volume": .double(0.25)]), .strings([])]])

    let wrong: [(String, BusValue, String)] = [
      ("Volume", .double(2), "InvalidArgs"), ("Volume", .string("loud"), "InvalidArgs"),
      ("Name", .string("Bath"), "PropertyReadOnly"), ("Missing", .int32(1), "UnknownProperty"),
    ]
    for (name, value, expected) in wrong {
      let error = await #expect(throws: BusError.self) { try await object.set(Self.interface, name, value) }
      #expect(error?.isRemote("org.freedesktop.DBus.Error.\(expected)") == true, "\(name)")
    }
    #expect(volume.elements == [0.25])
    withExtendedLifetime((export, subscription)) {}
  }

  @Test @CompanionActor func objectsAreListedAndDescribed() async throws {
    let daemon = try PrivateBus()
    let (server, client) = (try await daemon.connected(), try await daemon.connected())
    let manager = ObjectManager("/org/example", on: server)
    let interface = BusInterface(
      Self.interface, methods: [.init("Do", in: [.init("what", "s")]) { _ in [] }],
      properties: [.init("Name", "s", get: { .string("Kitchen") })])
    let name = try await Self.name(server)
    let signals = Record<String>()
    let subscription = client.subscribe(BusMatch(sender: name, path: "/org/example")) { signals.add($0.member) }
    // The daemon must know the subscription first.
    _ = try await client.call(name, "/", "org.freedesktop.DBus.Peer", "Ping", reply: "")
    manager.export(Self.path, interface)
    let objects = try await client.call(
      name, "/org/example", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", reply: "a{oa{sa{sv}}}")
    let properties = objects.first?.dictionary?[.path(Self.path)]?.dictionary?[.string(Self.interface)]?.options
    #expect(properties == ["Name": .string("Kitchen")])
    for (path, expected) in [("/", "<node name=\"org\"/>"), (Self.path, "<method name=\"Do\">")] {
      let xml = try await client.call(name, path, "org.freedesktop.DBus.Introspectable", "Introspect", reply: "s")
      #expect(xml.first?.string?.contains(expected) == true)
    }
    manager.remove(Self.path)
    try await signals.wait(for: ["InterfacesAdded", "InterfacesRemoved"])
    withExtendedLifetime((manager, subscription)) {}
  }

  @Test @CompanionActor func aSignalCountsOnlyIfTheSenderOwnsTheName() async throws {
    let daemon = try PrivateBus()
    let (server, client) = (try await daemon.connected(), try await daemon.connected())
    let stranger = try await daemon.connected()
    let (owners, signals) = (Record<String>(), Record<[BusValue]>())
    let watch = client.watchName(Self.interface, appeared: { owners.add($0) }, vanished: { owners.add("") })
    let subscription = client.subscribe(BusMatch(sender: Self.interface, member: "Hello")) { signals.add($0.arguments) }
    var name: BusToken? = server.requestName([Self.interface]) { _ in }
    try await owners.wait(for: [try await Self.name(server)])
    stranger.emit(Self.path, Self.interface, "Hello", [.string("stranger")])
    // The daemon forwards in this order, so the stranger's signal would have arrived before.
    _ = try await stranger.call(try await Self.name(server), "/", "org.freedesktop.DBus.Peer", "Ping")
    server.emit(Self.path, Self.interface, "Hello", [.string("owner")])
    try await signals.wait(for: [[.string("owner")]])
    name?.cancel()
    name = nil
    try await owners.wait(for: [try await Self.name(server), ""])
    withExtendedLifetime((watch, subscription)) {}
  }
}
