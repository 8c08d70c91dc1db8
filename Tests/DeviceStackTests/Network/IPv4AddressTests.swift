import Testing

@testable import DeviceStack

struct IPv4AddressTests {
  @Test(arguments: ["0.0.0.0", "10.9.0.1", "255.255.255.255"])
  func readsAndWrites(text: String) {
    #expect(IPv4Address(text)?.description == text)
  }

  @Test(arguments: ["", "10.9.0", "10.9.0.1.2", "10.9.0.256", "10.9.0.-1", "10.9.0.+1", "10.9..1", "a.b.c.d", "::1"])
  func refuses(text: String) {
    #expect(IPv4Address(text) == nil)
  }

  @Test(arguments: [(0, "0.0.0.0"), (8, "10.0.0.0"), (23, "10.9.6.0"), (24, "10.9.7.0"), (32, "10.9.7.5")])
  func hasANetwork(prefixLength: Int, network: String) {
    #expect(IPv4Address("10.9.7.5")?.network(prefixLength: prefixLength).description == network)
  }

  @Test(arguments: [
    ("10.0.0.1", true), ("172.15.255.255", false), ("172.16.0.0", true), ("172.31.255.255", true),
    ("172.32.0.0", false), ("192.168.3.4", true), ("192.169.0.1", false), ("169.254.1.1", true), ("127.0.0.1", true),
    ("100.63.255.255", false), ("100.64.0.1", true), ("100.127.255.255", true), ("100.128.0.0", false),
    ("8.8.8.8", false),
  ])
  func isLocal(text: String, expected: Bool) {
    #expect(IPv4Address(text)?.isLocal == expected)
  }

  @Test func reachesItsSubnet() throws {
    let interface = NetworkInterface(index: 2, name: "eth0", address: "203.0.113.5", prefixLength: 24)
    #expect(interface.reaches(try #require(IPv4Address("203.0.113.200"))))
    #expect(!interface.reaches(try #require(IPv4Address("203.0.114.5"))))
  }
}
