import Testing

@testable import Companion

@Suite struct BusOwnNameTests {
  private static let interface = "org.example.Thing"
  private static let daemon = "org.freedesktop.DBus"

  @Test @CompanionActor func aTakenNameLeadsToTheNextCandidate() async throws {
    let daemon = try PrivateBus()
    let (first, second) = (try await daemon.connected(), try await daemon.connected())
    let names = Record<String>()
    let candidates = [Self.interface, Self.interface + ".instance2"]
    let tokens = [
      first.requestName(candidates) { names.add((try? $0?.get()) ?? "") }
    ]
    try await names.wait(for: [candidates[0]])
    let other = second.requestName(candidates) { names.add((try? $0?.get()) ?? "") }
    try await names.wait(for: candidates)
    withExtendedLifetime((tokens, other)) {}
  }

  /// The pause between requests is too long for this test.
  @Test @CompanionActor func aNameIsTakenOverWhenItsOwnerEnds() async throws {
    let daemon = try PrivateBus()
    let (first, second) = (try await daemon.connected(), try await daemon.connected(retryingAfter: .seconds(600)))
    let (owner, results) = (Record<String>(), Record<String>())
    let name = first.requestName([Self.interface]) { owner.add((try? $0?.get()) ?? "") }
    try await owner.wait(for: [Self.interface])
    let other = second.requestName([Self.interface]) { results.add((try? $0?.get()) ?? "refused") }
    try await results.wait(for: ["refused"])
    // The daemon replies in order: afterwards the second one knows the owner.
    _ = try await second.call(Self.daemon, "/org/freedesktop/DBus", Self.daemon, "GetId", reply: "s")
    name.cancel()
    try await results.wait(for: ["refused", Self.interface])
    withExtendedLifetime(other) {}
  }

  @Test @CompanionActor func aNameIsRequestedAgainAfterThePolicyHasChanged() async throws {
    let daemon = try PrivateBus(denying: Self.interface)
    let bus = try await daemon.connected()
    let results = Record<Bool>()
    let name = bus.requestName([Self.interface]) { result in
      let isGranted = if case .success = result { true } else { false }
      if results.elements.last != isGranted { results.add(isGranted) }
    }
    try await results.wait(for: [false])
    try daemon.deny(nil)
    _ = try await bus.call(Self.daemon, "/org/freedesktop/DBus", Self.daemon, "ReloadConfig")
    try await results.wait(for: [false, true])
    withExtendedLifetime(name) {}
  }
}
