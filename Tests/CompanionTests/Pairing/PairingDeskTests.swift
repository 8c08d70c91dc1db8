import Testing

@testable import Companion

/// The desk on a private bus with `BluezStandIn`.
@Suite struct PairingDeskTests {
  @CompanionActor private final class Testbed {
    let daemon: PrivateBus
    let bluez: BluezStandIn?
    let board = CompanionBoard()
    let desk: PairingDesk

    init(hasBluez: Bool = true) async throws {
      daemon = try PrivateBus()
      // Waits until the daemon runs.
      let bus = try await daemon.connected()
      bluez = hasBluez ? try await BluezStandIn(bus) : nil
      desk = PairingDesk(board: board, logger: daemon.logger, bus: daemon.kind)
    }

    var report: PairingReport? { board.report.pairing }

    func wait(for state: PairingReport.State) async throws { try await eventually { report?.state == state } }

    /// Waits until the desk has unregistered its agent, its last call.
    func waitForEnd() async throws { try await eventually { bluez?.calls.last == "UnregisterAgent" } }
  }

  @Test @CompanionActor func nothingExistsBeforeAWindowIsOpen() async throws {
    let bed = try await Testbed()
    bed.desk.choose(1)
    bed.desk.answer(true)
    bed.desk.close()
    #expect(bed.report == nil)
    #expect(bed.bluez?.calls == [])
  }

