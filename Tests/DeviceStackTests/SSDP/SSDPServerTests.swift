import Glibc
import Logging
import NIOCore
import NIOPosix
import NetworkTesting
import Testing
import UPnP

@testable import DeviceStack

@Suite(.enabled(if: NetworkNamespace.isAvailable), .serialized)
struct SSDPServerTests {
  @Test func announcesItselfOnLoopback() async throws {
    try await withNamespace { namespace in
      let point = try await SSDPProbe(on: namespace.loop, device: "lo")
      let server = try await TestServer(on: namespace.loop)
      try await server.use(.appeared(loopback))
      try await point.wait { $0.notifications("ssdp:alive").count >= 3 * 9 }
      let firstAlive = try #require(point.heard.firstIndex { $0.nts == "ssdp:alive" })
      let lastByebye = try #require(point.heard.lastIndex { $0.nts == "ssdp:byebye" })
      #expect(lastByebye < firstAlive)
      #expect(Set(point.notifications("ssdp:alive").compactMap { $0.field("USN") }).count == 9)
      #expect(Set(point.heard.map { $0.sender.port }) == [1900])
      #expect(Set(point.notifications("ssdp:alive").map { $0.locationHost }) == ["127.0.0.1"])
      point.forget()
      try await server.stop()
      try await point.wait { $0.notifications("ssdp:byebye").count >= 2 * 9 }
      #expect(point.notifications("ssdp:byebye").count == 2 * 9)
      #expect(point.notifications("ssdp:alive").isEmpty)
      try await point.close()
    }
  }

  @Test(arguments: ["239.255.255.250", "127.0.0.1"])
  func answersSearchesOnLoopback(address: String) async throws {
    try await withServer { server, point, _ in
      let start = NIODeadline.now()
      try await point.search("ssdp:all", mx: address.hasPrefix("127") ? nil : "2", to: address)
      try await point.wait { $0.answers.count >= 9 }
      #expect(point.answers.count == 9)
      #expect(Set(point.answers.compactMap { $0.field("USN") }).count == 9)
      #expect(Set(point.answers.map { $0.locationHost }) == ["127.0.0.1"])
      #expect(Set(point.answers.map { $0.sender.ipAddress }) == ["127.0.0.1"])
      #expect(point.answers.allSatisfy { $0.field("EXT") == "" && $0.field("DATE")?.hasSuffix(" GMT") == true })
      let last = try #require(point.answers.map(\.time).max())
      #expect(last - start < .seconds(2))
    }
  }

