import Testing

@testable import Network

struct InterfaceReconcilerTests {
  @Test func dumpsLinksThenAddresses() {
    var reconciler = InterfaceReconciler(policy: InterfacePolicy())
    #expect(reconciler.resync() == [.request(.links(sequence: 1))])
    // Nothing is reported before both dumps are complete.
    #expect(reconciler.receive([eth0, address("10.9.0.1")]) == [])
    #expect(reconciler.receive([.done(sequence: 1, isInterrupted: false)]) == [.request(.addresses(sequence: 2))])
    #expect(reconciler.receive([address("10.9.0.1")]) == [])
    #expect(
      reconciler.receive([.done(sequence: 2, isInterrupted: false)]) == [.change(.appeared(interface("10.9.0.1")))])
    #expect(reconciler.current == [interface("10.9.0.1")])
  }

  @Test func restartsAnInterruptedDump() {
    var reconciler = InterfaceReconciler(policy: InterfacePolicy())
    _ = reconciler.resync()
    #expect(reconciler.receive([eth0, .done(sequence: 1, isInterrupted: true)]) == [.request(.links(sequence: 2))])
    // The end of an obsolete answer is ignored.
    #expect(reconciler.receive([.done(sequence: 1, isInterrupted: false)]) == [])
    #expect(
      reconciler.receive([eth0, .done(sequence: 2, isInterrupted: false)]) == [.request(.addresses(sequence: 3))])
    #expect(reconciler.receive([.done(sequence: 3, isInterrupted: true)]) == [.request(.links(sequence: 4))])
  }

  @Test func givesUpWhatIsRefused() {
    var reconciler = InterfaceReconciler(policy: InterfacePolicy())
    _ = reconciler.resync()
    #expect(reconciler.receive([.refused(sequence: 9, 1)]) == [])
    #expect(reconciler.receive([.refused(sequence: 1, 1)]) == [.reopen])
  }

  /// Changes during lost messages are reported as the difference to the last known state.
  @Test func findsWhatItMissed() {
    var reconciler = synced([eth0, link(3, "eth1")], [address("10.9.0.1"), address("10.8.0.1", on: 3)])
    #expect(reconciler.receive([.lost]) == [.request(.links(sequence: 3))])
    #expect(reconciler.current.count == 2)
    _ = reconciler.receive([eth0, .done(sequence: 3, isInterrupted: false)])
    #expect(
      reconciler.receive([address("10.9.0.7"), .done(sequence: 4, isInterrupted: false)]) == [
        .change(.vanished(interface("10.9.0.1"), canSend: false)),
        .change(.vanished(interface("10.8.0.1", on: 3, "eth1"), canSend: false)),
        .change(.appeared(interface("10.9.0.7"))),
      ])
  }

  @Test(arguments: [UInt32(0x1002), 0x1003, 0x1042])
  func losesALinkThatIsDownOrWithoutCarrier(flags: UInt32) {
    var reconciler = synced([eth0], [address("10.9.0.1")])
    #expect(
      reconciler.receive([.linkFlags(index: 2, flags)]) == [.change(.vanished(interface("10.9.0.1"), canSend: false))])
    #expect(reconciler.receive([eth0]) == [.change(.appeared(interface("10.9.0.1")))])
  }

  @Test func losesALinkWithAllItsAddresses() {
    var reconciler = synced([eth0], [address("10.9.0.1")])
    #expect(reconciler.receive([.linkGone(index: 2)]) == [.change(.vanished(interface("10.9.0.1"), canSend: false))])
    // A new card with the same index does not inherit the addresses.
    #expect(reconciler.receive([eth0]) == [])
  }

  @Test func keepsWhatIsInUseAndAsGood() {
    var reconciler = synced([eth0], [address("10.9.0.1")])
    #expect(reconciler.receive([address("10.8.0.1"), address("169.254.7.7")]) == [])
    // DHCP renews the address.
    #expect(reconciler.receive([address("10.9.0.1")]) == [])
    #expect(
      reconciler.receive([gone("10.9.0.1")]) == [
        .change(.vanished(interface("10.9.0.1"), canSend: false)), .change(.appeared(interface("10.8.0.1"))),
      ])
    #expect(
      reconciler.receive([gone("10.8.0.1")]) == [
        .change(.vanished(interface("10.8.0.1"), canSend: false)), .change(.appeared(interface("169.254.7.7"))),
      ])
    // The old address still exists, so byebye can be sent from it.
    #expect(
      reconciler.receive([address("10.9.0.1")]) == [
        .change(.vanished(interface("169.254.7.7"), canSend: true)), .change(.appeared(interface("10.9.0.1"))),
      ])
  }

  @Test func prefersAnAddressThatStays() {
    let deprecated: UInt32 = 0xA0
    let secondary: UInt32 = 0x81
    let reconciler = synced(
      [eth0], [address("10.7.0.1", flags: deprecated), address("10.8.0.1", flags: secondary), address("10.9.0.1")])
    #expect(reconciler.current == [interface("10.9.0.1")])
  }

  /// A new name or prefix length does not make it another interface for peers on the network.
  @Test func renamesWithoutAWord() {
    var reconciler = synced([eth0], [address("10.9.0.1")])
    #expect(reconciler.receive([link(2, "lan0")]) == [])
    #expect(reconciler.current == [interface("10.9.0.1", on: 2, "lan0")])
  }

  @Test func dropsANamedInterfaceThatGetsAnotherName() {
    var reconciler = synced([eth0], [address("10.9.0.1")], names: ["eth0"])
    #expect(reconciler.receive([link(2, "lan0")]) == [.change(.vanished(interface("10.9.0.1"), canSend: true))])
  }

  @Test func usesOneInterfaceOfASubnet() {
    var reconciler = synced([eth0, link(3, "wlan0")], [address("10.9.0.2", on: 3), address("10.9.0.1")])
    #expect(reconciler.current == [interface("10.9.0.1")])
    let wlan0 = interface("10.9.0.2", on: 3, "wlan0")
    #expect(
      reconciler.receive([.linkGone(index: 2)]) == [
        .change(.vanished(interface("10.9.0.1"), canSend: false)), .change(.appeared(wlan0)),
      ])
    // The choice does not change when the other interface returns.
    #expect(reconciler.receive([eth0, address("10.9.0.1")]) == [])
    #expect(reconciler.current == [wlan0])
  }

  @Test func takesTheLoopbackByName() {
    let lo = NetlinkMessage.link(NetworkLink(index: 1, name: "lo", flags: 0x49, hardwareType: 772))
    #expect(synced([lo], [address("127.0.0.1", on: 1)]).current == [])
    #expect(synced([lo], [address("127.0.0.1", on: 1)], names: ["lo"]).current.map(\.address) == ["127.0.0.1"])
  }

  private let eth0: NetlinkMessage = Self.link(2, "eth0")

  private func link(_ index: Int, _ name: String) -> NetlinkMessage { Self.link(index, name) }

  private static func link(_ index: Int, _ name: String) -> NetlinkMessage {
    .link(NetworkLink(index: index, name: name, flags: 0x1043, hardwareType: 1))
  }

  private func address(_ text: String, on index: Int = 2, flags: UInt32 = 0x80) -> NetlinkMessage {
    .address(record(text, on: index, flags: flags))
  }

  private func gone(_ text: String) -> NetlinkMessage { .addressGone(record(text, on: 2, flags: 0x80)) }

  private func record(_ text: String, on index: Int, flags: UInt32) -> NetworkLinkAddress {
    NetworkLinkAddress(
      index: index, address: IPAddress(text) ?? IPAddress(bits: 0), prefixLength: 24, flags: flags)
  }

  private func interface(_ address: String, on index: Int = 2, _ name: String = "eth0") -> NetworkInterface {
    NetworkInterface(index: index, name: name, address: address, prefixLength: 24)
  }

  private func synced(
    _ links: [NetlinkMessage], _ addresses: [NetlinkMessage], names: [String] = []
  ) -> InterfaceReconciler {
    var reconciler = InterfaceReconciler(policy: InterfacePolicy(names: names))
    _ = reconciler.resync()
    _ = reconciler.receive(links + [.done(sequence: 1, isInterrupted: false)])
    _ = reconciler.receive(addresses + [.done(sequence: 2, isInterrupted: false)])
    return reconciler
  }
}
