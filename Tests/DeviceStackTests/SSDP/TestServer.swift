import Logging
import NIOCore
import UPnP

@testable import DeviceStack

let loopback = NetworkInterface(index: 1, name: "lo", address: "127.0.0.1", prefixLength: 8)

let testDevices = [
  Advertisement(
    udn: "uuid:00000000-0000-0000-0000-00000000000a",
    deviceType: URN(domain: "schemas-upnp-org", kind: .device, name: "MediaRenderer", version: 1),
    serviceTypes: [
      URN(domain: "schemas-upnp-org", kind: .service, name: "AVTransport", version: 2),
      URN(domain: "schemas-upnp-org", kind: .service, name: "RenderingControl", version: 1),
    ], descriptionPath: "/av/description.xml", configID: 7),
  Advertisement(
    udn: "uuid:00000000-0000-0000-0000-00000000000b",
    deviceType: URN(domain: "av-openhome-org", kind: .device, name: "Source", version: 1),
    serviceTypes: [URN(domain: "av-openhome-org", kind: .service, name: "Product", version: 4)],
    descriptionPath: "/oh/description.xml", configID: 8),
]

/// An SSDP server on an event loop, with methods for callers outside the loop.
final class TestServer: Sendable {
  private let server: NIOLoopBound<SSDPServer>
  private let loop: any EventLoop

  init(on loop: any EventLoop, devices: [Advertisement] = testDevices) async throws {
    self.loop = loop
    server = try await loop.submit {
      NIOLoopBound(
        SSDPServer(
          eventLoop: loop, advertisements: devices,
          settings: SSDPSettings(product: "Linux/5.10 UPnP/1.1 Test/1.0", httpPort: 49152, bootID: 10),
          logger: Logger(label: "test")), eventLoop: loop)
    }.get()
  }

  func use(_ change: InterfaceChange) async throws {
    try await loop.submit { [server] in server.value.use(change) }.get()
  }

  func useOnLoop(_ change: InterfaceChange) { server.value.use(change) }

  func update(_ devices: [Advertisement]) async throws {
    try await loop.submit { [server] in server.value.update(devices) }.get()
  }

  func stop() async throws { try await loop.flatSubmit { [server] in server.value.stop() }.get() }
}
