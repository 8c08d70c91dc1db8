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

  /// The devices, and the radio whose presets the configuration holds.
  private struct Devices {
    let av: AVDevice
    let openHome: OpenHomeDevice
    let radio: RadioSource
  }

  func run() async throws {
    let (bootIDs, bootID) = AsyncStream.makeStream(of: Int.self)
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let late = eventLoop.scheduleTask(in: Self.readyTime) { manager.notify(.ready) }
    let devices = try await eventLoop.submit { NIOLoopBound(makeDevices(), eventLoop: eventLoop) }.get()
    let host = DeviceHost(
      settings: settings, eventLoop: eventLoop, logger: logger,
      onEvent: { host, event in
        switch event {
        case .listening(let number): port.yield(number)
        case .announced:
          late.cancel()
          manager.notify(.ready)
        case .interfaceChanged(let change): networkChanged(change, host: host, openHome: devices.value.openHome)
        case .bootIDChanged(let number): bootID.yield(number)
        case .connectionBurstEnded: ProcessMemory.giveBack()
        }
      }, devices: { _ in [devices.value.av.root, devices.value.openHome.root] })
    await prepare(host)
    try await withThrowingTaskGroup { group in
      // The disk is written to from here: the event loop waits for nothing.
      group.addTask { for await bootID in bootIDs { identity.keep(bootID: bootID) } }
      group.addTask { for await port in ports { identity.keep(port: port) } }
      group.addTask {
        for await configuration in changes.cancelOnGracefulShutdown() {
          await apply(configuration, to: host, devices)
        }
      }
      group.addTask {
        try? await gracefulShutdown()
        if !Task.isCancelled { manager.notify(.stopping, .status("Taking leave")) }
      }
      defer {
        bootID.finish()
        port.finish()
      }
      try await host.run()
    }
  }

  /// On the event loop: the devices, and the player's changes to their services.
  private func makeDevices() -> Devices {
    memory.attach(to: player)
    hooks.attach()
    let protocolInfo = ProtocolInfo.sink(mimeTypes: SupportedFormats.mimeTypes())
    let playlist = NIOLoopBound(memory.playlist(on: player), eventLoop: eventLoop)
    let radio = memory.radio(on: player, presets: presets)
    let av = NIOLoopBound(
      AVDevice(player: player, name: name, uuid: uuid, protocolInfo: protocolInfo), eventLoop: eventLoop)
    let openHome = NIOLoopBound(
      OpenHomeDevice(
        player: player, sources: .init(playlist: playlist.value, radio: radio, pins: memory.pins()), name: name,
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
    return Devices(av: av.value, openHome: openHome.value, radio: radio)
  }

  /// Before the host runs: what it serves beside the devices, and who is told of its state.
  private func prepare(_ host: isolated DeviceHost) {
    player.immediately { player in
      _ = player.observe { [player] changes in
        guard changes.contains(.output) else { return }
        Announcer.say(player.immediately { $0.output })
        host.assumeIsolated { tellStatus($0) }
      }
    }
    if hasMetrics {
      host.serve(Metrics.path, contentType: Metrics.contentType) {
        Metrics.text(reporter.report(), process: .current())
      }
    }
    eventLoop.scheduleTask(in: Self.networkTime) {
      host.assumeIsolated { host in
        guard host.interfaces.isEmpty else { return }
        Announcer.waitingForNetwork(settings.interfaces.names)
        tellStatus(host)
      }
    }
  }

  private func networkChanged(_ change: InterfaceChange, host: isolated DeviceHost, openHome: OpenHomeDevice) {
    openHome.networkChanged(server: host.interfaces.first.map { host.serverURL(on: $0) })
    Announcer.say(change, host: host)
    reporter.networkChanged(
      host.interfaces.map {
        StatusReport.Interface(name: $0.name, address: $0.address, urls: host.descriptionURLs(on: $0))
      })
    tellStatus(host)
  }

  private func apply(_ configuration: Configuration, to host: isolated DeviceHost, _ devices: NIOLoopBound<Devices>) {
    host.trust(configuration.hostPolicy, configuration.callbackPolicy)
    devices.value.radio.setPresets(configuration.presets)
    let name = configuration.speakerName
    devices.value.openHome.update(name: name, room: configuration.room)
    host.rename([name, configuration.openHomeName])
    reporter.rename(name)
  }

  private func tellStatus(_ host: isolated DeviceHost) {
    manager.notify(.status(Announcer.status(host.interfaces, player.immediately { $0.output })))
  }
}
