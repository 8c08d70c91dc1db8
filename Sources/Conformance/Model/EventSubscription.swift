import ControlPoint
import UPnP

struct EventSubscription: Sendable {
  let sid: String
  let url: HTTPURL
  let path: String
  let response: RawResponse
  private let sink: EventSink

  init(sid: String, url: HTTPURL, path: String, response: RawResponse, sink: EventSink) {
    self.sid = sid
    self.url = url
    self.path = path
    self.response = response
    self.sink = sink
  }

  /// Waits until the events so far yield a result.
  func wait<Result: Sendable>(
    _ limit: Duration, until examine: @Sendable ([RawEvent]) -> Result?
  ) async -> Result? {
    await sink.inbox.wait(limit) { [path] events, _ in examine(events.filter { $0.path == path }) }
  }
}

extension CheckContext {
  func subscribeRequest(_ url: HTTPURL, callback: String?, nt: String? = "upnp:event") -> RawRequest {
    var request = RawRequest("SUBSCRIBE", url)
    if let callback { request.headers.append(("CALLBACK", "<\(callback)>")) }
    if let nt { request.headers.append(("NT", nt)) }
    request.headers.append(("TIMEOUT", "Second-300"))
    return request
  }

  func renewal(_ url: HTTPURL, sid: String) -> RawRequest {
    RawRequest("SUBSCRIBE", url, [("SID", sid), ("TIMEOUT", "Second-300")])
  }

  func eventURL(_ service: Target.Service) throws(Finding) -> HTTPURL {
    guard let url = service.description.eventURL else {
      throw .failure(expected: "an eventSubURL for \(service.name)", got: "none")
    }
    return url
  }

  /// Subscribes, runs the body, and unsubscribes in any case.
  /// - Parameters:
  ///   - sink: the receiver of the events; nil for the usual one.
  ///   - path: the path of the callback; nil for a new one.
  ///   - before: text before the callback's URL in CALLBACK.
  func withSubscription<Value: Sendable>(
    to service: Target.Service, at sink: EventSink? = nil, path: String? = nil, before: String = "",
    _ body: (EventSubscription) async throws(Finding) -> Value
  ) async throws(Finding) -> Value {
    let url = try eventURL(service)
    let sink = sink ?? self.sink
    let path = path ?? sink.newPath()
    var request = subscribeRequest(url, callback: nil)
    request.headers.append(("CALLBACK", "\(before)<\(sink.url(path))>"))
    let response = try await exchange(request)
    guard response.status == 200 else {
      throw .failure(expected: "status 200 for SUBSCRIBE to \(service.name)", got: "\(response.status)")
    }
    guard let sid = response.header("sid"), !sid.isEmpty else {
      throw .failure(expected: "a SID in the answer to SUBSCRIBE", got: "none")
    }
    let subscription = EventSubscription(sid: sid, url: url, path: path, response: response, sink: sink)
    let result: Result<Value, Finding>
    do throws(Finding) {
      result = .success(try await body(subscription))
    } catch {
      result = .failure(error)
    }
    await unsubscribe(subscription)
    return try result.get()
  }

  /// Sent even by a cancelled task, so that the device does not keep the subscription.
  private func unsubscribe(_ subscription: EventSubscription) async {
    let request = RawRequest("UNSUBSCRIBE", subscription.url, [("SID", subscription.sid)])
    // Cleanup does not belong to the log of a failed check.
    let task = Task { await WireLog.$current.withValue(nil) { _ = try? await exchange(request) } }
    await task.value
  }

  func initialEvent(_ subscription: EventSubscription) async throws(Finding) -> RawEvent {
    // A device that has not sent one gets little time for others.
    let failure = shared.failure(of: "uda/4.3/initial")
    guard let event = await subscription.wait(failure == nil ? times.event : times.settle, until: { $0.first }) else {
      if let failure { throw .inconclusive(failure) }
      throw .failure(expected: "an initial event", got: "none within \(times.event)")
    }
    return event
  }

  /// The variables of an event, with those inside LastChange.
  func variables(_ event: RawEvent) throws(Finding) -> [EventedVariable] {
    do throws(XMLReadingError) {
      return try EventReader.read(event.body).variables
    } catch {
      throw .failure(expected: "an event that is XML", got: "\(error)")
    }
  }

  /// The names of the variables that an event contains, without looking into LastChange.
  func propertyNames(_ event: RawEvent) throws(Finding) -> [String] {
    guard let root = try? XMLDocument.read(event.body).root else {
      throw .failure(expected: "an event that is XML", got: event.quotedBody)
    }
    return root.all("property").flatMap(\.children).map(\.name)
  }

  /// The document inside LastChange.
  func lastChange(_ event: RawEvent) throws(Finding) -> XMLElement {
    guard let root = try? XMLDocument.read(event.body).root,
      let property = root.all("property").lazy.compactMap({ $0["LastChange"] }).first
    else { throw .failure(expected: "an event with LastChange", got: event.quotedBody) }
    guard let reading = try? XMLDocument.read(Array(property.text.utf8)), reading.repairs.isEmpty else {
      throw .failure(expected: "well-formed XML in LastChange", got: "\"\(property.text.prefix(80))\"")
    }
    return reading.root
  }
}
