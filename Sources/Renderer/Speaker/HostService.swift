import DeviceStack
import Logging
import NIOCore
import Playback
import PlaybackEngine
import ServiceLifecycle
import UPnP

/// Runs the device host: announces the devices, and reports network and readiness to user and service manager.
struct HostService: Service {
  /// A missing network is reported after this time. Interfaces that exist at the start are known earlier.
  private static let networkTime = TimeAmount.seconds(1)
  /// Without a network, the service counts as started after this time, so that a boot does not hang.
  private static let readyTime = TimeAmount.seconds(20)

  let eventLoop: any EventLoop
  let player: Player
  let devices: NIOLoopBound<SpeakerDevices>
  /// nil if the page is off.
  let page: NIOLoopBound<SpeakerPage?>
  let settings: DeviceHostSettings
  let identity: DeviceIdentity
  let reporter: StatusReporter
  let manager: ServiceManager
  let sleep: MachineSleep
  /// The configuration at the start.
  let configuration: Configuration
  /// Configurations after a reload.
  let changes: AsyncStream<Configuration>
  let logger: Logger

  func run() async throws {
    // Numbers are saved by a task: the event loop must not wait for the disk.
    let (bootIDs, bootID) = AsyncStream.makeStream(of: Int.self)
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let late = eventLoop.scheduleTask(in: Self.readyTime) { manager.notify(.ready) }
    let trim = try await eventLoop.submit {
      NIOLoopBound(MemoryTrim(player: player, eventLoop: eventLoop), eventLoop: eventLoop)
    }.get()
    let host = DeviceHost(
      settings: settings, eventLoop: eventLoop, logger: logger,
      onEvent: { host, event in
        switch event {
        case .listening(let number): port.yield(number)
        case .announced:
          late.cancel()
          manager.notify(.ready)
          trim.value.request()
        case .interfaceChanged(let change):
          devices.value.programHost.server = host.interfaces.first.map { host.serverURL(on: $0) }
          devices.value.roomSender.use(change, server: host.interfaces.first.map { host.serverURL(on: $0) })
          report(change, on: host)
        case .bootIDChanged(let number): bootID.yield(number)
        case .connectionBurstEnded: ProcessMemory.releaseFreeMemory()
        }
      }, devices: { _ in devices.value.roots })
    await prepare(host, trim)
    sleep.use(host)
    try await withThrowingTaskGroup { group in
      group.addTask { for await bootID in bootIDs { identity.keep(bootID: bootID) } }
      group.addTask { for await port in ports { identity.keep(port: port) } }
      group.addTask {
        for await configuration in changes.cancelOnGracefulShutdown() { await apply(configuration, to: host) }
      }
      group.addTask { await followLibrary() }
      group.addTask {
        try? await gracefulShutdown()
        if !Task.isCancelled { manager.notify(.stopping, .status("Shutting down")) }
        try? await eventLoop.submit { devices.value.closeRooms() }.get()
        try? await eventLoop.flatSubmit { page.value?.stop() ?? eventLoop.makeSucceededVoidFuture() }.get()
      }
      defer {
        bootID.finish()
        port.finish()
      }
      try await host.run()
    }
  }

  private func prepare(_ host: isolated DeviceHost, _ trim: NIOLoopBound<MemoryTrim>) {
    if configuration.metrics {
      host.serve(
        Metrics.path,
        [
          .GET: { _ in
            let text = Metrics.text(reporter.report(), process: .current())
            return HTTPReply(
              HTTPResponse(.ok, headers: ["CONTENT-TYPE": Metrics.contentType], body: ByteBuffer(string: text)))
          }
        ])
    }
    if !configuration.sources.isEmpty {
      host.serve(
        ProgramPictures.folder + "{picture}",
        [.GET: { ProgramPictures.reply(devices.value.programHost.picture($0.parameter)) }])
    }
    page.value?.mount(on: host)
    devices.value.library?.mount(on: host)
    // Swift 6.2 crashes on an isolated parameter in a closure that is isolated to the player.
    let observer: DeviceHost = host
    player.immediately { player in
      _ = player.observe { if $0.contains(.state) { trim.value.request() } }
      _ = player.observe { [player] changes in
        guard changes.contains(.output) else { return }
        Announcer.say(player.immediately { $0.output })
        observer.assumeIsolated { reportStatus($0) }
      }
    }
    eventLoop.scheduleTask(in: Self.networkTime) {
      host.assumeIsolated { host in
        guard host.interfaces.isEmpty else { return }
        Announcer.waitingForNetwork(configuration.interfaces)
        reportStatus(host)
      }
    }
  }

  /// Reports changes of the library to control points.
  private func followLibrary() async {
    let changes = try? await eventLoop.submit { devices.value.library?.changes() }.get()
    guard let changes else { return }
    for await change in changes.cancelOnGracefulShutdown() {
      try? await eventLoop.submit { devices.value.library?.update(change) }.get()
    }
  }

  private func apply(_ configuration: Configuration, to host: isolated DeviceHost) {
    devices.value.apply(configuration)
    host.trust(configuration.hostPolicy, configuration.callbackPolicy)
    host.rename(devices.value.names(configuration))
  }

  private func report(_ change: InterfaceChange, on host: isolated DeviceHost) {
    page.value?.networkChanged(host)
    Announcer.say(change, host: host, page: page.value)
    reporter.networkChanged(
      host.interfaces.map {
        StatusReport.Interface(
          name: $0.name, address: $0.address, page: page.value?.address(on: $0, of: host),
          urls: host.descriptionURLs(on: $0))
      })
    reportStatus(host)
  }

  private func reportStatus(_ host: isolated DeviceHost) {
    manager.notify(.status(Announcer.status(host.interfaces, player.immediately { $0.output })))
  }
}

extension DeviceHostSettings {
  init(_ configuration: Configuration, _ identity: DeviceIdentity) {
    self.init(
      product: "\(Host.operatingSystem) UPnP/1.1 \(Version.name)/\(Version.number)",
      ports: configuration.port == 0 ? [identity.port, 0].compactMap(\.self) : [configuration.port],
      bootID: identity.bootID)
    // A third of the descriptors: connections to subscribers and everything else need the others.
    limits.connections = min(limits.connections, max(8, (DescriptorLimit.raise() - DescriptorLimit.reserve) / 3))
    interfaces = InterfacePolicy(names: configuration.interfaces)
    hostPolicy = configuration.hostPolicy
    callbackPolicy = configuration.callbackPolicy
  }
}
