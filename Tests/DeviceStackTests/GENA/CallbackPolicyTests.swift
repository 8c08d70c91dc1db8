import Testing
import UPnP

@testable import DeviceStack

/// The device is 192.168.1.10/24, and 10.20.0.0/16 is configured as allowed.
struct CallbackPolicyTests {
  @Test(arguments: [
    ("192.168.1.20", "192.168.1.20", 24, true, "its own"),
    ("192.168.1.21", "192.168.1.20", 24, true, "on the link"),
    ("192.168.1.21", "192.168.1.20", nil, false, "no link known"),
    ("192.168.2.20", "192.168.1.20", 24, false, "another subnet"),
    ("8.8.8.8", "192.168.1.20", 24, false, "the Internet"),
    ("8.8.8.8", "8.8.8.8", 24, true, "its own, wherever it is"),
    ("127.0.0.1", "192.168.1.20", 24, false, "our own services"),
    ("192.168.1.10", "192.168.1.20", 24, false, "our own services by our address"),
    ("192.168.1.10", "192.168.1.10", 24, true, "a controller on our own machine"),
    ("192.168.1.255", "192.168.1.20", 24, false, "broadcast"),
    ("255.255.255.255", "192.168.1.20", 0, false, "broadcast"),
    ("239.255.255.250", "192.168.1.20", 0, false, "multicast"),
    ("0.0.0.0", "192.168.1.20", 24, false, "this host"),
    ("10.20.3.4", "192.168.1.20", 24, true, "a configured network"),
    ("10.21.3.4", "192.168.1.20", 24, false, "beside the configured network"),
  ])
  func allows(_ callback: String, subscriber: String, prefixLength: Int?, expected: Bool, why: Comment) throws {
    let policy = CallbackPolicy(networks: [try #require(CIDR("10.20.0.0/16"))])
    #expect(
      policy.allows(
        try #require(IPAddress(callback)), subscriber: try #require(IPAddress(subscriber)),
        local: try #require(IPAddress("192.168.1.10")), prefixLength: prefixLength) == expected, why)
  }
}
