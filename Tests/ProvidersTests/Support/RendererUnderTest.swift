import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import PlaybackTestKit
import Testing
import UPnP

@testable import DeviceStack
@testable import Playback
@testable import PlaybackModel
@testable import Providers

/// The services of both devices on a real player with a `SilentPipeline`, controlled by SOAP and observed by events.
final class RendererUnderTest: Sendable {
  let pipeline = SilentPipeline()
  let player: Player
  private let eventLoop: any EventLoop
  private let services: NIOLoopBound<ServicesUnderTest>

  private init(settings: PlayerSettings, eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
    player = Player(
      executor: eventLoop.executor, settings: settings, pipeline: pipeline,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    services = NIOLoopBound(
      ServicesUnderTest(player: player, eventLoop: eventLoop), eventLoop: eventLoop)
  }

  static func run(
    volumeLimit: Int = 100, isVolumeFixed: Bool = false, _ body: (RendererUnderTest) async throws -> Void
  ) async throws {
    let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
    var settings = PlayerSettings()
    settings.volumeLimit = volumeLimit
    settings.isVolumeFixed = isVolumeFixed
    let renderer = try await eventLoop.submit { [settings] in
      RendererUnderTest(settings: settings, eventLoop: eventLoop)
    }.get()
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

  /// Runs the body on the event loop, where it can access services and player.
  func onLoop<Result: Sendable>(
    _ body: @escaping @Sendable (ServicesUnderTest, Player) throws -> Result
  ) async throws -> Result {
    try await eventLoop.submit { [services, player] in try body(services.value, player) }.get()
  }

  // MARK: Actions

  /// Sends an action by SOAP. Adds InstanceID 0 for AVTransport and RenderingControl.
  /// - Parameter version: the service version that the controller asks for; nil for the current one.
  func call(
    _ service: String, _ action: String, _ arguments: [String: String] = [:], instance: String = "0",
    version: Int? = nil
  ) async throws -> Answer {
    var type = try await onLoop { services, _ in try #require(services.hosted[service]).definition.serviceType }
    if let version { type = type.version(version) }
    var inside = ["AVTransport", "RenderingControl"].contains(service) ? "<InstanceID>\(instance)</InstanceID>" : ""
    for (name, value) in arguments { inside += "<\(name)>\(XMLEscape.text(value))</\(name)>" }
    let body = """
      <?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>\
      <u:\(action) xmlns:u="\(type)">\(inside)</u:\(action)></s:Body></s:Envelope>
      """
    let address = try SocketAddress(ipAddress: "192.0.2.7", port: 40000)
    let request = HTTPRequest(
      method: .POST, uri: "/", headers: ["SOAPACTION": "\"\(type)#\(action)\""], body: ByteBuffer(string: body),
      remote: address, local: address)
    let reply = try await onLoop { [eventLoop] services, _ in
      ActionDispatcher(service: try #require(services.hosted[service])).answer(request).response(on: eventLoop)
    }
    let response = try await reply.get()
    return try Answer(String(buffer: response.body))
  }

  /// Sends an action that must succeed.
  @discardableResult
  func perform(
    _ service: String, _ action: String, _ arguments: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Answer {
    let answer = try await call(service, action, arguments)
    #expect(answer.fault == nil, "\(service).\(action)", sourceLocation: sourceLocation)
    return answer
  }

  func transport(_ action: String, _ arguments: [String: String] = [:]) async throws -> Answer {
    try await call("AVTransport", action, arguments)
  }

  func setURI(_ uri: String, _ metadata: String = "") async throws {
    try await perform("AVTransport", "SetAVTransportURI", ["CurrentURI": uri, "CurrentURIMetaData": metadata])
  }

  func setNextURI(_ uri: String, _ metadata: String = "") async throws {
    try await perform("AVTransport", "SetNextAVTransportURI", ["NextURI": uri, "NextURIMetaData": metadata])
  }

  func play(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await perform("AVTransport", "Play", ["Speed": "1"], sourceLocation: sourceLocation)
  }

  func state() async throws -> String {
    let answer = try await transport("GetTransportInfo")
    return try #require(answer["CurrentTransportState"])
  }

  func actions() async throws -> String {
    let answer = try await transport("GetCurrentTransportActions")
    return try #require(answer["Actions"])
  }

  /// Plays a URI until the state is PLAYING.
  func playUntilPlaying(_ uri: String, _ metadata: String = "") async throws {
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

  /// The initial event of the service at the start of the test.
  func initialEvent(_ service: String) async throws -> EventedVariables {
    try EventedVariables(try await onLoop { services, _ in services.initial[service] ?? "" })
  }

  /// The events of the service since the start or the last call.
  func takeEvents(_ service: String) async throws -> [EventedVariables] {
    let bodies = try await onLoop { services, _ in
      let bodies = services.events[service] ?? []
      services.events[service] = []
      return bodies
    }
    let events = try bodies.map { try EventedVariables($0) }
    try checkEvents([service: events])
    return events
  }

  private func allEvents() async throws -> [String: [EventedVariables]] {
    let bodies = try await onLoop { services, _ in
      services.events.merging(services.initial.mapValues { [$0] }, uniquingKeysWith: +)
    }
    return try bodies.mapValues { try $0.map { try EventedVariables($0) } }
  }

  private func checkEvents(_ events: [String: [EventedVariables]]) throws {
    for (service, events) in events {
      let declared = try DeclaredVariables.of(service: service)
      for event in events { declared.check(event) }
    }
  }
}
