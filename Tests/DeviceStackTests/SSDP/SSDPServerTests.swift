import Glibc
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import DeviceStack

@Suite(.enabled(if: NetworkNamespace.isAvailable), .serialized)
struct SSDPServerTests {
  @Test func announcesItselfOnLoopback() async throws {
    try await withNamespace { namespace in
      let point = try await ControlPoint(on: namespace.loop, device: "lo")
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
      for (_, text) in SearchRequestTests.silentSearches { try await point.send(text.utf8) }
      try await point.send((0...255).map { UInt8($0) })
      try await point.send([UInt8](repeating: 0x41, count: 60000))
      try await point.send(
        "M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\nST: \(String(repeating: "a", count: 9000))\r\n\r\n"
          .utf8)
      // What comes after them is answered, and nothing else is.
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

  /// GSSDP is what GUPnP's control points search with.
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
      // Another program, with a socket on every address.
      let other = try await DatagramBootstrap(group: namespace.loop)
        .channelOption(.socketOption(.so_reuseaddr), value: 1).bind(host: "0.0.0.0", port: 1900).get()
      let point = try await ControlPoint(on: namespace.loop, device: "lo")
      let server = try await TestServer(on: namespace.loop)
      try await server.use(.appeared(loopback))
      for _ in 0..<3 { try await point.search("uuid:00000000-0000-0000-0000-00000000000b", to: "127.0.0.1") }
      try await point.search("uuid:00000000-0000-0000-0000-00000000000a")
      try await point.wait { $0.answers.count >= 4 }
      try await server.stop()
      try await other.close()
    }
  }

  /// No default route, no route for multicasts: what a cable between two machines has.
  @Test func worksOverACable() async throws {
    try await withNamespace { here in
      try await withNamespace { there in
        try here.connect("left0", to: there, "right0")
        try here.ip("address", "add", "10.9.0.1/24", "dev", "left0")
        try here.ip("link", "set", "left0", "up")
        try there.ip("address", "add", "10.9.0.2/24", "dev", "right0")
        try there.ip("link", "set", "right0", "up")
        let index = try await here.loop.submit { Int(if_nametoindex("left0")) }.get()
        let point = try await ControlPoint(on: there.loop, device: "right0")
        let server = try await TestServer(on: here.loop)
        try await server.use(
          .appeared(NetworkInterface(index: index, name: "left0", address: "10.9.0.1", prefixLength: 24)))
        try await point.wait { $0.notifications("ssdp:alive").count >= 2 * 9 }
        try await point.search("ssdp:all")
        try await point.search("ssdp:all", mx: nil, to: "10.9.0.1")
        try await point.wait { $0.answers.count >= 2 * 9 }
        #expect(Set((point.answers + point.notifications("ssdp:alive")).map { $0.locationHost }) == ["10.9.0.1"])
        #expect(Set((point.answers + point.notifications("ssdp:alive")).map { $0.sender.ipAddress }) == ["10.9.0.1"])
        try await server.stop()
        try await point.wait { $0.notifications("ssdp:byebye").count >= 4 * 9 }
      }
    }
  }

  private func withServer(
    _ body: (TestServer, ControlPoint, NetworkNamespace) async throws -> Void
  ) async throws {
    try await withNamespace { namespace in
      let point = try await ControlPoint(on: namespace.loop, device: "lo")
      let server = try await TestServer(on: namespace.loop)
      try await server.use(.appeared(loopback))
      try await point.wait { !$0.notifications("ssdp:alive").isEmpty }
      try await body(server, point, namespace)
      try await server.stop()
      try await point.close()
    }
  }
}
