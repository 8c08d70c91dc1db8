import DeviceStack
import Logging
import NIOCore
import Playback
import ServiceLifecycle

/// The devices on the network, for as long as the program runs.
struct HostService: Service {
  let eventLoop: any EventLoop
  let player: Player
  let settings: DeviceHostSettings
  let name: String
  let uuid: UUID
  let logger: Logger
  /// Told the port once it is known.
  let onPort: @Sendable (Int) -> Void

  func run() async throws {
    let (host, port) = try await eventLoop.flatSubmit { start() }.get()
    onPort(port)
    try? await gracefulShutdown()
    try await eventLoop.flatSubmit { host.value.stop() }.get()
  }

  /// On the event loop.
  private func start() -> EventLoopFuture<(NIOLoopBound<DeviceHost>, Int)> {
    do {
      let device = AVDevice(player: player, name: name, uuid: uuid)
      let bound = NIOLoopBound(device, eventLoop: eventLoop)
      _ = player.immediately { $0.observe { bound.value.update($0) } }
      let host = try DeviceHost(eventLoop: eventLoop, settings: settings, devices: [device.root], logger: logger)
      let boundHost = NIOLoopBound(host, eventLoop: eventLoop)
      return host.start().map { port in
        boundHost.value.onInterfaceChange = { print(change: $0, port: port, host: boundHost.value) }
        return (boundHost, port)
      }
    } catch {
      return eventLoop.makeFailedFuture(error)
    }
  }
}
