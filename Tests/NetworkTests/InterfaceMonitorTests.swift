import Foundation
import NIOCore
import NetworkTesting
import Testing

@testable import Network

/// Namespaces need root. CI has it, so these tests must not be skipped there.
@Test(.enabled(if: ProcessInfo.processInfo.environment["CI"] != nil))
func namespacesAreAvailable() {
  #expect(NetworkNamespace.isAvailable)
}

@Suite(.enabled(if: NetworkNamespace.isAvailable), .timeLimit(.minutes(2)))
struct InterfaceMonitorTests {
  @Test func followsALinkFromNothingToNothing() async throws {
    try await withCable { here, there, monitor in
      try here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
      try await monitor.expect("+eth0 192.0.2.1")
      // Unplug and replug the cable.
      try there.ip("link", "set", "eth0", "down")
      try await monitor.expect("-eth0 192.0.2.1")
      try there.ip("link", "set", "eth0", "up")
      try await monitor.expect("+eth0 192.0.2.1")
      // Switch the interface off and on.
      try here.ip("link", "set", "eth0", "down")
      try await monitor.expect("-eth0 192.0.2.1")
      try here.ip("link", "set", "eth0", "up")
      try await monitor.expect("+eth0 192.0.2.1")
      #expect(try await monitor.current().map(\.address) == ["192.0.2.1"])
      try here.ip("link", "delete", "eth0")
      try await monitor.expect("-eth0 192.0.2.1")
      #expect(try await monitor.current() == [])
    }
  }

  @Test func followsAddresses() async throws {
    try await withCable { here, there, monitor in
      // At first, no DHCP server answers.
      try here.ip("address", "add", "169.254.7.7/16", "dev", "eth0", "scope", "link")
      try await monitor.expect("+eth0 169.254.7.7")
      try here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
      try await monitor.expect("-eth0 169.254.7.7!", "+eth0 192.0.2.1")
      // A second address changes nothing until it is the only one.
      try here.ip("address", "add", "198.51.100.1/24", "dev", "eth0")
      try here.ip("address", "delete", "169.254.7.7/16", "dev", "eth0")
      try here.ip("address", "delete", "192.0.2.1/24", "dev", "eth0")
      try await monitor.expect("-eth0 192.0.2.1", "+eth0 198.51.100.1")
      // A new name or a longer prefix is not reported.
      try here.ip("link", "set", "eth0", "down")
      try here.ip("link", "set", "eth0", "name", "lan0")
      try here.ip("link", "set", "lan0", "up")
      try await monitor.expect("-eth0 198.51.100.1", "+lan0 198.51.100.1")
      try here.ip("address", "flush", "dev", "lan0")
      try await monitor.expect("-lan0 198.51.100.1")
    }
  }

  @Test func takesOneInterfaceOfASubnet() async throws {
    try await withCable { here, there, monitor in
      try here.connect("eth1", to: there, "eth1")
      try there.ip("link", "set", "eth1", "up")
      try here.ip("address", "add", "192.0.2.2/24", "dev", "eth1")
      try here.ip("link", "set", "eth1", "up")
      try await monitor.expect("+eth1 192.0.2.2")
      try here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
      try here.ip("address", "add", "203.0.113.1/24", "dev", "lo")
      try there.ip("link", "set", "eth1", "down")
      try await monitor.expect("-eth1 192.0.2.2", "+eth0 192.0.2.1")
    }
  }

  @Test func excludesVirtualInterfaces() async throws {
    try await withCable { here, there, monitor in
      try here.ip("link", "add", "docker0", "type", "bridge")
      try here.connect("vethab12", to: there, "container0")
      try there.ip("link", "set", "container0", "up")
      try here.ip("link", "set", "vethab12", "master", "docker0", "up")
      try here.ip("address", "add", "198.51.100.1/24", "dev", "docker0")
      try here.ip("link", "set", "docker0", "up")
      try here.connect("veth7", to: there, "container1")
      try there.ip("link", "set", "container1", "up")
      try here.ip("address", "add", "203.0.113.1/24", "dev", "veth7")
      try here.ip("link", "set", "veth7", "up")
      try here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
      try await monitor.expect("+eth0 192.0.2.1")
      let named = try await TestMonitor(on: here.loop, names: ["docker0", "veth7", "lo"])
      try await waitUntil { try await named.current().map(\.name) == ["lo", "docker0", "veth7"] }
      try await named.stop()
    }
  }

  /// ENOBUFS: the kernel's buffer for a slow reader is limited.
  @Test func recoversAfterMessagesWereLost() async throws {
    try await withCable { here, there, monitor in
      try here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
      try await monitor.expect("+eth0 192.0.2.1")
      let blocked = DispatchSemaphore(value: 0)
      here.loop.execute { blocked.wait() }
      let changes = (1...1500).map {
        "link set eth0 mtu \(1500 - $0 % 2)\naddress add 198.51.100.\(1 + $0 % 250)/32 dev lo\naddress delete 198.51.100.\(1 + $0 % 250)/32 dev lo\n"
      }
      try here.batch(changes.joined() + "address delete 192.0.2.1/24 dev eth0\naddress add 192.0.2.3/24 dev eth0\n")
      blocked.signal()
      try await monitor.expect("-eth0 192.0.2.1", "+eth0 192.0.2.3")
      try here.ip("address", "delete", "192.0.2.3/24", "dev", "eth0")
      try await monitor.expect("-eth0 192.0.2.3")
    }
  }

  /// Two machines connected from eth0 to eth0, up and without addresses, and a monitor on the first machine.
  private func withCable(
    _ body: (NetworkNamespace, NetworkNamespace, TestMonitor) async throws -> Void
  ) async throws {
    try await withNamespace { here in
      try await withNamespace { there in
        try here.connect("eth0", to: there, "eth0")
        try here.ip("link", "set", "eth0", "up")
        try there.ip("link", "set", "eth0", "up")
        let monitor = try await TestMonitor(on: here.loop)
        try await body(here, there, monitor)
        try await monitor.stop()
      }
    }
  }
}