  @Test func staysSilent() async throws {
    try await withServer { server, point, _ in
      for (_, text) in silentSearches { try await point.send(text.utf8) }
      try await point.send((0...255).map { UInt8($0) })
      try await point.send([UInt8](repeating: 0x41, count: 60000))
      try await point.send(
        "M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\nST: \(String(repeating: "a", count: 9000))\r\n\r\n"
          .utf8)
      // The search after them is answered, and nothing else is.
      try await point.search("upnp:rootdevice", to: "127.0.0.1")
      try await point.wait { $0.answers.count >= 2 }
      try await point.search("urn:av-openhome-org:service:Product:3")
      try await point.wait { $0.answers.count >= 3 }
      #expect(
        point.answers.map { $0.field("ST") } == [
          "upnp:rootdevice", "upnp:rootdevice", "urn:av-openhome-org:service:Product:3",
        ])
    }
  }

  /// GUPnP's control points use GSSDP to search.
  @Test func gssdpFindsIt() async throws {
    try await withServer { server, point, namespace in
      let found = try run(
        "ip", "netns", "exec", namespace.name, "gssdp-discover", "-i", "lo", "--timeout=3", "--rescan-interval=0")
      for usn in testDevices.flatMap(\.announcements).map(\.usn) { #expect(found.contains("  USN:      \(usn)\n")) }
      #expect(found.contains("http://127.0.0.1:49152/av/description.xml"))
    }
  }

  @Test func sharesThePortAndHearsUnicastSearches() async throws {
    try await withNamespace { namespace in
      // Another program has a socket on the wildcard address.
      let other = try await Self.bind(on: namespace.loop, options: [.socketOption(.so_reuseaddr)])
      let point = try await SSDPProbe(on: namespace.loop, device: "lo")
      let server = try await TestServer(on: namespace.loop)
      try await server.use(.appeared(loopback))
      for _ in 0..<3 { try await point.search("uuid:00000000-0000-0000-0000-00000000000b", to: "127.0.0.1") }
      try await point.search("uuid:00000000-0000-0000-0000-00000000000a")
      try await point.wait { $0.answers.count >= 4 }
      try await server.stop()
      try await other.close()
    }
  }

  /// Two machines connected by a cable have no default route and no multicast route.
  @Test func worksOverACable() async throws {
    try await withCable { here, there, interface in
      let point = try await SSDPProbe(on: there.loop, device: "eth0")
      let server = try await TestServer(on: here.loop)
      try await server.use(.appeared(interface))
      try await point.wait { $0.notifications("ssdp:alive").count >= 2 * 9 }
      try await point.search("ssdp:all")
      try await point.search("ssdp:all", mx: nil, to: "192.0.2.1")
      try await point.wait { $0.answers.count >= 2 * 9 }
      let messages = point.answers + point.notifications("ssdp:alive")
      #expect(Set(messages.map { $0.locationHost }) == ["192.0.2.1"])
      #expect(Set(messages.map { $0.sender.ipAddress }) == ["192.0.2.1"])
      try await server.stop()
      try await point.wait { $0.notifications("ssdp:byebye").count >= 4 * 9 }
    }
  }

  @Test func answersEverySearchOfABurst() async throws {
    try await withServer { _, point, _ in
      for _ in 0..<50 { try await point.search("upnp:rootdevice", to: "127.0.0.1") }
      try await point.wait { $0.answers.count == 50 * 2 }
    }
  }

  /// Another program holds the port exclusively: the server still announces, and receives once the program is gone.
  @Test func announcesWithoutPort1900() async throws {
    try await withCable { here, there, interface in
      let holder = try await Self.bind(on: here.loop, options: [])
      let point = try await SSDPProbe(on: there.loop, device: "eth0")
      let server = try await TestServer(on: here.loop)
      try await server.use(.appeared(interface))
      try await point.wait { $0.notifications("ssdp:alive").count >= 9 }
      try await holder.close()
      try await waitUntil {
        try await point.search("upnp:rootdevice")
        try await point.search("upnp:rootdevice", to: "192.0.2.1")
        try await Task.sleep(for: .milliseconds(200))
        return point.answers.count >= 4
      }
      #expect(point.answers.allSatisfy { $0.sender.port == 1900 })
      try await server.stop()
    }
  }

  /// Another program's socket on port 1900, created on the loop, whose thread is in the namespace.
  private static func bind(
    on loop: any EventLoop, options: [ChannelOptions.Types.SocketOption]
  ) async throws -> any Channel {
    try await loop.flatSubmit {
      options.reduce(DatagramBootstrap(group: loop)) { $0.channelOption($1, value: 1) }
        .bind(host: "0.0.0.0", port: 1900)
    }.get()
  }

  /// Two machines connected by a cable, and the interface of the first.
  private func withCable(
    _ body: (NetworkNamespace, NetworkNamespace, NetworkInterface) async throws -> Void
  ) async throws {
    try await withNamespace { here in
      try await withNamespace { there in
        try here.connect("eth0", to: there, "eth0")
        for (namespace, address) in [(here, "192.0.2.1/24"), (there, "192.0.2.2/24")] {
          try namespace.ip("address", "add", address, "dev", "eth0")
          try namespace.ip("link", "set", "eth0", "up")
        }
        let index = try await here.loop.submit { Int(if_nametoindex("eth0")) }.get()
        try await body(
          here, there, NetworkInterface(index: index, name: "eth0", address: "192.0.2.1", prefixLength: 24))
      }
    }
  }

  private func withServer(
    _ body: (TestServer, SSDPProbe, NetworkNamespace) async throws -> Void
  ) async throws {
    try await withNamespace { namespace in
      let point = try await SSDPProbe(on: namespace.loop, device: "lo")
      let server = try await TestServer(on: namespace.loop)
      try await server.use(.appeared(loopback))
      try await point.wait { !$0.notifications("ssdp:alive").isEmpty }
      try await body(server, point, namespace)
      try await server.stop()
      try await point.close()
    }
  }
}
