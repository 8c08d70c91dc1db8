import Testing

@testable import Companion

@Suite struct PairingMachineTests {
  typealias Row = (event: PairingMachine.Event, actions: [PairingMachine.Action])

  private static let remote = PairingMachine.Event.device("/r", .init(address: "00:00:5E:00:53:01", name: "Knob"))
  private static let phone = PairingMachine.Event.device("/p", .init(address: "00:00:5E:00:53:02", name: "Ann's phone"))
  private static let begin: [PairingMachine.Action] = [.stopDiscovery, .wait(.seconds(30)), .pair("/r")]

  @discardableResult
  private static func run(_ rows: [Row], wantedDevice: String? = nil, _ name: String) -> PairingMachine {
    var machine = PairingMachine(wantedDevice: wantedDevice)
    for (index, row) in rows.enumerated() { #expect(machine.handle(row.event) == row.actions, "\(name), row \(index)") }
    return machine
  }

  @Test func aDeviceIsChosenByNumberNameOrAddress() {
    for text in ["1", "knob", "00:00:5e:00:53:01"] {
      let machine = run([(.opened, [.wait(.seconds(30))]), (Self.remote, []), (.choose(text), Self.begin)], text)
      #expect(machine.phase == .pairing("/r"))
    }
    let machine = run([(.opened, [.wait(.seconds(30))]), (Self.remote, []), (.choose("2"), [])], "unknown")
    #expect(machine.phase == .open)
  }

  private func run(_ rows: [Row], wantedDevice: String? = nil, _ name: String) -> PairingMachine {
    Self.run(rows, wantedDevice: wantedDevice, name)
  }

  @Test func aDeviceThatIsAskedForIsPairedAsSoonAsItIsFound() {
    let machine = run(
      [
        (.opened, [.wait(.seconds(30))]), (Self.phone, []), (.device("/r", .init(address: "00:00:5E:00:53:01")), []),
        (.device("/r", .init(name: "Knob")), Self.begin), (.pairReply(nil), [.finish("/r"), .close]),
      ], wantedDevice: "Knob", "asked for")
    #expect(machine.phase == .closed(.paired("Knob")))
  }

  /// Such as `echo y |`, or a number that is not in the list.
  @Test func aLineThatMatchesNoDeviceDoesNotReplaceTheOneThatIsAskedFor() {
    let machine = run(
      [
        (.choose("y"), []), (.opened, [.wait(.seconds(30))]), (.choose("y"), []), (Self.phone, []), (.choose("7"), []),
        (Self.remote, Self.begin),
      ], wantedDevice: "Knob", "replaced")
    #expect(machine.phase == .pairing("/r"))
    #expect(!machine.canChoose("1"))
    // A device of the list can still be chosen instead.
    Self.run(
      [(.opened, [.wait(.seconds(30))]), (Self.remote, []), (.choose("1"), Self.begin)], wantedDevice: "Lamp", "instead"
    )
  }

  @Test func onlyAFoundDeviceCanBeChosen() {
    var machine = PairingMachine()
    _ = machine.handle(Self.remote)
    #expect(!machine.canChoose("1"))
    _ = machine.handle(.opened)
    #expect(machine.canChoose("1") && machine.canChoose("knob") && !machine.canChoose("2") && !machine.canChoose("y"))
  }

  @Test func devicesFoundBeforeTheWindowIsOpenWait() {
    Self.run([(Self.remote, []), (.opened, [.wait(.seconds(30))] + Self.begin)], wantedDevice: "Knob", "early")
  }

  @Test func aDeviceThatIsPairedAlreadyIsTrusted() {
    Self.run(
      [
        (.device("/r", .init(name: "Knob", isPaired: true)), []),
        (.opened, [.wait(.seconds(30)), .stopDiscovery, .finish("/r"), .close]),
      ], wantedDevice: "Knob", "paired before")
  }

  /// Every end of the window cancels pairing, rejects an open question and closes.
  @Test(arguments: [
    (PairingMachine.Event.timer, PairingMachine.Outcome.timedOut), (.cancel, .cancelled),
    (.lost("gone"), .unavailable("gone")),
  ])
  func theWindowAlwaysCloses(_ event: PairingMachine.Event, _ outcome: PairingMachine.Outcome) {
    for rows in [[], [(.opened, [.wait(.seconds(30))])]] as [[Row]] {
      #expect(run(rows + [(event, [.close])], "\(event)").phase == .closed(outcome))
    }
    let pairing: [Row] = [(.opened, [.wait(.seconds(30))]), (Self.remote, []), (.choose("1"), Self.begin)]
    #expect(run(pairing + [(event, [.cancelPairing("/r"), .close])], "\(event)").phase == .closed(outcome))
    let asked: [Row] = [
      (.opened, [.wait(.seconds(30))]), (Self.phone, []), (.requested(1, "/p", .confirmation(passkey: "123456")), []),
    ]
    #expect(run(asked + [(event, [.reply(1, .reject), .close]), (event, [])], "\(event)").question == nil)
  }

  @Test func aPhoneThatAsksIsPairedOnlyAfterAYes() {
    let asked: [Row] = [
      (.opened, [.wait(.seconds(30))]), (Self.phone, []), (.requested(1, "/p", .confirmation(passkey: "123456")), []),
      // Only one question at a time.
      (.requested(2, "/x", .authorization), [.reply(2, .reject)]),
    ]
    let yes = run(
      asked + [
        (.answer(true), [.reply(1, .accept), .stopDiscovery, .wait(.seconds(30))]),
        (.device("/p", .init(isPaired: true)), [.finish("/p"), .close]),
      ], "yes")
    #expect(yes.phase == .closed(.paired("Ann's phone")))
    let no = run(asked + [(.answer(false), [.reply(1, .reject)]), (.answer(false), [])], "no")
    #expect(no.phase == .open)
  }

  @Test func whileOneIsPairedOthersAreRefused() {
    let machine = run(
      [
        (.opened, [.wait(.seconds(30))]), (Self.remote, []), (Self.phone, []), (.choose("1"), Self.begin),
        (.requested(1, "/p", .authorization), [.reply(1, .reject)]),
        (.requested(2, "/r", .authorization), [.reply(2, .accept)]), (.numberShown("/p", "000000"), []),
        (.numberShown("/r", "001234"), []), (.choose("2"), []), (.answer(true), []),
      ], "others")
    #expect(machine.question == .type(passkey: "001234"))
  }

  private static let opened: [Row] = [(.opened, [.wait(.seconds(30))]), (remote, []), (phone, [])]

  /// A device from before Bluetooth 2.1 that pairs from its side needs an answer, although its PIN is known.
  @Test(arguments: [true, false]) func theFixedPINIsSentOnlyWithConsent(isYes: Bool) {
    let reply: [PairingMachine.Action] =
      isYes ? [.reply(1, .pin("0000")), .stopDiscovery, .wait(.seconds(30))] : [.reply(1, .reject)]
    let machine = run(
      Self.opened + [
        (.requested(1, "/p", .pin), []), (.requested(2, "/p", .service), [.reply(2, .reject)]),
        (.answer(isYes), reply), (.requested(3, "/p", .service), [.reply(3, isYes ? .accept : .reject)]),
      ], "from its side")
    #expect(machine.accepted == (isYes ? "/p" : nil))
    Self.run(
      Self.opened + [(.choose("1"), Self.begin), (.requested(1, "/r", .pin), [.reply(1, .pin("0000"))])], "chosen")
    Self.run(
      Self.opened + [(.choose("1"), Self.begin), (.requested(1, "/p", .pin), [.reply(1, .reject)])], "another")
  }

  /// A stranger that makes a number appear is not accepted by that.
  @Test func aNumberIsNoConsent() {
    let rows: [Row] = [
      (.numberShown("/p", "123456"), []), (.requested(1, "/p", .service), [.reply(1, .reject)]),
      (.device("/p", .init(isPaired: true)), []), (.requested(2, "/p", .service), [.reply(2, .reject)]),
    ]
    #expect(run(Self.opened + rows, "open").question == .type(passkey: "123456"))
    #expect(run(Self.opened + [(.choose("1"), Self.begin)] + rows, "while another is paired").question == nil)
  }

  @Test func servicesAreForTheChosenDevice() {
    let chosen: [Row] =
      Self.opened + [
        (.choose("1"), Self.begin), (.requested(1, "/r", .service), [.reply(1, .accept)]),
        (.requested(2, "/p", .service), [.reply(2, .reject)]),
      ]
    // It connects while the window closes.
    Self.run(
      chosen + [
        (.pairReply(nil), [.finish("/r"), .close]), (.requested(3, "/r", .service), [.reply(3, .accept)]),
        (.requested(4, "/p", .service), [.reply(4, .reject)]),
      ], "paired")
    Self.run(
      chosen + [
        (.timer, [.cancelPairing("/r"), .close]), (.requested(3, "/r", .service), [.reply(3, .reject)]),
      ], "timed out")
  }

  @Test func aCancelledRequestIsAnswered() {
    let machine = run(
      Self.opened + [
        (.requested(1, "/p", .pin), []), (.requestCancelled, [.reply(1, .reject)]), (.answer(true), []),
        (.requestCancelled, []),
      ], "cancelled")
    #expect(machine.question == nil && machine.accepted == nil)
  }

  @Test func questionsBeforeTheWindowIsOpenAreRefused() {
    Self.run([(.requested(1, "/p", .authorization), [.reply(1, .reject)])], "early")
  }

  @Test func aRefusedPairingEndsTheWindow() {
    let machine = run(
      [
        (.opened, [.wait(.seconds(30))]), (Self.remote, []), (.choose("1"), Self.begin),
        (.pairReply("refused"), [.cancelPairing("/r"), .close]), (.pairReply(nil), []),
      ], "refused")
    #expect(machine.phase == .closed(.failed("refused")))
  }

  @Test func namelessDevicesAreListedOnlyForInput() {
    var machine = PairingMachine()
    _ = machine.handle(.device("/a", .init(address: "00:00:5E:00:53:01")))
    _ = machine.handle(.device("/b", .init(icon: "input-keyboard")))
    _ = machine.handle(.device("/c", .init(name: "Lamp")))
    _ = machine.handle(.device("/d", .init(name: "Old", isPaired: true)))
    #expect(machine.listed.map(\.title) == ["unnamed keyboard or remote control", "Lamp"])
    #expect(machine.listed.map(\.number) == [2, 3])
  }
}
