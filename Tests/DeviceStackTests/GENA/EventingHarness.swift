import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing
import UPnP

@testable import DeviceStack

/// Event sources on their own event loop, called in the way the HTTP server calls them.
final class EventingHarness: Sendable {
  struct Parts {
    let subscriptions: Subscriptions
    let store: VariableStore
    let source: EventSource
  }

  let eventLoop: any EventLoop
  private let parts: NIOLoopBoundBox<Parts>

  init(
    variables: [(String, String)] = [("A", "1"), ("B", "2")], large: (@Sendable () -> String)? = nil,
    served: Set<String> = [], form: VariableStore.Form = .properties,
    moderation: Moderation = Moderation(.zero), limits: SubscriptionTable.Limits = .init(),
    deliveryLimits: DeliveryScheduler.Limits = .init()
  ) async throws {
    eventLoop = MultiThreadedEventLoopGroup.singleton.next()
    parts = try await eventLoop.submit { [eventLoop] in
      var logger = Logger(label: "eventing")
      logger.logLevel = .error
      let subscriptions = Subscriptions(
        eventLoop: eventLoop, policy: CallbackPolicy(), productToken: "Test/1 UPnP/1.1 Test/1", limits: limits,
        deliveryLimits: deliveryLimits, logger: logger, prefixLength: { $0.isLoopbackIPv4 ? 32 : nil })
      var initial = variables.map { (VariableStore.Variable($0.0), VariableStore.Value.text($0.1)) }
      if let large { initial.append((.init("Large"), .made(large))) }
      let store = VariableStore(form: form, initial: initial, served: served)
      let source = EventSource(store: store, moderation: moderation, subscriptions: subscriptions, name: "Test")
      return NIOLoopBoundBox(Parts(subscriptions: subscriptions, store: store, source: source), eventLoop: eventLoop)
    }.get()
  }

  func onLoop<Result: Sendable>(_ body: @escaping @Sendable (Parts) throws -> Result) async throws -> Result {
    try await eventLoop.submit { [parts] in try body(parts.value) }.get()
  }

  /// Sends SUBSCRIBE or UNSUBSCRIBE; the response counts as written at once.
  func ask(
    _ method: HTTPMethod, _ headers: HTTPHeaders, from remote: String = "127.0.0.1", on local: String = "127.0.0.1"
  ) async throws -> HTTPResponse {
    try await onLoop { parts in
      let request = HTTPRequest(
        method: method, uri: "/event", headers: headers,
        remote: try SocketAddress(ipAddress: remote, port: 40000),
        local: try SocketAddress(ipAddress: local, port: 49152))
      if method == .UNSUBSCRIBE { return parts.source.unsubscribe(request) }
      let (response, onFlushed) = parts.source.subscribe(request)
      onFlushed?()
      return response
    }
  }

  /// Subscribes, and fails unless the source accepts.
  /// - Returns: The SID.
  func subscribe(_ callbacks: String..., timeout: String = "Second-300") async throws -> String {
    let response = try await ask(
      .SUBSCRIBE,
      [
        "CALLBACK": callbacks.map { "<\($0)>" }.joined(), "NT": "upnp:event", "TIMEOUT": timeout,
      ])
    #expect(response.status == .ok)
    return try #require(response.headers.first(name: "SID"))
  }

  func set(_ values: (Int, String)...) async throws {
    try await onLoop { parts in for (index, value) in values { parts.store.set(index, to: value) } }
  }

  func stop() async throws {
    try await eventLoop.flatSubmit { [parts] in parts.value.subscriptions.stop() }.get()
  }
}

/// Waits until the condition holds, with a timeout far longer than any test needs.
func eventually(
  _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () async throws -> Bool
) async throws {
  let end = NIODeadline.now() + .seconds(30)
  while NIODeadline.now() < end {
    if try await condition() { return }
    try await Task.sleep(for: .milliseconds(2))
  }
  try #require(Bool(false), comment ?? "condition never held", sourceLocation: sourceLocation)
}

extension Sequence {
  /// Transforms the elements sequentially.
  func asyncMap<Result>(_ transform: (Element) async throws -> Result) async throws -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
