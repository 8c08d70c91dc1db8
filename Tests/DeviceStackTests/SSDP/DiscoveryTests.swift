import Glibc
import NIOCore
import NetworkTesting
import Testing

@testable import DeviceStack

/// Discovery end to end: the server follows the interface monitor, and a control point at the other end of the cable
/// observes it.
@Suite(.enabled(if: NetworkNamespace.isAvailable), .timeLimit(.minutes(2)))
struct DiscoveryTests {
  @Test func announcesSoonAfterANetworkAppears() async throws {
    try await withNeighbours { here, there, server in
      let point = try await SSDPProbe(on: there.loop, device: "eth0")
      try here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
      try await point.wait { $0.usns("ssdp:alive", from: "192.0.2.1").count == 9 }
      #expect(point.notifications("ssdp:alive").allSatisfy { $0.field("BOOTID.UPNP.ORG") == "10" })
    }
  }

  @Test func announcesAgainAfterTheCableWasUnplugged() async throws {
    try await withNeighbours { here, there, server in
      let point = try await SSDPProbe(on: there.loop, device: "eth0")
      try here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
      try await point.wait { $0.usns("ssdp:alive", from: "192.0.2.1").count == 9 }
      try here.ip("link", "set", "eth0", "down")
      point.forget()
      try here.ip("link", "set", "eth0", "up")
      try await point.wait { $0.usns("ssdp:alive", from: "192.0.2.1").count == 9 }
      #expect(point.notifications("ssdp:alive").allSatisfy { $0.field("BOOTID.UPNP.ORG") == "11" })
      // A control point that was playing keeps the device.
      #expect(point.notifications("ssdp:byebye").isEmpty)
    }
  }

  @Test func takesTheOldAddressBack() async throws {
    try await withNeighbours { here, there, server in
      let point = try await SSDPProbe(on: there.loop, device: "eth0")
      try here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
      try await point.wait { $0.usns("ssdp:alive", from: "192.0.2.1").count == 9 }
      point.forget()
      try here.ip("address", "delete", "192.0.2.1/24", "dev", "eth0")
      try here.ip("address", "add", "192.0.2.7/24", "dev", "eth0")
      try await point.wait { $0.usns("ssdp:alive", from: "192.0.2.7").count == 9 }
      let byebye = try #require(point.heard.lastIndex { $0.nts == "ssdp:byebye" })
      let alive = try #require(point.heard.firstIndex { $0.nts == "ssdp:alive" })
      #expect(byebye < alive)
      #expect(point.usns("ssdp:byebye", from: "192.0.2.7").count == 9)
      point.forget()
      try await point.search("upnp:rootdevice", to: "192.0.2.7")
      try await point.search("upnp:rootdevice")
      try await point.wait { $0.answers.count == 4 }
      #expect(Set(point.answers.map { $0.locationHost }) == ["192.0.2.7"])
    }
  }

  /// With two networks, a change on one shows on the other only as a new BOOTID (UDA 1.1 §1.2.2).
  @Test func sendsByebyeOnlyForLostAnnouncements() async throws {
    try await withNeighbours { here, there, server in
      try here.connect("eth1", to: there, "eth1")
      try there.ip("address", "add", "198.51.100.2/24", "dev", "eth1")
      try there.ip("link", "set", "eth1", "up")
      let first = try await SSDPProbe(on: there.loop, device: "eth0")
      let second = try await SSDPProbe(on: there.loop, device: "eth1")
      try here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
      try await first.wait { $0.usns("ssdp:alive", from: "192.0.2.1").count == 9 }
      first.forget()
      try here.ip("address", "add", "198.51.100.1/24", "dev", "eth1")
      try here.ip("link", "set", "eth1", "up")
      try await second.wait { $0.usns("ssdp:alive", from: "198.51.100.1").count == 9 }
      try await first.wait {
        $0.notifications("ssdp:alive").filter { $0.field("BOOTID.UPNP.ORG") == "11" }.count >= 9
      }
      let updates = first.notifications("ssdp:update")
      #expect(Set(updates.compactMap { $0.field("USN") }).count == 9)
      #expect(updates.allSatisfy { $0.field("BOOTID.UPNP.ORG") == "10" && $0.field("NEXTBOOTID.UPNP.ORG") == "11" })
      #expect(second.notifications("ssdp:update").isEmpty)
      #expect(Set(second.notifications("ssdp:alive").map { $0.locationHost }) == ["198.51.100.1"])
      first.forget()
      try here.ip("link", "delete", "eth1")
      try await first.search("uuid:00000000-0000-0000-0000-00000000000a")
      try await first.wait { $0.answers.count == 1 }
      #expect(first.notifications("ssdp:byebye").isEmpty)
    }
  }

  /// Since 6.7, kernels deliver a multicast to any socket of a SO_REUSEPORT group, on whichever interface it joined.
  @Test func answersWithTheAddressOfTheInterfaceThatTheSearchCameInOn() async throws {
    try await withNeighbours { here, there, server in
      try here.connect("eth1", to: there, "eth1")
      try here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
      try here.ip("address", "add", "198.51.100.1/24", "dev", "eth1")
      try here.ip("link", "set", "eth1", "up")
      try there.ip("address", "add", "198.51.100.2/24", "dev", "eth1")
      try there.ip("link", "set", "eth1", "up")
      // The kernel's choice also depends on the sender's port, so try several.
      for _ in 0..<8 {
        for (device, address) in [("eth0", "192.0.2.1"), ("eth1", "198.51.100.1")] {
          let point = try await SSDPProbe(on: there.loop, device: device)
          try await waitUntil {
            try await point.search("upnp:rootdevice")
            try await Task.sleep(for: .milliseconds(100))
            return !point.answers.isEmpty
          }
          #expect(Set(point.answers.map(\.locationHost)) == [address])
          try await point.close()
        }
      }
    }
  }

  /// Two machines connected by a cable, the first without an address, and a server that follows the first's monitor.
  private func withNeighbours(
    _ body: (NetworkNamespace, NetworkNamespace, TestServer) async throws -> Void
  ) async throws {
    try await withNamespace { here in
      try await withNamespace { there in
        try here.connect("eth0", to: there, "eth0")
        try here.ip("link", "set", "eth0", "up")
        try there.ip("address", "add", "192.0.2.2/24", "dev", "eth0")
        try there.ip("link", "set", "eth0", "up")
        let server = try await TestServer(on: here.loop)
        let monitor = try await TestMonitor(on: here.loop) { server.useOnLoop($0) }
        try await body(here, there, server)
        try await server.stop()
        try await monitor.stop()
      }
    }
  }
}

extension SSDPProbe {
  /// The USNs of the notifications of one kind from an address, which LOCATION, if present, has to match.
  fileprivate func usns(_ nts: String, from address: String) -> Set<String> {
    Set(
      notifications(nts).filter { $0.sender.ipAddress == address && [nil, address].contains($0.locationHost) }
        .compactMap { $0.field("USN") })
  }
}
