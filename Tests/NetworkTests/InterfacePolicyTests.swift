import Testing

@testable import Network

struct InterfacePolicyTests {
  /// The links of typical machines, and which of them are used.
  @Test(arguments: [
    ("a Pi by cable and Wi-Fi", ["lo", "eth0", "wlan0"], ["eth0", "wlan0"]),
    (
      "Docker",
      ["lo", "eth0", "docker0:bridge", "veth1a2b:veth<docker0", "br-0f1e2d:bridge", "veth3c4d:veth<br-0f1e2d"],
      ["eth0"]
    ),
    ("virtual machines on the network of people", ["lo", "eth0<br0", "br0:bridge", "vnet0:tun<br0"], ["br0"]),
    ("virtual machines on their own", ["lo", "eth0", "virbr0:bridge", "vnet0:tun<virbr0"], ["eth0"]),
    ("a bridge of cable and Wi-Fi", ["lo", "eth0<lan", "wlan0<lan", "lan:bridge"], ["lan"]),
    ("two cards as one", ["lo", "eth0<bond0", "eth1<bond0", "bond0:bond", "bond0.7:vlan"], ["bond0", "bond0.7"]),
    ("tunnels", ["lo", "eth0", "tun0:tun", "wg0:wireguard", "ppp0!", "sit0:sit", "tailscale0"], ["eth0"]),
    ("an old kernel that tells no kinds", ["lo", "eth0", "docker0", "veth1a2b", "virbr0", "br-0f1e2d"], ["eth0"]),
    ("a container", ["lo", "eth0:veth"], ["eth0"]),
    ("a container on the network of people", ["lo", "eth0:macvlan"], ["eth0"]),
    (
      "a container with containers", ["lo", "eth0:veth", "docker0:bridge", "veth1a2b:veth<docker0", "veth9:veth"],
      ["eth0"]
    ),
    ("a host whose cable is out", ["lo", "eth0", "cali12:veth", "host0:veth"], ["eth0"]),
    ("nothing", ["lo"], []),
  ])
  func choosesFor(machine: String, links: [String], used: [String]) {
    #expect(Self.used(links, InterfacePolicy()) == used)
  }

  @Test func usesExactlyTheNamedInterfaces() {
    let links = ["lo", "eth0", "docker0:bridge", "veth1a2b:veth<docker0", "wg0!:wireguard"]
    for name in ["lo", "docker0", "veth1a2b", "wg0"] {
      #expect(Self.used(links, InterfacePolicy(names: [name])) == [name])
    }
    #expect(Self.used(links, InterfacePolicy(names: ["eth9"])) == [])
    #expect(Self.used(links, InterfacePolicy(names: ["eth0", "lo"])) == ["lo", "eth0"])
  }

  /// - Parameter links: Links in the form `name!:kind<master`; `!` means point-to-point.
  private static func used(_ links: [String], _ policy: InterfacePolicy) -> [String] {
    let names = links.map { String($0.prefix { !"!:<".contains($0) }) }
    var table: [Int: NetworkLink] = [:]
    for (index, text) in links.enumerated() {
      let kind = text.split(separator: "<")[0].split(separator: ":").dropFirst().first.map(String.init)
      let master = text.split(separator: "<").dropFirst().first.flatMap { name in
        names.firstIndex { $0 == name.prefix { $0 != ":" } }
      }
      let flags: UInt32 = names[index] == "lo" ? 0x49 : text.contains("!") ? 0x51 : 0x1043
      table[index] = NetworkLink(
        index: index, name: names[index], flags: flags, hardwareType: names[index] == "lo" ? 772 : 1, kind: kind,
        master: master)
    }
    return table.values.filter { policy.isUsed($0, among: table) }.sorted { $0.index < $1.index }.map(\.name)
  }
}
