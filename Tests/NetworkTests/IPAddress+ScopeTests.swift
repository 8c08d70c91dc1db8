import Testing

@testable import Network

struct IPAddressScopeTests {
  @Test(arguments: [
    ("10.0.0.1", true), ("172.15.255.255", false), ("172.16.0.0", true), ("172.31.255.255", true),
    ("172.32.0.0", false), ("192.168.3.4", true), ("192.169.0.1", false), ("169.254.1.1", true), ("127.0.0.1", true),
    ("100.63.255.255", false), ("100.64.0.1", true), ("100.127.255.255", true), ("100.128.0.0", false),
    ("8.8.8.8", false),
  ])
  func isLocal(text: String, expected: Bool) {
    #expect(IPAddress(text)?.isLocalIPv4 == expected)
  }

  @Test(arguments: [
    ("10.9.0.1", 24, "10.9.0.200", 24, true), ("10.9.0.1", 24, "10.9.1.1", 24, false),
    ("10.9.0.1", 24, "10.9.0.200", 16, false), ("10.9.0.1", 32, "10.9.0.1", 32, true),
    ("10.9.0.1", 0, "8.8.8.8", 0, true),
  ])
  func sharesASubnet(one: String, length: Int, other: String, otherLength: Int, expected: Bool) {
    let left = NetworkInterface(index: 2, name: "eth0", address: one, prefixLength: length)
    let right = NetworkInterface(index: 3, name: "eth1", address: other, prefixLength: otherLength)
    #expect(left.sharesSubnet(with: right) == expected)
    #expect(right.sharesSubnet(with: left) == expected)
  }
}
