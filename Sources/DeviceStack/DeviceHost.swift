import Glibc
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle
import UPnP

/// Hosts UPnP root devices: discovery, descriptions, actions and events, on every interface that the settings allow.
///
/// All devices share one HTTP server, one set of SSDP sockets and one set of subscriptions. `run()` is the whole life
/// cycle. The host is an actor on an event loop, and the devices with their providers live on the same loop: they are made
/// by the closure given to `init`, their methods are called there, and they need neither locks nor `Sendable`.
///
/// ```swift
/// let host = DeviceHost(settings: settings, logger: logger) { _ in [Lamp().device] }
/// try await host.run()
/// ```
public actor DeviceHost: Service {
  /// A change that the host reports to its `EventHandler`.
  public enum Event: Sendable {
    /// The HTTP server listens on this port.
    case listening(port: Int)
    /// All devices have been announced once. Sent once.
    case announced
    /// The devices can now be found on an interface, or no longer.
    case interfaceChanged(InterfaceChange)
    /// BOOTID.UPNP.ORG increased. Store it: the next run must start with a higher one (UDA 1.1 §1.2.2).
    case bootIDChanged(Int)
    /// A burst of HTTP connections has ended. A good moment to return fragmented heap to the system.
    case connectionBurstEnded
  }

  /// Makes the devices. Called once, on the host, when it starts to run.
  public typealias Devices = @Sendable (isolated DeviceHost) -> [RootDevice]
  /// Handles an event. Called on the host.
  public typealias EventHandler = @Sendable (isolated DeviceHost, Event) -> Void

  private var settings: DeviceHostSettings
  private let eventLoop: any EventLoop
  private let executor: any SerialExecutor
  private let logger: Logger
  private let onEvent: EventHandler
  private let makeDevices: Devices
  private var devices: [RootDevice] = []
  private var router = Router()
  private var onRefusal: (HTTPRequest, HTTPResponse) -> HTTPResponse = { $1 }
  /// The port of the HTTP server; 0 before it listens.
  public private(set) var port = 0
  private var hasRun = false
  private var isAway = false
  // These retain the host. `stop()` releases them.
  private var monitor: InterfaceMonitor?
  private var server: HTTPServer?
  private var subscriptions: Subscriptions?
  private var ssdp: SSDPServer?
  private var publisher: DNSSDPublisher?

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - settings: identity, ports, limits and trust.
  ///   - eventLoop: runs the host and its devices; by default one of NIO's shared loops.
  ///   - logger: receives warnings, and at debug level the reasons of refusals.
  ///   - onEvent: called on the host, so that it can read the host's properties.
  ///   - devices: makes the root devices on the host.
  public init(
    settings: DeviceHostSettings, eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any(),
    logger: Logger, onEvent: @escaping EventHandler = { _, _ in }, devices: @escaping Devices
  ) {
    self.settings = settings
    self.eventLoop = eventLoop
    executor = eventLoop.executor
    self.logger = logger
    self.onEvent = onEvent
    makeDevices = devices
  }

  /// Listens, and announces the devices on every network, now and later. On cancellation or graceful shutdown, sends
  /// byebye and closes everything. A host runs once; later calls return at once.
  /// - Throws: when no port is free or the interfaces cannot be watched.
  public func run() async throws(DeviceHostError) {
    guard !hasRun else { return }
    hasRun = true
    devices = makeDevices(self)
    do throws(DeviceHostError) {
      try await start()
    } catch {
      await stop()
      throw error
    }
    // Throws if the task is cancelled, which also means to stop.
    try? await gracefulShutdown()
    await stop()
  }

  private func start() async throws(DeviceHostError) {
    let monitor = InterfaceMonitor(eventLoop: eventLoop, policy: settings.interfaces, logger: logger) { [self] in
      interfaceChanged($0)
    }
    self.monitor = monitor
    let subscriptions = Subscriptions(
      eventLoop: eventLoop, policy: settings.callbackPolicy, productToken: settings.product, logger: logger
    ) { monitor.prefixLength(of: $0) }
    self.subscriptions = subscriptions
    for device in devices { mount(device, subscriptions) }
    let server = makeServer(monitor)
    self.server = server
    port = try await listen(server)
    onEvent(self, .listening(port: port))
    let ssdp = SSDPServer(
      eventLoop: eventLoop, advertisements: devices.map(Self.advertisement),
      settings: SSDPSettings(product: settings.product, httpPort: port, bootID: settings.bootID), logger: logger)
    ssdp.onBootID = { [self] in onEvent(self, .bootIDChanged($0)) }
    ssdp.onAnnounced = { [self] in onEvent(self, .announced) }
    self.ssdp = ssdp
    if devices.contains(where: { $0.dnssdType != nil }) {
      publisher = DNSSDPublisher(services: [], logger: logger)
      publisher?.start()
    }
    do throws(IOError) {
      try monitor.start()
    } catch {
      throw .noInterfaces(reason: Self.reason(error))
    }
  }

  /// Listens on the first port that is free.
  private func listen(_ server: HTTPServer) async throws(DeviceHostError) -> Int {
    let ports = settings.ports.isEmpty ? [0] : settings.ports
    for port in ports.dropLast() {
      do throws(DeviceHostError) {
        return try await listen(server, on: port)
      } catch {
        logger.notice("\(error) Trying another port.")
      }
    }
    return try await listen(server, on: ports[ports.count - 1])
  }

  private func listen(_ server: HTTPServer, on port: Int) async throws(DeviceHostError) -> Int {
    do {
      return try await server.start(port: port).get()
    } catch {
      throw .cannotListen(port: port, reason: Self.reason(error))
    }
  }

  /// The kernel's message for a system call that failed.
  private static func reason(_ error: any Error) -> String {
    (error as? IOError).map { String(cString: strerror($0.errnoCode)).lowercased() } ?? "\(error)"
  }

  /// Sends byebye on every network, then closes everything.
  private func stop() async {
    monitor?.stop()
    publisher?.stop()
    try? await ssdp?.stop().get()
    try? await subscriptions?.stop().get()
    try? await server?.stop().get()
    (monitor, publisher, ssdp, subscriptions, server) = (nil, nil, nil, nil, nil)
  }

  private func makeServer(_ monitor: InterfaceMonitor) -> HTTPServer {
    let server = HTTPServer(
      eventLoop: eventLoop, product: settings.product, limits: settings.limits, hostPolicy: settings.hostPolicy,
      logger: logger
    ) { [self] in router.answer($0) }
    // Loopback is always accepted: for metrics and troubleshooting on the machine itself.
    server.acceptsLocalAddress = { monitor.isInUse($0) || IPAddress($0)?.isLoopbackIPv4 == true }
    server.onRefusal = onRefusal
    server.onBurstEnded = { [self] in onEvent(self, .connectionBurstEnded) }
    return server
  }

  /// Replaces the policies. Existing subscriptions stay.
  /// - Parameters:
  ///   - hostPolicy: which Host and Origin headers are accepted.
  ///   - callbackPolicy: which addresses new subscriptions may send events to.
  public func trust(_ hostPolicy: HostPolicy, _ callbackPolicy: CallbackPolicy) {
    settings.hostPolicy = hostPolicy
    settings.callbackPolicy = callbackPolicy
    server?.hostPolicy = hostPolicy
    subscriptions?.policy = callbackPolicy
  }

  /// Changes the friendly names, and announces the changed descriptions.
  /// - Parameter names: one for each device, in the order of the devices.
  public func rename(_ names: [String]) {
    guard names != devices.map(\.info.friendlyName) else { return }
    for (index, name) in zip(devices.indices, names) {
      devices[index].info.friendlyName = name
      addDescription(of: devices[index])
    }
    ssdp?.update(devices.map(Self.advertisement))
    if !isAway { publisher?.publish(dnssdServices) }
  }

  /// Sends byebye on every network, such as before the machine sleeps. HTTP and subscriptions continue.
  public func leave() async {
    isAway = true
    publisher?.publish([])
    try? await ssdp?.leave().get()
  }

  /// Announces the devices again after `leave()`, with the next BOOTID.
  public func comeBack() {
    guard isAway else { return }
    isAway = false
    for interface in interfaces { ssdp?.use(.appeared(interface)) }
    publisher?.publish(dnssdServices)
  }

  /// Adds a route next to those of the devices. A second call for the same path replaces its handlers.
  /// - Parameters:
  ///   - path: absolute, and not one of a device's own. A last component `{NAME}` matches any component, which handlers
  ///     find in `HTTPRequest.parameter`.
  ///   - methods: called on the host. The handler of GET also answers HEAD. Other methods are answered with 405.
  public func serve(_ path: String, _ methods: KeyValuePairs<HTTPMethod, @Sendable (HTTPRequest) -> HTTPReply>) {
    router.add(path, methods.map { (method: $0.key, answer: $0.value) })
  }

  /// Adds headers and a body to the refusals of complete requests: wrong Host or Origin, unknown paths and methods.
  /// - Parameter complete: returns the refusal to send. Called on the host.
  public func explainRefusals(_ complete: @escaping @Sendable (HTTPRequest, HTTPResponse) -> HTTPResponse) {
    onRefusal = complete
    server?.onRefusal = complete
  }

  /// The number of connections that the HTTP server keeps open at once.
  public var connectionLimit: Int { settings.limits.connections }

  /// The interfaces on which the devices can be found now.
  public var interfaces: [NetworkInterface] { monitor?.current ?? [] }

  /// The URLs of the device descriptions as seen from this interface, in the order of the devices.
  public func descriptionURLs(on interface: NetworkInterface) -> [String] {
    devices.map { url(of: $0, on: interface) }
  }

  private func interfaceChanged(_ change: InterfaceChange) {
    if !isAway {
      ssdp?.use(change)
      publisher?.publish(dnssdServices)
    }
    subscriptions?.networkChanged()
    onEvent(self, .interfaceChanged(change))
  }

  /// One service for each interface, since each has its own URL in the TXT record.
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

  /// The base URL of the HTTP server as seen from this interface, without a path or trailing slash.
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
    let configID = DescriptionWriter.configID(of: device)
    router.add(
      device.paths.description,
      methods: [
        .GET: { request in
          let text = DescriptionWriter.write(device, configID: configID, server: request.serverURL)
          return HTTPReply(HTTPResponse.xml(ByteBuffer(string: text), status: .ok))
        }
      ])
  }

  private func mount(_ device: RootDevice, _ subscriptions: Subscriptions) {
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
        store: store, moderation: definition.moderation, subscriptions: subscriptions, name: definition.serviceType.name
      )
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
