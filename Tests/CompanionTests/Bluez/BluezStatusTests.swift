import Testing

@testable import Companion

@Suite struct BluezStatusTests {
  private static let path = "/org/bluez/hci0"
  private static let adapter = BluezAdapters.Adapter(path: path, isPowered: true)
  private static let added = BluezStatus.Event.added(path, [BluezName.adapter: ["Powered": .bool(true)]])

  /// Collects the states that observers receive, and the logged messages.
  private static func run(
    _ events: [BluezStatus.Event], _ status: inout BluezStatus
  ) -> (states: [BluezState], messages: [String]) {
    var (states, messages): ([BluezState], [String]) = ([], [])
    for event in events {
      let (hasChanged, message) = status.handle(event)
      if hasChanged { states.append(status.state) }
      if let message { messages.append(message) }
    }
    return (states, messages)
  }

  private static func run(_ events: [BluezStatus.Event]) -> (states: [BluezState], messages: [String]) {
    var status = BluezStatus()
    return run(events, &status)
  }

  /// A restart within one turn of the loop looks like this. The new bluetoothd has no advertisements.
  @Test func aFastRestartMakesObserversRegisterAgain() {
    var status = BluezStatus()
    let start: [BluezStatus.Event] = [.reset, Self.added, .loaded]
    #expect(Self.run(start, &status).states == [.ready(Self.adapter)])
    let (states, messages) = Self.run([.vanished, .reset, Self.added, .loaded], &status)
    #expect(states == [.starting, .ready(Self.adapter)])
    #expect(messages.isEmpty)
  }

  @Test func reloadingChangesNothing() {
    let events: [BluezStatus.Event] = [.reset, Self.added, .loaded, .reset, Self.added, .loaded]
    #expect(Self.run(events).states == [.ready(Self.adapter)])
    // A failed reload is harmless, because signals still arrive.
    #expect(Self.run([.reset, Self.added, .loaded, .unresponsive("No.")]).states == [.ready(Self.adapter)])
  }

  @Test func aBluezThatDoesNotListItsObjectsIsReportedOnce() {
    let (states, messages) = Self.run([
      .unresponsive("There was no reply."), .unresponsive("No 2."), .vanished, .unresponsive("There was no reply."),
      .reset, Self.added, .loaded, .vanished, .unresponsive("No 3."),
    ])
    #expect(
      states == [
        .unresponsive("There was no reply."), .unresponsive("No 2."), .starting, .unresponsive("There was no reply."),
        .ready(Self.adapter), .starting, .unresponsive("No 3."),
      ])
    let problem = "Bluetooth is not available: BlueZ does not list its objects: "
    let end = " Restart bluetooth.service. Swiftlet waits for it."
    #expect(
      messages == ["\(problem)There was no reply.\(end)", "Bluetooth is available again.", "\(problem)No 3.\(end)"])
  }

  @Test func everyProblemIsLoggedOnce() {
    let (states, messages) = Self.run([
      .noService, .noService, .reset, .loaded, .vanished, .reset, .loaded, Self.added, .vanished, .noBus, .reset,
      Self.added, .loaded,
    ])
    #expect(
      states == [
        .noService, .noAdapter, .starting, .noAdapter, .ready(Self.adapter), .starting, .noBus, .ready(Self.adapter),
      ])
    #expect(
      messages.map { $0.split(separator: ":").last.map(String.init) ?? "" } == [
        " install bluez, and start bluetooth.service. Swiftlet waits for it.",
        " There is no Bluetooth adapter. Swiftlet waits for it.", "Bluetooth is available again.",
        " Swiftlet cannot reach the system bus. Swiftlet waits for it.", "Bluetooth is available again.",
      ])
  }

  @Test func eventsBeforeAllObjectsAreReadDoNotCount() {
    let events: [BluezStatus.Event] = [Self.added, .changed(Self.path, ["Powered": .bool(true)])]
    #expect(Self.run(events).states.isEmpty)
  }
}
