import DeviceStack
import Logging
import NIOCore
import Playback
import PlaybackEngine
import PlaybackModel
import Providers
import ServiceLifecycle
import UPnP

/// The devices on the network, for as long as the program runs.
struct HostService: Service {
  /// Interfaces that are there at the start are known by then; without one, whoever looks on is told.
  private static let networkTime = TimeAmount.seconds(1)
  /// A machine without a network is not kept from starting whatever waits for this program.
  private static let readyTime = TimeAmount.seconds(20)

  let eventLoop: any EventLoop
  let player: Player
  let memory: Memory
  let hooks: HookService
  let reporter: StatusReporter
  let hasMetrics: Bool
  let settings: DeviceHostSettings
  let name: String
  /// The OpenHome device's friendly name.
  let openHomeName: String
  let room: String?
  /// At the start.
  let presets: [RadioPreset]
  /// Has the configuration's presets read again, which `changes` tells.
  let refreshPresets: @Sendable () -> Void
  /// Of the AV device.
  let uuid: UUID
  let identity: DeviceIdentity
  /// What changes while it runs.
  let changes: AsyncStream<Configuration>
  let manager: ServiceManager
  let logger: Logger

  func run() async throws {
    let (bootIDs, bootID) = AsyncStream.makeStream(of: Int.self)
    let (host, openHome, radio, port) = try await eventLoop.flatSubmit { start(bootID) }.get()
    identity.keep(port: port)
    try await withThrowingTaskGroup { group in
      // The disk is written to from here: the event loop waits for nothing.
      group.addTask { for await bootID in bootIDs { identity.keep(bootID: bootID) } }
      group.addTask {
        for await configuration in changes.cancelOnGracefulShutdown() {
          eventLoop.execute {
            host.value.trust(configuration.hostPolicy, configuration.callbackPolicy)
            radio.value.setPresets(configuration.presets)
            let name = configuration.speakerName
            openHome.value.update(name: name, room: configuration.room)
            host.value.rename([name, configuration.openHomeName])
            reporter.rename(name)
          }
        }
      }
      try? await gracefulShutdown()
      manager.notify(.stopping, .status("Taking leave"))
      try await eventLoop.flatSubmit { host.value.stop() }.get()
      bootID.finish()
    }
  }

  /// On the event loop: the devices, and the player's changes to their services.
  private func start(
    _ bootID: AsyncStream<Int>.Continuation
  ) -> EventLoopFuture<(NIOLoopBound<DeviceHost>, NIOLoopBound<OpenHomeDevice>, NIOLoopBound<RadioSource>, port: Int)> {
    memory.attach(to: player)
    hooks.attach()
    let protocolInfo = ProtocolInfo.sink(mimeTypes: SupportedFormats.mimeTypes())
    let playlist = NIOLoopBound(memory.playlist(on: player), eventLoop: eventLoop)
    let radio = NIOLoopBound(memory.radio(on: player, presets: presets), eventLoop: eventLoop)
    let av = NIOLoopBound(
      AVDevice(player: player, name: name, uuid: uuid, protocolInfo: protocolInfo), eventLoop: eventLoop)
    let openHome = NIOLoopBound(
      OpenHomeDevice(
        player: player, sources: .init(playlist: playlist.value, radio: radio.value, pins: memory.pins()), name: name,
        friendlyName: openHomeName, room: room, uuid: identity.sourceUUID, protocolInfo: protocolInfo,
        eventLoop: eventLoop, refreshPresets: refreshPresets),
      eventLoop: eventLoop)
    player.immediately { player in
      _ = player.observe(.playlist) { changes in
        playlist.value.update(changes)
        openHome.value.updatePlaylist()
      }
      _ = player.observe(.radio) { _ in openHome.value.updateRadio() }
      _ = player.observe(.upnpAV) { av.value.update($0) }
      _ = player.observe { openHome.value.update($0) }
    }
    let host = NIOLoopBound(
      DeviceHost(
        eventLoop: eventLoop, settings: settings, devices: [av.value.root, openHome.value.root], logger: logger),
      eventLoop: eventLoop)
    // The host is held by this service for as long as it runs, and by nothing that it holds itself.
    host.value.onInterfaceChange = { [unowned host = host.value] change in
      openHome.value.networkChanged(server: host.interfaces.first.map(host.serverURL))
      Announcer.say(change, host: host)
      reporter.networkChanged(
        host.interfaces.map {
          StatusReport.Interface(name: $0.name, address: $0.address, urls: host.descriptionURLs(on: $0))
        })
      tellStatus(host)
    }
    player.immediately { player in
      _ = player.observe { [player] changes in
        guard changes.contains(.output) else { return }
        Announcer.say(player.immediately { $0.output })
        tellStatus(host.value)
      }
    }
    if hasMetrics {
      host.value.serve(Metrics.path, contentType: Metrics.contentType) {
        Metrics.text(reporter.report(), process: .current())
      }
    }
    let late = eventLoop.assumeIsolated().scheduleTask(in: Self.readyTime) { manager.notify(.ready) }
    host.value.onAnnounced = {
      late.cancel()
      manager.notify(.ready)
    }
    host.value.onCrowdGone = ProcessMemory.giveBack
    host.value.onBootID = { bootID.yield($0) }
    eventLoop.assumeIsolated().scheduleTask(in: Self.networkTime) {
      guard host.value.interfaces.isEmpty else { return }
      Announcer.waitingForNetwork(settings.interfaces.names)
      tellStatus(host.value)
    }
    return host.value.start().map { (host, openHome, radio, $0) }
  }

  /// On the event loop.
  private func tellStatus(_ host: DeviceHost) {
    manager.notify(.status(Announcer.status(host.interfaces, player.immediately { $0.output })))
  }
}
