import Testing

@testable import Companion

@Suite struct BusMatchTests {
  @Test(arguments: [
    (BusMatch(), "/a/b", true),
    (BusMatch(path: "/a"), "/a", true), (BusMatch(path: "/a"), "/a/b", false),
    (BusMatch(pathNamespace: "/a"), "/a", true), (BusMatch(pathNamespace: "/a"), "/a/b", true),
    (BusMatch(pathNamespace: "/a"), "/ab", false), (BusMatch(pathNamespace: "/"), "/a", true),
    (BusMatch(interface: "i.i", member: "M"), "/a", true), (BusMatch(interface: "i.j"), "/a", false),
    (BusMatch(member: "N"), "/a", false),
  ]) func aSignalMatches(_ match: BusMatch, _ path: String, _ isAccepted: Bool) {
    #expect(match.accepts(path: path, interface: "i.i", member: "M") == isAccepted)
  }

  @Test func theRuleNamesEveryPart() {
    let match = BusMatch(
      sender: "org.bluez", pathNamespace: "/org/bluez", interface: "i.i", member: "M", firstArgument: "x")
    #expect(
      match.rule
        == "type='signal',sender='org.bluez',path_namespace='/org/bluez',interface='i.i',member='M',arg0='x'")
  }

  @Test(
    arguments: [
      (BusKind.system, [:], "unix:path=/run/dbus/system_bus_socket"),
      (.system, ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/s"], "unix:path=/s"),
      (.session, ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/u", "XDG_RUNTIME_DIR": "/run/user/1"], "unix:path=/u"),
      (.session, ["XDG_RUNTIME_DIR": "/run/user/1"], "unix:path=/run/user/1/bus"), (.session, [:], nil),
      (.address("unix:path=/x"), ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/s"], "unix:path=/x"),
    ] as [(BusKind, [String: String], String?)]) func theAddressOfABus(
      _ kind: BusKind, _ environment: [String: String], _ address: String?
    )
  {
    #expect(kind.address { environment[$0] } == address)
  }

  @Test func pausesGrowUpToAMinuteAndStartAnew() {
    var pauses = RetryPauses()
    let first = (0..<8).map { _ in pauses.next() }
    #expect(first == [1, 2, 4, 8, 16, 32, 60, 60].map { Duration.seconds($0) })
    pauses.reset()
    let second = pauses.next()
    #expect(second == .seconds(1))
  }
}
