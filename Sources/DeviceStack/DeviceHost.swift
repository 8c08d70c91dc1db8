import Glibc
import Logging
import NIOCore
import NIOHTTP1
import UPnP

/// Root devices on a network: one HTTP server, one set of subscriptions, one SSDP server for all of them, on every
/// interface that the settings allow, as these come and go.
///
/// Lives on its event loop.
public final class DeviceHost {
  private let settings: DeviceHostSettings
  private var devices: [RootDevice]
  private let eventLoop: any EventLoop
  private let logger: Logger
  private var router = Router()
  private var ssdp: SSDPServer?
  private var port = 0

  private lazy var monitor = InterfaceMonitor(
    eventLoop: eventLoop, policy: settings.interfaces, logger: logger
  ) { [unowned self] in interfaceChanged($0) }

  private lazy var publisher =
    devices.contains { $0.dnssdType != nil } ? DNSSDPublisher(services: [], logger: logger) : nil

  private lazy var eventing = EventingContext(
    eventLoop: eventLoop, policy: settings.callbackPolicy, productToken: settings.product, logger: logger
  ) { [unowned self] in monitor.prefixLength(of: $0) }

  private lazy var server = HTTPServer(
    eventLoop: eventLoop, product: settings.product, limits: settings.limits, hostPolicy: settings.hostPolicy,
    logger: logger
  ) { [unowned self] in router.answer($0) }

  /// Told whenever BOOTID.UPNP.ORG goes up, so that it can be kept for the next run.
  public var onBootID: ((Int) -> Void)?

  /// Told once, when the devices have been announced for the first time.
  public var onAnnounced: (() -> Void)?

  /// Told of every interface on which the devices can be found from now on, or no longer.
  public var onInterfaceChange: ((InterfaceChange) -> Void)?

  /// Told a moment after many HTTP connections at once have become few.
  public var onCrowdGone: (() -> Void)? {
    get { server.onCrowdGone }
    set { server.onCrowdGone = newValue }
  }

  public init(eventLoop: any EventLoop, settings: DeviceHostSettings, devices: [RootDevice], logger: Logger) {
    self.eventLoop = eventLoop
    self.settings = settings
    self.devices = devices
    self.logger = logger
    for device in devices { mount(device) }
    // The machine itself may always ask: for figures, and to look for a fault.
    server.acceptsLocalAddress = { [unowned self] address in
      monitor.isInUse(address) || IPAddress(address)?.isLoopbackIPv4 == true
    }
  }

  /// Listens, and announces the devices wherever there is a network, now and later.
  /// - Returns: the port of the HTTP server. Fails with a `DeviceHostError`.
  public func start() -> EventLoopFuture<Int> {
    listen(on: settings.ports[...]).assumeIsolated().flatMapThrowing { [self] port in
      self.port = port
      let settings = SSDPSettings(product: settings.product, httpPort: port, bootID: settings.bootID)
      ssdp = SSDPServer(
        eventLoop: eventLoop, advertisements: devices.map(Self.advertisement), settings: settings, logger: logger)
      ssdp?.onBootID = { [unowned self] in onBootID?($0) }
      ssdp?.onAnnounced = { [unowned self] in onAnnounced?() }
      publisher?.start()
      do throws(IOError) {
        try monitor.start()
      } catch {
        throw DeviceHostError.noInterfaces(reason: Self.reason(error))
      }
      return port
    }.nonisolated()
  }

  /// On the first of the ports that can be had; the failure of the last one is told.
  private func listen(on ports: ArraySlice<Int>) -> EventLoopFuture<Int> {
    let port = ports.first ?? 0
    let others = ports.dropFirst()
    return server.start(port: port).assumeIsolated().flatMapError { [self] error in
      guard !others.isEmpty else {
        return eventLoop.makeFailedFuture(DeviceHostError.cannotListen(port: port, reason: Self.reason(error)))
      }
      logger.notice("Port \(port) cannot be had, so another one is used")
      return listen(on: others)
    }.nonisolated()
  }

  /// In the kernel's words where it was the kernel that refused.
  private static func reason(_ error: any Error) -> String {
    (error as? IOError).map { String(cString: strerror($0.errnoCode)).lowercased() } ?? "\(error)"
  }

