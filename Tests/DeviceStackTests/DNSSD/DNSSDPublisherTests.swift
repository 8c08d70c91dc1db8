import Foundation
import Logging
import NIOCore
import NetworkTesting
import Testing

@testable import DeviceStack

/// Fails in CI if the programs for these tests are missing, because CI must not skip them.
@Test(.enabled(if: ProcessInfo.processInfo.environment["CI"] != nil))
func avahiIsAvailable() {
  #expect(AvahiDaemon.isAvailable)
}

@Suite(.enabled(if: AvahiDaemon.isAvailable), .serialized, .timeLimit(.minutes(3)))
struct DNSSDPublisherTests {
  @Test func announcesWheneverThereIsADaemon() async throws {
    try await withDaemons { daemon, _ in
      let publisher = DNSSDPublisher(services: [service], logger: Logger(label: "test"))
      publisher.start()
      defer { publisher.stop() }
      try await daemon.startBus()
      try daemon.startDaemon()
      try await waitUntil { daemon.browse("_openhome._tcp") == [announced] }
      // The daemon restarts, as after an update of its package.
      daemon.stopDaemon()
      try daemon.startDaemon()
      try await waitUntil { daemon.browse("_openhome._tcp") == [announced] }
      daemon.stopDaemon()
      daemon.stopBus()
      try await daemon.startBus()
      try daemon.startDaemon()
      try await waitUntil { daemon.browse("_openhome._tcp") == [announced] }
      var other = service
      other.name = "Bath"
      other.port = 80
      other.txt = []
      publisher.publish([other])
      try await waitUntil { daemon.browse("_openhome._tcp") == ["Bath 192.0.2.1 80 "] }
      publisher.stop()
      try await waitUntil { daemon.browse("_openhome._tcp") == [] }
    }
  }

  @Test func takesAnotherNameWhereOneIsTaken() async throws {
    try await withDaemons { daemon, other in
      for each in [daemon, other] {
        try await each.startBus()
        try each.startDaemon()
      }
      // The program waits until the daemon is up.
      let neighbour = try other.start("avahi-publish-service", "--no-fail", "Kitchen", "_openhome._tcp", "81")
      defer { neighbour.end() }
      try await waitUntil { other.browse("_openhome._tcp") == ["Kitchen 192.0.2.2 81 "] }
      let publisher = DNSSDPublisher(services: [service], logger: Logger(label: "test"))
      publisher.start()
      defer { publisher.stop() }
      try await waitUntil { other.browse("_openhome._tcp").count == 2 }
      #expect(
        other.browse("_openhome._tcp") == [
          "Kitchen 192.0.2.2 81 ", announced.replacing("Kitchen", with: #"Kitchen\032\0352"#),
        ])
    }
  }

  private let service = DNSSDService(
    name: "Kitchen", type: "_openhome._tcp", port: 49152,
    txt: ["upnp=http://192.0.2.1:49152/oh/description.xml", "v=1"])
  private let announced = #"Kitchen 192.0.2.1 49152 "upnp=http://192.0.2.1:49152/oh/description.xml" "v=1""#

  /// Two connected machines with the prerequisites of an Avahi daemon on each.
  private func withDaemons(_ body: (AvahiDaemon, AvahiDaemon) async throws -> Void) async throws {
    try await withNamespace { here in
      try await withNamespace { there in
        try here.connect("eth0", to: there, "eth0")
        for (namespace, address) in [(here, "192.0.2.1/24"), (there, "192.0.2.2/24")] {
          try namespace.ip("address", "add", address, "dev", "eth0")
          try namespace.ip("link", "set", "eth0", "up")
        }
        let daemons = (
          try AvahiDaemon(in: here, socket: Self.socket), try AvahiDaemon(in: there, socket: "\(Self.socket)-other")
        )
        defer {
          daemons.0.stop()
          daemons.1.stop()
        }
        try await body(daemons.0, daemons.1)
      }
    }
  }

  /// The socket of the system bus; shared, because the D-Bus library reads its address only once.
  private static let socket: String = {
    let path = "\(NSTemporaryDirectory())/bus-\(ProcessInfo.processInfo.processIdentifier)"
    setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=\(path)", 1)
    return path
  }()
}
