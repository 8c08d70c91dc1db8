import Logging
import NIOCore
import NIOPosix
import UPnP

/// The identity of a control point, the interfaces that it searches, and the hosts that it connects to.
public struct ControlPointSettings: Sendable {
  /// The USER-AGENT header: `OS/version UPnP/1.1 product/version` (UDA 1.1 §1.3.2).
  public var product: String
  /// The interfaces to search on.
  public var interfaces: InterfacePolicy
  /// Further networks to connect to, besides those that the interfaces are on.
  public var addresses: AddressPolicy
  /// Time limit of an action, from connecting to the last byte of the answer.
  public var actionTimeout = TimeAmount.seconds(30)
  /// Limit for the answer to an action, in bytes. Browse and ReadList return large ones.
  public var maximumAnswer = 8 << 20
  /// Number of known devices. Further ones are ignored until others leave. Each takes up to 15 KB.
  public var maximumDevices = 4096

  /// - Parameters:
  ///   - product: the USER-AGENT header: `OS/version UPnP/1.1 product/version`.
  ///   - interfaces: to search on; by default the physical ones.
  ///   - addresses: further networks; by default none.
  public init(
    product: String, interfaces: InterfacePolicy = InterfacePolicy(), addresses: AddressPolicy = AddressPolicy()
  ) {
    self.product = product
    self.interfaces = interfaces
    self.addresses = addresses
  }
}

