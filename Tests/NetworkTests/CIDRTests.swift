import Testing

@testable import Network

struct CIDRTests {
  @Test(arguments: [
    ("192.168.0.0/16", "192.168.255.1", true),
    ("192.168.0.0/16", "192.169.0.1", false),
    ("10.0.0.5", "10.0.0.5", true),
    ("10.0.0.5", "10.0.0.4", false),
    ("0.0.0.0/0", "8.8.8.8", true),
  ])
  func contains(_ network: String, _ address: String, expected: Bool) throws {
    let network = try #require(CIDR(network))
    #expect(network.contains(try #require(IPAddress(address))) == expected)
  }

  @Test(arguments: [
    "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "fd00::/8", "home/8", "10.0.0.0/8/8",
  ])
  func refuses(_ text: String) {
    #expect(CIDR(text) == nil)
  }

  @Test(arguments: [
    ("192.168.1.5/24", "192.168.1.0", false), ("192.168.1.5/24", "192.168.1.255", false),
    ("192.168.1.5/24", "192.168.1.1", true), ("192.168.1.5/31", "192.168.1.4", true),
    ("192.168.1.5/16", "192.168.1.255", true),
  ])
  func distinguishesHostsFromTheNetworkAddress(_ network: String, _ address: String, expected: Bool) throws {
    let network = try #require(CIDR(network))
    #expect(network.containsHost(try #require(IPAddress(address))) == expected)
  }
}