  @Test @CompanionActor func aChosenDeviceIsPairedAndTheWindowIsUndone() async throws {
    let bed = try await Testbed()
    let bluez = try #require(bed.bluez)
    bed.desk.open()
    #expect(bed.report?.state == .opening)
    try await bed.wait(for: .open)
    bluez.add("Knob", icon: "input-keyboard")
    try await eventually { bed.report?.devices.count == 1 }
    #expect(bed.report?.devices == [.init(number: 1, name: "Knob", kind: "keyboard or remote control")])
    // No device has this number.
    bed.desk.choose(2)
    #expect(bed.report?.state == .open)
    bed.desk.choose(1)
    #expect(bed.report?.state == .pairing)
    try await bed.wait(for: .paired)
    #expect(bed.report?.paired == "Knob" && bed.report?.problem == nil)
    try await bed.waitForEnd()
    #expect(
      bluez.calls == [
        "RegisterAgent", "RequestDefaultAgent", "Pairable true", "SetDiscoveryFilter", "StartDiscovery",
        "StopDiscovery",
        "Pair Knob", "Trusted Knob", "Pairable false", "Connect Knob", "UnregisterAgent",
      ])
  }

  /// Regression: the page read the report before the companions' thread had opened the window, and took it for closed.
  @Test @CompanionActor func theReportSaysOpeningAtOnce() async throws {
    let bed = try await Testbed()
    bed.desk.requestOpening()
    #expect(bed.report?.state == .opening)
    try await bed.wait(for: .open)
    bed.desk.requestOpening()
    #expect(bed.report?.state == .open)
    bed.desk.close()
    try await bed.wait(for: .closed)
    bed.desk.requestOpening()
    #expect(bed.report?.state == .opening)
  }

  @Test @CompanionActor func oneWindowAtATime() async throws {
    let bed = try await Testbed()
    let bluez = try #require(bed.bluez)
    bed.desk.open()
    bed.desk.open()
    try await bed.wait(for: .open)
    bed.desk.open()
    bed.desk.close()
    #expect(bed.report?.state == .closed)
    try await bed.waitForEnd()
    #expect(bluez.calls.count { $0 == "StartDiscovery" } == 1)
    // A new window can be opened afterwards.
    try await eventually {
      if bed.report?.state == .closed { bed.desk.open() }
      return bed.report?.state == .open
    }
    #expect(bluez.calls.count { $0 == "StartDiscovery" } == 2)
  }

  @Test(arguments: [true, false]) @CompanionActor func aPersonAnswersTheQuestion(isYes: Bool) async throws {
    let bed = try await Testbed()
    let bluez = try #require(bed.bluez)
    bluez.passkey = 12_345
    bed.desk.open()
    try await bed.wait(for: .open)
    bluez.add("Ann’s phone", icon: "phone")
    try await eventually { bed.report?.devices.count == 1 }
    bed.desk.choose(1)
    try await eventually { bed.report?.question != nil }
    #expect(bed.report?.question == .init(kind: .confirm, device: "Ann’s phone", number: "012345"))
    bed.desk.answer(isYes)
    #expect(bed.report?.question == nil)
    try await bed.wait(for: isYes ? .paired : .failed)
    #expect((bed.report?.problem == nil) == isYes)
    try await bed.waitForEnd()
    #expect(bluez.calls.contains("Trusted Ann’s phone") == isYes)
  }

  @Test @CompanionActor func withoutBluezItFails() async throws {
    let bed = try await Testbed(hasBluez: false)
    bed.desk.open()
    try await bed.wait(for: .failed)
    #expect(bed.report?.problem == "BlueZ is not running: install bluez, and start bluetooth.service.")
  }

  @Test @CompanionActor func itFailsWhenBluezEnds() async throws {
    let bed = try await Testbed()
    bed.desk.open()
    try await bed.wait(for: .open)
    bed.bluez?.bus.close()
    try await bed.wait(for: .failed)
    #expect(bed.report?.problem?.isEmpty == false)
  }

  @Test @CompanionActor func anUnsolicitedDeviceIsNotPairedWithoutAnAnswer() async throws {
    let bed = try await Testbed()
    let bluez = try #require(bed.bluez)
    bed.desk.open()
    try await bed.wait(for: .open)
    let path = bluez.add("Stranger", icon: "input-keyboard")
    try await eventually { bed.report?.devices.count == 1 }
    // A number on the display is not consent.
    _ = try await bluez.ask("DisplayPinCode", path, [.string("123456")])
    #expect(bed.report?.question == .init(kind: .type, device: "Stranger", number: "123456"))
    await #expect(throws: BusError.self) { try await bluez.ask("AuthorizeService", path, [.string("1124")]) }
    let pin = Task { @CompanionActor in try await bluez.ask("RequestPinCode", path) }
    try await eventually { bed.report?.question?.kind == .authorize }
    bed.desk.answer(false)
    await #expect(throws: BusError.self) { try await pin.value }
    await #expect(throws: BusError.self) { try await bluez.ask("AuthorizeService", path, [.string("1124")]) }
    // After a yes it may pair, and use services.
    let again = Task { @CompanionActor in try await bluez.ask("RequestPinCode", path) }
    try await eventually { bed.report?.question?.kind == .authorize }
    bed.desk.answer(true)
    #expect(try await again.value == [.string("0000")])
    #expect(try await bluez.ask("AuthorizeService", path, [.string("1124")]) == [])
    #expect(bed.report?.state == .pairing)
  }

  @Test @CompanionActor func stoppingUndoesAnOpenWindow() async throws {
    let bed = try await Testbed()
    let bluez = try #require(bed.bluez)
    bed.desk.open()
    try await bed.wait(for: .open)
    await bed.desk.stop()
    #expect(bluez.calls.suffix(3) == ["Pairable false", "StopDiscovery", "UnregisterAgent"])
    // The page may still be there.
    bed.desk.open()
    #expect(bed.report?.state == .closed)
    await bed.desk.stop()
  }

  // MARK: The report

  private static let facts = PairingMachine.DeviceFacts(address: "00:00:5E:00:53:01", name: "Knob", icon: "phone")
  private static let knob = PairingReport.Device(number: 1, name: "Knob", kind: "phone")

  private static let reports: [(events: [PairingMachine.Event], report: PairingReport)] = [
    ([], .init(state: .opening)),
    ([.opened], .init(state: .open)),
    ([.opened, .device("/a", facts)], .init(state: .open, devices: [knob])),
    // Devices without a name and paired devices are not listed.
    ([.opened, .device("/a", .init(address: "00:00:5E:00:53:01"))], .init(state: .open)),
    ([.opened, .device("/a", .init(name: "Knob", isPaired: true))], .init(state: .open)),
    (
      [.opened, .device("/a", .init(icon: "input-mouse"))],
      .init(state: .open, devices: [.init(number: 1, name: "unnamed input device", kind: "input device")])
    ),
    ([.opened, .device("/a", facts), .choose("1")], .init(state: .pairing, devices: [knob])),
    (
      [.opened, .device("/a", facts), .requested(1, "/a", .confirmation(passkey: "000001"))],
      .init(
        state: .open, devices: [knob], question: .init(kind: .confirm, device: "Knob", number: "000001"))
    ),
    (
      [.opened, .requested(1, "/b", .authorization)],
      .init(state: .open, question: .init(kind: .authorize, device: "a device", number: nil))
    ),
    (
      [.opened, .device("/a", facts), .choose("Knob"), .numberShown("/a", "1234")],
      .init(state: .pairing, devices: [knob], question: .init(kind: .type, device: "Knob", number: "1234"))
    ),
    (
      [.opened, .device("/a", facts), .choose("1"), .pairReply(nil)],
      .init(state: .paired, devices: [knob], paired: "Knob")
    ),
    (
      [.opened, .device("/a", facts), .choose("1"), .pairReply("No.")],
      .init(state: .failed, devices: [knob], problem: "No.")
    ),
    ([.opened, .timer], .init(state: .closed)),
    ([.opened, .cancel], .init(state: .closed)),
    ([.lost("Off.")], .init(state: .failed, problem: "Off.")),
  ]

  @Test(arguments: reports.indices)
  func theReportHasNoAddresses(index: Int) {
    let (events, report) = Self.reports[index]
    var machine = PairingMachine()
    for event in events { _ = machine.handle(event) }
    #expect(machine.report == report)
  }
}
