import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing
import UPnP

@testable import ControlPoint

/// A device that answers SUBSCRIBE and `GetVolume`, and sends events to its last subscriber.
final class FakeDevice: HTTPSending {
  struct State {
    var methods: [String] = []
    var callback: HTTPURL?
    var volume = "1"
    var subscribeStatus = HTTPResponseStatus.ok
    fileprivate var waiters: [(method: String, count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  let state = Mutex(State())
  private let sid = "uuid:a"

  func count(_ method: String) -> Int { state.withLock { $0.methods.count { $0 == method } } }

  /// Waits until the device has received this many requests of a method.
  func received(_ method: String, count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.methods.count(where: { $0 == method }) >= count { return true }
        state.waiters.append((method, count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  func send(_ request: ClientRequest) async throws(ControlPointError) -> ClientResponse {
    let (response, waiters) = state.withLock { state in
      let response = answer(request, &state)
      state.methods.append(request.method.rawValue)
      let methods = state.methods
      let done = state.waiters.filter { waiter in methods.count { $0 == waiter.method } >= waiter.count }
      state.waiters.removeAll { waiter in methods.count { $0 == waiter.method } >= waiter.count }
      return (response, done.map(\.continuation))
    }
    for waiter in waiters { waiter.resume() }
    return response
  }

  private func answer(_ request: ClientRequest, _ state: inout State) -> ClientResponse {
    switch request.method {
    case .SUBSCRIBE:
      guard state.subscribeStatus == .ok else { return ClientResponse(status: state.subscribeStatus) }
      let callback = request.headers.first(name: "CALLBACK") ?? ""
      state.callback = HTTPURL(callback.dropFirst().dropLast())
      return ClientResponse(status: .ok, headers: ["SID": sid, "TIMEOUT": "Second-1800"])
    case .POST:
      let body = """
        <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><u:GetVolumeResponse xmlns:u="x">\
        <CurrentVolume>\(state.volume)</CurrentVolume></u:GetVolumeResponse></s:Body></s:Envelope>
        """
      return ClientResponse(status: .ok, body: ByteBuffer(string: body))
    default: return ClientResponse(status: .ok)
    }
  }

  /// Sends an event to the last subscriber.
  func notify(
    _ number: Int, _ volume: String, sid: String? = nil, path: String? = nil, body: String? = nil
  ) async throws -> HTTPResponseStatus {
    let callback = try #require(state.withLock { $0.callback })
    let body =
      body ?? """
        <e:propertyset xmlns:e="urn:schemas-upnp-org:event-1-0"><e:property><Volume>\(volume)</Volume></e:property>\
        </e:propertyset>
        """
    let request = ClientRequest(
      .NOTIFY, HTTPURL(host: callback.host, port: callback.port, target: path ?? callback.target),
      headers: ["NT": "upnp:event", "NTS": "upnp:propchange", "SID": sid ?? self.sid, "SEQ": "\(number)"],
      body: ByteBuffer(string: body))
    return try await HTTPClient(group: MultiThreadedEventLoopGroup.singleton, product: "Test/1").send(request).status
  }

  /// A service of the device with one evented variable and its getter.
  func service(_ controlPoint: UPnPControlPoint, hasEvents: Bool = true) -> RemoteService {
    let url = HTTPURL(host: "127.0.0.1", port: 9)
    let variable = ServiceDescription.Variable(
      name: "Volume", dataType: "ui2", isEvented: true, defaultValue: nil, allowedValues: [], range: nil)
    let getter = ServiceDescription.Action(
      name: "GetVolume", arguments: [.init(name: "CurrentVolume", isInput: false, variable: "Volume")])
    return RemoteService(
      .init(type: "urn:x:service:Volume:1", id: "", scpdURL: nil, controlURL: url, eventURL: hasEvents ? url : nil),
      scpd: ServiceDescription(actions: [getter], variables: [variable], deviations: []), controlPoint: controlPoint)
  }
}
