import NIOCore
import Testing

@testable import DeviceStack

struct IPAddressTests {
  @Test(arguments: [
    ("192.168.1.20", "192.168.1.20"),
    ("0.0.0.0", "0.0.0.0"),
    ("255.255.255.255", "255.255.255.255"),
    ("fe80::1", "fe80::1"),
    ("2001:DB8:0:0::7", "2001:db8::7"),
    ("::ffff:10.0.0.1", "10.0.0.1"),
    ("::", "::"),
  ])
  func readsLiterals(_ literal: String, canonical: String) throws {
    #expect(try #require(IPAddress(literal)).description == canonical)
  }

  @Test(arguments: [
    "", "localhost", "phone.local", "1", "3232235796", "0xC0A80114", "0300.0250.1.20", "192.168.1.020", "192.168.20",
    "192.168.1.20.", "192.168.1.256", "192.168.1.20 ", " 192.168.1.20", "192.168.1.20\0", "192.168.1.-1",
    "fe80::1%eth0",
    "fe80::1%25eth0", "[fe80::1]", "1::2::3", "١٩٢.168.1.20", ":",
  ])
  func refusesTheRest(_ text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test(arguments: [
    ("192.168.1.20", true), ("0.0.0.0", false), ("0.1.2.3", false), ("224.0.0.1", false), ("239.255.255.250", false),
    ("255.255.255.255", false), ("127.0.0.1", true), ("::", false), ("::1", true), ("ff02::c", false),
    ("fe80::1", true),
  ])
  func knowsWhatIsAHost(_ literal: String, isHost: Bool) throws {
    #expect(try #require(IPAddress(literal)).isHost == isHost)
  }

  @Test func oneAskerIsOneAddressOnWhicheverSocket() throws {
    let v4 = try SocketAddress(ipAddress: "10.1.2.3", port: 1)
    let mapped = try SocketAddress(ipAddress: "::ffff:10.1.2.3", port: 2)
    #expect(IPAddress(v4) == IPAddress(mapped))
    #expect(try IPAddress(SocketAddress(unixDomainSocketPath: "/s")) == nil)
  }

  @Test func scopesOnlyLinkLocalAddresses() throws {
    let local = try #require(IPAddress("fe80::1")).socketAddress(port: 80, scope: 3)
    let global = try #require(IPAddress("2001:db8::1")).socketAddress(port: 80, scope: 3)
    guard case .v6(let localBits) = local, case .v6(let globalBits) = global else {
      Issue.record("not IPv6")
      return
    }
    #expect(localBits.address.sin6_scope_id == 3)
    #expect(globalBits.address.sin6_scope_id == 0)
    #expect(local.port == 80)
  }
}
