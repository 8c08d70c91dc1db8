import Testing

@testable import Companion

@Suite struct AdvertisementMachineTests {
  typealias Row = (event: AdvertisementMachine.Event, actions: [AdvertisementMachine.Action])

  private static let notPermitted = "org.bluez.Error.NotPermitted"
  private static let tooLong = "org.bluez.Error.InvalidLength"
  private static let failed = "org.bluez.Error.Failed"

  private static func run(_ rows: [Row], _ name: String) {
    var machine = AdvertisementMachine()
    for (index, row) in rows.enumerated() {
      #expect(machine.handle(row.event) == row.actions, "\(name), row \(index)")
    }
  }

  @Test func anAdapterIsUsedWhileItIsThere() {
    Self.run(
      [
        (.timer, []), (.adapter("hci0"), [.register(adapter: "hci0", .broadcast)]), (.adapter("hci0"), []),
        (.registered, [.advertised(true)]),
        (.adapter(nil), [.advertised(false)]), (.timer, []), (.released, []),
        (.adapter("hci1"), [.register(adapter: "hci1", .broadcast)]), (.registered, [.advertised(true)]),
        (.adapter("hci0"), [.advertised(false), .register(adapter: "hci0", .broadcast)]),
      ], "adapters")
  }

  @Test func anAdapterThatRefusesBroadcastGetsAPeripheral() {
    Self.run(
      [
        (.adapter("hci0"), [.register(adapter: "hci0", .broadcast)]),
        (.failed(Self.failed), [.register(adapter: "hci0", .peripheral)]), (.registered, [.advertised(true)]),
        // The machine does not try broadcast on this adapter again.
        (.released, [.advertised(false), .wait(.seconds(1))]), (.timer, [.register(adapter: "hci0", .peripheral)]),
      ], "fall back")
  }

  /// Regression: BlueZ ended the advertisement right after its reply. Release was handled first and ignored.
  @Test func anAdvertisementThatEndsBeforeTheReplyIsHandledIsRegisteredAgain() {
    Self.run(
      [
        (.adapter("hci0"), [.register(adapter: "hci0", .broadcast)]),
        (.released, []), (.registered, [.wait(.seconds(1))]),
        (.timer, [.register(adapter: "hci0", .broadcast)]), (.registered, [.advertised(true)]),
      ], "released early")
  }

  @Test func bothRefusedAreTriedAgainWithGrowingPauses() {
    var rows: [Row] = [(.adapter("hci0"), [.register(adapter: "hci0", .broadcast)])]
    for (index, pause) in [1, 2, 4, 8, 16, 32, 60, 60].enumerated() {
      rows.append((.failed(Self.tooLong), [.register(adapter: "hci0", .peripheral)]))
      let report: [AdvertisementMachine.Action] = index == 0 ? [.report(.tooLong)] : []
      rows.append((.failed(Self.tooLong), report + [.wait(.seconds(pause))]))
      rows.append((.timer, [.register(adapter: "hci0", .broadcast)]))
    }
    Self.run(rows, "both refused")
  }

  @Test func standbyEndsTheAdvertisement() {
    Self.run(
      [
        (.standby(true), []), (.adapter("hci0"), []), (.standby(false), [.register(adapter: "hci0", .broadcast)]),
        (.standby(false), []), (.registered, [.advertised(true)]),
        (.standby(true), [.advertised(false), .unregister(adapter: "hci0")]), (.released, []), (.timer, []),
        (.adapter(nil), []), (.adapter("hci1"), []), (.standby(false), [.register(adapter: "hci1", .broadcast)]),
        // Standby while BlueZ has not replied yet.
        (.standby(true), [.unregister(adapter: "hci1")]), (.registered, []), (.failed(Self.failed), []),
        (.standby(false), [.register(adapter: "hci1", .broadcast)]),
        (
          .failed(Self.notPermitted),
          [
            .report(.noInstanceFree), .wait(.seconds(1)),
          ]
        ),
        // Standby while a retry waits.
        (.standby(true), []), (.timer, []), (.standby(false), [.register(adapter: "hci1", .broadcast)]),
      ], "standby")
  }

  @Test func allInstancesUsedIsNoReasonForTheOtherKind() {
    Self.run(
      [
        (.adapter("hci0"), [.register(adapter: "hci0", .broadcast)]),
        (.failed(Self.notPermitted), [.report(.noInstanceFree), .wait(.seconds(1))]),
        (.timer, [.register(adapter: "hci0", .broadcast)]), (.failed(Self.notPermitted), [.wait(.seconds(2))]),
        (.timer, [.register(adapter: "hci0", .broadcast)]), (.registered, [.advertised(true)]),
        (.released, [.advertised(false), .wait(.seconds(1))]),
        (.timer, [.register(adapter: "hci0", .broadcast)]),
        // The same problem is reported again after a success.
        (.failed(Self.notPermitted), [.report(.noInstanceFree), .wait(.seconds(2))]),
      ], "all used")
  }

  @Test func repliesThatCameTooLateAreIgnored() {
    Self.run(
      [
        (.adapter("hci0"), [.register(adapter: "hci0", .broadcast)]), (.adapter(nil), []), (.registered, []),
        (.failed(Self.failed), []), (.timer, []),
      ], "late")
  }

  @Test func anAdvertisementThatBlueZHasKeptIsReplaced() {
    let exists = "org.bluez.Error.AlreadyExists"
    Self.run(
      [
        (.adapter("hci0"), [.register(adapter: "hci0", .broadcast)]),
        (.failed(exists), [.replace(adapter: "hci0", .broadcast)]), (.registered, [.advertised(true)]),
      ], "kept")
    // If the replacement fails, too, the other kind is tried.
    Self.run(
      [
        (.adapter("hci0"), [.register(adapter: "hci0", .broadcast)]),
        (.failed(exists), [.replace(adapter: "hci0", .broadcast)]),
        (.failed(exists), [.register(adapter: "hci0", .peripheral)]),
      ], "kept, and not to be replaced")
  }
}
