import Synchronization

/// A fault, and the check that has to find it. A check may have several.
struct FaultRow: Sendable {
  var id: String
  var fault: Fault
  /// The device to check; nil for the OpenHome device if the check's area is OpenHome, and the renderer otherwise.
  var device: StandInDevice?

  init(_ id: String, _ fault: Fault, on device: StandInDevice? = nil) {
    self.id = id
    self.fault = fault
    self.device = device
  }

  static let all: [FaultRow] =
    discovery + description + serviceDescriptions + http + control + eventing + renderingControl + connectionManager
    + avTransport + playback + openHomeServices + product + volume + transport + pins
    + playlist + radio + info + songcast + openHomePlayback + speakerPlayback + openHomeHostile
    + contentDirectory + requiredParts + sharing + formats + nextTracks + origins
    + announcements + volumes + protocolInfo + metadata + requests + arguments + agreements + subscribers + hostile
}

extension Fault {
  static func standIn(_ fault: StandInFault) -> Fault { Fault(standIn: fault) }

  static func search(_ change: @escaping @Sendable (String, [String]) -> [String]) -> Fault {
    Fault(onSearch: change)
  }

  /// Replaces text in the answers to searches.
  static func searchText(_ old: String, _ new: String) -> Fault {
    search { _, answers in answers.map { $0.replacing(old, with: new) } }
  }

  /// Changes answers to requests with this method for this path.
  static func answer(
    _ method: String, _ path: String, _ change: @escaping @Sendable (inout ProxyResponse) -> Void
  ) -> Fault {
    Fault(onResponse: { request, response in
      if request.method == method, request.target.hasSuffix(path) { change(&response) }
    })
  }

  /// Replaces text in the description.
  static func description(_ old: String, _ new: String) -> Fault {
    answer("GET", "/description.xml") { $0.replace(old, new) }
  }

  /// Replaces text in the SCPD of a service.
  static func scpd(_ service: String, _ old: String, _ new: String) -> Fault {
    answer("GET", "/\(service)/scpd.xml") { $0.replace(old, new) }
  }

  /// Changes the answers to an action.
  static func action(_ name: String, _ change: @escaping @Sendable (inout ProxyResponse) -> Void) -> Fault {
    Fault(onResponse: { request, response in if request.action == name { change(&response) } })
  }

  /// Replaces an output argument.
  static func output(_ name: String, of action: String, _ value: String) -> Fault {
    self.action(action) { $0.setText(name, value) }
  }

  /// Answers an action with success without performing it.
  static func ignores(_ action: String) -> Fault {
    Fault(
      onRequest: { request in
        guard request.action == action else { return }
        request.set("soapaction", "\"urn:schemas-upnp-org:service:AVTransport:1#GetTransportInfo\"")
        request.body = #"""
          <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>\#
          <u:GetTransportInfo xmlns:u="urn:schemas-upnp-org:service:AVTransport:1"><InstanceID>0</InstanceID>\#
          </u:GetTransportInfo></s:Body></s:Envelope>
          """#
        request.set("content-length", "\(request.body.utf8.count)")
      },
      onResponse: { request, response in
        if request.action == action { response.replace("GetTransportInfoResponse", "\(action)Response") }
      })
  }

  /// Answers actions whose request contains a text with a UPnPError.
  /// - Parameter first: how many such requests are performed before.
  static func refuses(_ text: String, code: Int, after first: Int = 0) -> Fault {
    let counter = Counter()
    return Fault(onResponse: { request, response in
      guard request.method == "POST", request.text.contains(text), counter.next() > first else { return }
      response.status = 500
      response.text = """
        <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault>\
        <faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail>\
        <UPnPError xmlns="urn:schemas-upnp-org:control-1-0"><errorCode>\(code)</errorCode></UPnPError>\
        </detail></s:Fault></s:Body></s:Envelope>
        """
    })
  }

  /// Replaces text in the requests for an action.
  static func input(of action: String, _ old: String, _ new: String) -> Fault {
    Fault(onRequest: { if $0.action == action { $0.replace(old, new) } })
  }

  /// Sends no event but the first of each subscription.
  static let initialEventsOnly = Fault(onEvent: { $0.header("seq") == "0" })

  /// Replaces text in the bodies of requests.
  static func input(_ old: String, _ new: String) -> Fault { Fault(onRequest: { $0.replace(old, new) }) }

  /// Answers requests of a method with this status.
  static func status(
    _ status: Int, for method: String, if condition: @escaping @Sendable (ProxyRequest) -> Bool = { _ in true }
  ) -> Fault {
    Fault(onResponse: { request, response in
      if request.method == method, condition(request) { response.status = status }
    })
  }

  static func event(_ change: @escaping @Sendable (inout ProxyRequest) -> Void) -> Fault {
    Fault(onEvent: { event in
      change(&event)
      return true
    })
  }

  static func eventText(_ old: String, _ new: String) -> Fault { event { $0.replace(old, new) } }
}

/// A thread-safe counter.
final class Counter: Sendable {
  private let value = Mutex(0)

  func next() -> Int {
    value.withLock { value in
      value += 1
      return value
    }
  }
}