  /// Takes leave of every network, then closes everything.
  public func stop() -> EventLoopFuture<Void> {
    monitor.stop()
    publisher?.stop()
    let goodbye = ssdp?.stop() ?? eventLoop.makeSucceededVoidFuture()
    return goodbye.assumeIsolated().flatMap { [self] in
      EventLoopFuture.andAllComplete([eventing.stop(), server.stop()], on: eventLoop)
    }.nonisolated()
  }

  /// Whom to trust from now on. Subscriptions that there are stay.
  public func trust(_ hostPolicy: HostPolicy, _ callbackPolicy: CallbackPolicy) {
    server.hostPolicy = hostPolicy
    eventing.policy = callbackPolicy
  }

  /// Calls the devices something else, and announces them anew: their descriptions have changed.
  /// - Parameter names: what each is to be called, in the order of the devices.
  public func rename(_ names: [String]) {
    guard names != devices.map(\.info.friendlyName) else { return }
    for (index, name) in zip(devices.indices, names) {
      devices[index].info.friendlyName = name
      addDescription(of: devices[index])
    }
    ssdp?.update(devices.map(Self.advertisement))
    publisher?.publish(dnssdServices)
  }

  /// Serves something beside the devices, made anew for each request.
  /// - Parameter path: from the root; none of a device's own.
  public func serve(_ path: String, contentType: String, _ body: @escaping () -> String) {
    let answer: HTTPServer.Handler = { _ in
      HTTPReply(HTTPResponse(.ok, headers: ["CONTENT-TYPE": contentType], body: ByteBuffer(string: body())))
    }
    router.add(path, methods: [.GET: answer, .HEAD: answer])
  }

  /// Those on which the devices can be found now.
  public var interfaces: [NetworkInterface] { monitor.current }

  /// Where the descriptions are for somebody on this interface.
  public func descriptionURLs(on interface: NetworkInterface) -> [String] {
    devices.map { url(of: $0, on: interface) }
  }

  private func interfaceChanged(_ change: InterfaceChange) {
    ssdp?.use(change)
    publisher?.publish(dnssdServices)
    eventing.networkChanged()
    onInterfaceChange?(change)
  }

  /// One for each interface: the URL in it is right on that one only.
  private var dnssdServices: [DNSSDService] {
    devices.flatMap { device in
      guard let type = device.dnssdType else { return [DNSSDService]() }
      return interfaces.map {
        DNSSDService(
          name: device.info.friendlyName, type: type, port: UInt16(port), txt: ["upnp=\(url(of: device, on: $0))"],
          interfaceIndex: $0.index)
      }
    }
  }

  /// Where the HTTP server is for somebody on this interface, without a path.
  public func serverURL(on interface: NetworkInterface) -> String { "http://\(interface.address):\(port)" }

  private func url(of device: RootDevice, on interface: NetworkInterface) -> String {
    serverURL(on: interface) + device.paths.description
  }

  private static func advertisement(_ device: RootDevice) -> Advertisement {
    Advertisement(
      udn: device.info.udn, deviceType: device.info.deviceType,
      serviceTypes: device.services.map { $0.definition.serviceType }, descriptionPath: device.paths.description,
      configID: DescriptionWriter.configID(of: device))
  }

  private func addDescription(of device: RootDevice) {
    let description = DescriptionWriter.write(device, configID: DescriptionWriter.configID(of: device))
    router.add(device.paths.description, document: ByteBuffer(string: description), contentType: ContentType.xml)
  }

  private func mount(_ device: RootDevice) {
    let paths = device.paths
    addDescription(of: device)
    for icon in device.info.icons {
      router.add(paths.icon(icon), document: ByteBuffer(bytes: icon.data), contentType: icon.mimeType)
    }
    for service in device.services {
      let definition = service.definition
      router.add(
        paths.scpd(definition), document: ByteBuffer(staticString: definition.scpd), contentType: ContentType.xml)
      let dispatcher = ActionDispatcher(service: service)
      router.add(paths.control(definition), methods: [.POST: { dispatcher.answer($0) }])
      guard let store = service.store else { continue }
      let source = EventSource(
        store: store, moderation: definition.moderation, context: eventing, name: definition.serviceType.name)
      router.add(
        paths.events(definition),
        methods: [
          .SUBSCRIBE: { request in
            let (response, onFlushed) = source.subscribe(request)
            return HTTPReply(response, afterFlush: onFlushed)
          }, .UNSUBSCRIBE: { HTTPReply(source.unsubscribe($0)) },
        ])
    }
  }
}
