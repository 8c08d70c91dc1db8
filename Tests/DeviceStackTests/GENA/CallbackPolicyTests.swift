import Testing

@testable import DeviceStack

/// We are 192.168.1.10/24, or as said; 10.20.0.0/16 and fd00::/8 are configured.
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
    ("fe80::20", "192.168.1.20", 24, false, "another family"),
    ("fd00::20", "192.168.1.20", 24, false, "another family, though configured"),
  ])
  func allows(_ callback: String, asker: String, prefixLength: Int?, expected: Bool, why: Comment) throws {
    let policy = CallbackPolicy(networks: [try #require(CIDR("10.20.0.0/16")), try #require(CIDR("fd00::/8"))])
    #expect(
      policy.allows(
        try #require(IPAddress(callback)), asker: try #require(IPAddress(asker)),
        local: try #require(IPAddress("192.168.1.10")), prefixLength: prefixLength) == expected, why)
  }

  @Test func allowsTheLinkInIPv6() throws {
    let allows = { (callback: String) throws in
      CallbackPolicy().allows(
        try #require(IPAddress(callback)), asker: try #require(IPAddress("fe80::20")),
        local: try #require(IPAddress("fe80::10")), prefixLength: 64)
    }
    #expect(try allows("fe80::20"))
    #expect(try allows("fe80::21"))
    #expect(try !allows("2001:db8::21"))
  }
}
