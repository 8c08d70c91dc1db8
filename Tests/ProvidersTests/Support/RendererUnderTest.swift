import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

@testable import DeviceStack
@testable import Playback
@testable import Providers

/// The AV services on a real player over a pipeline without sound, asked by SOAP and overheard in events.
final class RendererUnderTest: Sendable {
  /// What lives on the loop.
  private final class Services {
    let hosted: [String: HostedService]
    var initial: [String: String] = [:]
    var events: [String: [String]] = [:]

    init(player: Player, eventLoop: any EventLoop) {
      let transport = AVTransportProvider(player: player)
      let rendering = RenderingControlProvider(player: player)
      let connections = ConnectionManagerProvider(mimeTypes: ["audio/flac", "audio/x-flac"])
      hosted = [
        "AVTransport": transport.service, "RenderingControl": rendering.service,
        "ConnectionManager": connections.service,
      ]
      let bound = NIOLoopBound((transport, rendering), eventLoop: eventLoop)
      player.immediately { player in
        _ = player.observe(.upnpAV) { changes in
          bound.value.0.update(changes)
          bound.value.1.update(changes)
        }
      }
    }

    /// What changes in one turn of the loop is one event, as `EventSource` has it when all was quiet before.
    func overhear(on eventLoop: any EventLoop) {
      let services = NIOLoopBound(self, eventLoop: eventLoop)
      for (name, service) in hosted {
        guard let store = service.store else { continue }
        initial[name] = String(buffer: EventBody.build(store.all, of: store))
        let bound = NIOLoopBound(store, eventLoop: eventLoop)
        store.onChange = { _ in
          eventLoop.execute {
            let changes = bound.value.takeChanges(of: bound.value.all)
            if changes.isEmpty { return }
            let body = EventBody.build(changes, of: bound.value)
            services.value.events[name, default: []].append(String(buffer: body))
          }
        }
      }
    }
  }

  let pipeline = FakePipeline()
  private let player: Player
  private let eventLoop: any EventLoop
  private let services: NIOLoopBound<Services>

  private init(eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
    player = Player(
      executor: eventLoop.executor, settings: PlayerSettings(), pipeline: pipeline,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    services = NIOLoopBound(Services(player: player, eventLoop: eventLoop), eventLoop: eventLoop)
    services.value.overhear(on: eventLoop)
  }

  static func run(_ body: (RendererUnderTest) async throws -> Void) async throws {
    let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
    let renderer = try await eventLoop.submit { RendererUnderTest(eventLoop: eventLoop) }.get()
    async let running: Void = renderer.player.run()
    let result: Result<Void, any Error>
    do {
      try await body(renderer)
      result = .success(())
    } catch {
      result = .failure(error)
    }
    await renderer.player.shutdown()
    await running
    try renderer.checkEvents(try await renderer.allEvents())
    try result.get()
  }

  // MARK: Actions

  /// Sends the action as a controller does. AVTransport and RenderingControl get their InstanceID 0.
  func call(
    _ service: String, _ action: String, _ arguments: [String: String] = [:], instance: String = "0"
  ) async throws -> Answer {
    let type = "urn:schemas-upnp-org:service:\(service):1"
    var inside = service == "ConnectionManager" ? "" : "<InstanceID>\(instance)</InstanceID>"
    for (name, value) in arguments { inside += "<\(name)>\(XMLEscape.text(value))</\(name)>" }
    let body = """
      <?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>\
      <u:\(action) xmlns:u="\(type)">\(inside)</u:\(action)></s:Body></s:Envelope>
      """
    let address = try SocketAddress(ipAddress: "192.0.2.7", port: 40000)
    let request = HTTPRequest(
      method: .POST, uri: "/", headers: ["SOAPACTION": "\"\(type)#\(action)\""], body: ByteBuffer(string: body),
      remote: address, local: address)
    let response = try await eventLoop.submit { [services] in
      guard let hosted = services.value.hosted[service] else { throw EventedVariables.Unexpected(text: service) }
      return ActionDispatcher(service: hosted).answer(request)
    }.get()
    return try Answer(String(buffer: response.body))
  }

  @discardableResult
  func transport(_ action: String, _ arguments: [String: String] = [:]) async throws -> Answer {
    try await call("AVTransport", action, arguments)
  }

  func setURI(_ uri: String, _ metadata: String = "") async throws {
    let answer = try await transport("SetAVTransportURI", ["CurrentURI": uri, "CurrentURIMetaData": metadata])
    #expect(answer.fault == nil)
  }

  func setNextURI(_ uri: String, _ metadata: String = "") async throws {
    let answer = try await transport("SetNextAVTransportURI", ["NextURI": uri, "NextURIMetaData": metadata])
    #expect(answer.fault == nil)
  }

  @discardableResult
  func play() async throws -> Answer { try await transport("Play", ["Speed": "1"]) }

  func state() async throws -> String {
    let answer = try await transport("GetTransportInfo")
    return try #require(answer["CurrentTransportState"])
  }

  func actions() async throws -> String {
    let answer = try await transport("GetCurrentTransportActions")
    return try #require(answer["Actions"])
  }

  /// Plays the URI, with sound.
  func sound(_ uri: String, _ metadata: String = "") async throws {
    try await setURI(uri, metadata)
    try await play()
    pipeline.plays()
    try await wait(forState: "PLAYING")
  }

  // MARK: Waiting

  func wait(forState state: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await wait("the state \(state)", sourceLocation: sourceLocation) { try await $0.state() == state }
  }

  func wait(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation,
    until condition: (RendererUnderTest) async throws -> Bool
  ) async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while try await !condition(self) {
      guard ContinuousClock.now < deadline else {
        Issue.record("waited in vain for \(what)", sourceLocation: sourceLocation)
        return
      }
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  // MARK: Events

  /// What a new subscriber of the service was told at the start of the test.
  func initialEvent(_ service: String) async throws -> EventedVariables {
    let body = try await eventLoop.submit { [services] in services.value.initial[service] ?? "" }.get()
    return try EventedVariables(body)
  }

  /// The events of the service since the start, or since they were last taken.
  func takeEvents(_ service: String) async throws -> [EventedVariables] {
    let bodies = try await eventLoop.submit { [services] in
      let bodies = services.value.events[service] ?? []
      services.value.events[service] = []
      return bodies
    }.get()
    let events = try bodies.map { try EventedVariables($0) }
    try checkEvents([service: events])
    return events
  }

  private func allEvents() async throws -> [String: [EventedVariables]] {
    let bodies = try await eventLoop.submit { [services] in
      services.value.events.merging(services.value.initial.mapValues { [$0] }, uniquingKeysWith: +)
    }.get()
    return try bodies.mapValues { try $0.map { try EventedVariables($0) } }
  }

  private func checkEvents(_ events: [String: [EventedVariables]]) throws {
    for (service, events) in events {
      let declared = try DeclaredVariables.of(service: service)
      for event in events { declared.check(event) }
    }
  }
}
