import Logging
import NIOCore
import NIOHTTP1
import NIOPosix

@testable import DeviceStack
@testable import UPnP

/// SUBSCRIBE and UNSUBSCRIBE requests as header lines `NAME: value`, with an empty line between requests.
enum GENATarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
    let bytes = Array(input)
    _ = try? eventLoop.submit { bytes.withUnsafeBytes { requests(Input($0), on: eventLoop) } }.wait()
  }

  private static func requests(_ input: Input, on eventLoop: any EventLoop) {
    let subscriptions = Subscriptions(
      eventLoop: eventLoop, policy: CallbackPolicy(), productToken: "Linux/6.1 UPnP/1.1 Fuzz/1.0",
      limits: SubscriptionTable.Limits(total: 8, perAddress: 4), logger: Silence.logger
    ) { _ in 24 }
    let store = VariableStore(form: .properties, initial: [(VariableStore.Variable("A"), "")])
    let source = EventSource(store: store, moderation: Moderation(.zero), subscriptions: subscriptions, name: "Fuzz")
    guard let subscriber = try? SocketAddress(ipAddress: "192.0.2.2", port: 40000),
      let local = try? SocketAddress(ipAddress: "192.0.2.1", port: 49152)
    else { return }
    var input = input
    var headers = HTTPHeaders()
    while let line = input.line() {
      let parts = line.split(separator: ":", maxSplits: 1)
      // The HTTP parser rejects all other names.
      if parts.count == 2, parts[0].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
        headers.add(name: String(parts[0]), value: String(parts[1].drop { $0 == " " }))
        continue
      }
      let request = HTTPRequest(method: .SUBSCRIBE, uri: "/", headers: headers, remote: subscriber, local: local)
      // No connection is made: the initial event waits for the response to be sent, which is never reported here.
      let response = source.subscribe(request).response
      if response.status == .ok { checkAcceptance(response, source, request) }
      check(subscriptions.count <= 4, "\(subscriptions.count) subscriptions of one address")
      _ = source.unsubscribe(request)
      headers = HTTPHeaders()
    }
    _ = subscriptions.stop()
    check(subscriptions.count == 0, "a subscription stays")
    callbacks(headers)
  }

  private static func checkAcceptance(_ response: HTTPResponse, _ source: EventSource, _ request: HTTPRequest) {
    guard let sid = response.headers.first(name: "SID") else { return check(false, "no SID") }
    check(SID(sid)?.description == sid, "the SID \(sid)")
    let timeout = response.headers.first(name: "TIMEOUT") ?? ""
    let seconds = TimeoutHeader.granted(timeout)
    check(timeout == TimeoutHeader.text(seconds), "the timeout \(timeout)")
    check((TimeoutHeader.minimum...TimeoutHeader.maximum).contains(seconds), "the timeout \(timeout)")
    if !request.headers.contains(name: "sid") {
      let callbacks = CallbackHeader.parse(request.headers["callback"].joined(), allowed: isNear)
      check(!callbacks.isEmpty, "nobody near is called")
    }
  }

  private static func callbacks(_ headers: HTTPHeaders) {
    for header in headers {
      for url in CallbackHeader.parse(header.value, allowed: { _ in true }) {
        // The target and authority must not end the request line or the HOST header.
        let sent = url.target + String(url.authority)
        check(sent.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "sent to \(sent)")
        check(url.target.hasPrefix("/") && url.port > 0 && !url.authority.isEmpty, "\(url)")
      }
      _ = SID(header.value)
    }
  }

  private static func isNear(_ address: IPAddress) -> Bool {
    address.description.hasPrefix("192.0.2.") && address.description != "192.0.2.1"
  }
}