/// Finds devices on the network, reads their descriptions, calls their actions and receives their events.
///
/// ```swift
/// let controlPoint = UPnPControlPoint(settings: .init(product: "Linux/6.1 UPnP/1.1 Example/1.0"), logger: logger)
/// try await controlPoint.start()
/// for await change in await controlPoint.devices(.rootDevice) { print(change) }
/// ```
///
/// It is an actor on an event loop. `start` opens its sockets, `stop` closes them.
public actor UPnPControlPoint {
  /// Limit in bytes. Descriptions and SCPDs have some kilobytes.
  private static let maximumDocument = 1 << 20
  private static let maximumRedirects = 3

  private let settings: ControlPointSettings
  private let executor: any SerialExecutor
  private let http: any HTTPSending
  private let discovery: Discovery
  private var isStarted = false
  private var isStopped = false
  private let eventLoop: any EventLoop
  private let logger: Logger
  private lazy var events = EventHub(eventLoop: eventLoop, logger: logger, requests: eventRequests)

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - eventLoop: runs the control point; by default one of NIO's shared loops.
  ///   - http: sends requests; by default an `HTTPClient` on the same loop.
  public init(
    settings: ControlPointSettings, eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any(),
    http: (any HTTPSending)? = nil, logger: Logger
  ) {
    self.settings = settings
    executor = eventLoop.executor
    self.eventLoop = eventLoop
    self.logger = logger
    self.http = http ?? HTTPClient(group: eventLoop, product: settings.product)
    discovery = Discovery(
      eventLoop: eventLoop, interfaces: settings.interfaces, policy: settings.addresses, product: settings.product,
      maximumDevices: settings.maximumDevices, logger: logger)
  }

  /// Starts to watch the networks and to receive announcements. Returns once the existing networks are known. Later
  /// calls do nothing.
  /// - Throws: `.stopped` after `stop`; `.unreachable` if the network interfaces cannot be watched.
  public func start() async throws(ControlPointError) {
    guard !isStopped else { throw .stopped }
    guard !isStarted else { return }
    isStarted = true
    let isReady: EventLoopFuture<Void>
    discovery.onDeviceChange = { [events] in events.deviceChanged($0) }
    discovery.onInterfaceChange = { [events] in events.networkChanged() }
    do throws(IOError) {
      isReady = try discovery.start()
    } catch {
      isStarted = false
      throw ControlPointError(transport: error)
    }
    // The future never fails.
    try? await isReady.get()
  }

  /// Ends all subscriptions, which takes at most three seconds, and closes all sockets. All sequences end, and later requests
  /// throw `.stopped`.
  public func stop() async {
    // The future never fails. The requests that end subscriptions must still pass.
    try? await events.stop().get()
    isStopped = true
    discovery.stop()
  }

  /// The matching devices and their changes: first the known devices, then each one that answers a search, announces itself or
  /// leaves.
  public func devices(_ target: SearchTarget = .rootDevice) -> DeviceChanges {
    let (changes, sink) = DeviceChanges.make(target)
    let listener = discovery.add(target, sink)
    sink.signal.onTermination = { _ in Task { await self.remove(listener) } }
    return changes
  }

  private func remove(_ listener: Int) { discovery.remove(listener) }

  /// Asks one host for its root devices, in addition to the searches by multicast. Its answers arrive in `devices`, without
  /// the random delay of multicast answers. Devices of UPnP 1.0 need not answer.
  public func search(at host: IPAddress) { discovery.search(for: .rootDevice, at: host) }

  // MARK: Documents

  /// Reads a description.
  /// - Parameter location: LOCATION of an announcement, or a URL that a user has entered.
  /// - Throws: if it cannot be read, is not a description, or is on a host that the address policy excludes.
  public func description(at location: HTTPURL) async throws(ControlPointError) -> DeviceDescription {
    let (body, place) = try await document(at: location)
    do throws(DeviceDescriptionReader.Failure) {
      return try DeviceDescriptionReader.read(body, from: place)
    } catch {
      throw .malformed(error.description)
    }
  }

  /// Reads the SCPD of a service.
  /// - Throws: `.notOffered` if the description names no SCPD; any other error if the SCPD cannot be read.
  public func scpd(of service: DeviceDescription.Service) async throws(ControlPointError) -> ServiceDescription {
    guard let url = service.scpdURL else { throw .notOffered("an SCPD for \(service.name)") }
    let (body, _) = try await document(at: url)
    do throws(XMLReadingError) {
      return try ServiceDescriptionReader.read(body, name: service.name)
    } catch {
      throw .malformed("The SCPD of \(service.name) is \(error).")
    }
  }

  /// - Returns: the document, and its URL after redirects.
  private func document(at url: HTTPURL) async throws(ControlPointError) -> ([UInt8], HTTPURL) {
    var url = url
    for _ in 0...Self.maximumRedirects {
      let response = try await send(ClientRequest(.GET, url, maximumBody: Self.maximumDocument))
      switch response.status.code {
      case 200: return (Array(response.body.readableBytesView), url)
      case 301, 302, 303, 307, 308:
        guard let next = response.headers.first(name: "location").flatMap({ url.resolve($0) }) else {
          throw .malformed("A redirect leads to no http URL.")
        }
        url = next
      default: throw .status(Int(response.status.code))
      }
    }
    throw .malformed("There are more than \(Self.maximumRedirects) redirects.")
  }

  // MARK: Actions

  /// Performs an action that no generated client covers.
  /// - Parameters:
  ///   - arguments: in the order of the SCPD.
  ///   - service: from the device's description.
  /// - Returns: the output arguments, in the order of the answer.
  /// - Throws: `.fault` with the device's code if the device refuses.
  public func rawAction(
    _ action: String, _ arguments: [(name: String, value: String)] = [], of service: DeviceDescription.Service
  ) async throws(ControlPointError) -> [(name: String, value: String)] {
    guard let url = service.controlURL else { throw .notOffered("a control URL for \(service.name)") }
    guard SOAPCall.isName(service.type), SOAPCall.isName(action), arguments.allSatisfy({ SOAPCall.isName($0.name) })
    else {
      throw .malformed("A name in the request for \(service.name) is empty or contains blanks or markup.")
    }
    var request = SOAPCall.request(action, of: service.type, at: url, arguments: arguments)
    request.timeout = settings.actionTimeout
    request.maximumBody = settings.maximumAnswer
    let response = try await send(request)
    return try SOAPCall.results(of: action, in: response)
  }

  // MARK: Events

  /// Puts the events of a service into a mailbox until `endWatch`.
  func watch(
    _ service: DeviceDescription.Service, _ scpd: ServiceDescription, _ policy: EventPolicy, _ mailbox: EventMailbox
  ) {
    events.begin(service, scpd, policy, mailbox)
  }

  func endWatch(_ mailbox: EventMailbox) { events.end(mailbox) }

  private var eventRequests: EventRequests {
    EventRequests(
      send: { [weak self] request async throws(ControlPointError) in
        guard let self else { throw .cancelled }
        return try await send(request)
      },
      call: { [weak self] action, arguments, service async throws(ControlPointError) in
        guard let self else { throw .cancelled }
        return try await rawAction(action, arguments, of: service)
      })
  }

  /// Sends a request that is none of UPnP's, such as one to the API of a device's page.
  /// - Returns: the answer, whatever its status is.
  /// - Throws: `.notAllowed` if the address policy excludes the host; any other error if there is no complete answer.
  public func send(_ request: ClientRequest) async throws(ControlPointError) -> ClientResponse {
    guard !isStopped else { throw .stopped }
    guard settings.addresses.allows(request.url, networks: discovery.networks) else {
      throw .notAllowed(request.url)
    }
    return try await http.send(request)
  }
}
