import NIOCore
import Testing

@testable import Network

struct IPAddressTests {
  @Test(arguments: [
    ("192.168.1.20", "192.168.1.20"),
    ("0.0.0.0", "0.0.0.0"),
    ("255.255.255.255", "255.255.255.255"),
  ])
  func readsLiterals(_ literal: String, canonical: String) throws {
    #expect(try #require(IPAddress(literal)).description == canonical)
  }

  @Test(arguments: [
    "", "localhost", "phone.local", "1", "3232235796", "0xC0A80114", "0300.0250.1.20", "192.168.1.020", "192.168.20",
    "192.168.1.20.", "192.168.1.256", "192.168.1.20 ", " 192.168.1.20", "192.168.1.20\0", "192.168.1.-1",
    "fe80::1", "::", "::ffff:10.0.0.1", "١٩٢.168.1.20", ":",
  ])
  func refusesOtherRequests(_ text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test(arguments: [
    ("192.168.1.20", true), ("0.0.0.0", false), ("0.1.2.3", false), ("224.0.0.1", false), ("239.255.255.250", false),
    ("255.255.255.255", false), ("127.0.0.1", true),
  ])
  func knowsWhatIsAHost(_ literal: String, isHost: Bool) throws {
    #expect(try #require(IPAddress(literal)).isHost == isHost)
  }

  @Test func isReadFromASocketAddressAndBack() throws {
    let socket = try SocketAddress(ipAddress: "10.1.2.3", port: 80)
    let address = try #require(IPAddress(socket))
    #expect(address == IPAddress("10.1.2.3"))
    #expect(address.socketAddress(port: 80) == socket)
    #expect(try IPAddress(SocketAddress(ipAddress: "fe80::1", port: 80)) == nil)
    #expect(try IPAddress(SocketAddress(unixDomainSocketPath: "/s")) == nil)
  }
}
