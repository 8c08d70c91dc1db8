import UPnP

/// The clients of a speaker's services.
struct SpeakerServices: Sendable {
  var product: Product1Client?
  var playlist: Playlist1Client?
  var radio: Radio1Client?
  var receiver: Receiver1Client?
  var sender: Sender1Client?
  var transport: Transport1Client?
  var volume: Volume1Client?
  var info: Info1Client?
  var time: Time1Client?
  var avTransport: AVTransport1Client?
  var renderingControl: RenderingControl1Client?
  var connectionManager: ConnectionManager1Client?

  private static let types: [URN] = [
    Product1Client.serviceType, Playlist1Client.serviceType, Radio1Client.serviceType, Receiver1Client.serviceType,
    Sender1Client.serviceType, Transport1Client.serviceType, Volume1Client.serviceType, Info1Client.serviceType,
    Time1Client.serviceType, AVTransport1Client.serviceType, RenderingControl1Client.serviceType,
    ConnectionManager1Client.serviceType,
  ]

  /// The services of these devices and their embedded ones that a speaker uses.
  static func wanted(of devices: SpeakerDevices) -> [DeviceDescription.Service] {
    let all = devices.descriptions.flatMap(\.root.all)
    return types.compactMap { type in all.lazy.compactMap { $0.service(type) }.first }
  }

  init(_ services: [RemoteService]) {
    func client<Client: ServiceClient>(_ type: Client.Type) -> Client? {
      services.first { $0.description.urn?.satisfies(Client.serviceType) ?? false }.map { Client($0) }
    }
    product = client(Product1Client.self)
    playlist = client(Playlist1Client.self)
    radio = client(Radio1Client.self)
    receiver = client(Receiver1Client.self)
    sender = client(Sender1Client.self)
    transport = client(Transport1Client.self)
    volume = client(Volume1Client.self)
    info = client(Info1Client.self)
    time = client(Time1Client.self)
    avTransport = client(AVTransport1Client.self)
    renderingControl = client(RenderingControl1Client.self)
    connectionManager = client(ConnectionManager1Client.self)
  }

  var capabilities: SpeakerCapabilities {
    func actions(_ client: (some ServiceClient)?) -> Set<String>? {
      client.map { Set($0.service.scpd.actions.map(\.name)) }
    }
    let all: [(SpeakerCapabilities.Mechanism, Set<String>?)] = [
      (.product, actions(product)), (.playlist, actions(playlist)), (.radio, actions(radio)),
      (.receiver, actions(receiver)), (.transport, actions(transport)), (.volume, actions(volume)),
      (.avTransport, actions(avTransport)), (.renderingControl, actions(renderingControl)),
    ]
    return SpeakerCapabilities(
      offered: Dictionary(uniqueKeysWithValues: all.compactMap { name, actions in actions.map { (name, $0) } }))
  }
}

extension UPnPControlPoint {
  /// Small devices accept few connections.
  private static let simultaneousRequests = 4

  /// A struct, because Swift 6.3 loses members of a tuple that a task returns: `Tests/upstream/task_tuple.swift`.
  private struct Answer {
    let name: String
    let result: Result<RemoteService, ControlPointError>
  }

  /// A speaker of the devices at these URLs: a renderer, an OpenHome device, or both of one machine.
  /// - Throws: if a description cannot be read, or `.notOffered` if the devices are not a speaker.
  public func speaker(at locations: HTTPURL...) async throws(ControlPointError) -> RemoteSpeaker {
    var descriptions: [DeviceDescription] = []
    for location in locations { descriptions.append(try await description(at: location)) }
    return try await speaker(of: descriptions)
  }

  /// A speaker of these devices, which belong to one machine; see `SpeakerPairing`.
  /// - Throws: `.notOffered` if the devices are not a speaker.
  public func speaker(of descriptions: [DeviceDescription]) async throws(ControlPointError) -> RemoteSpeaker {
    let speakers = SpeakerPairing.speakers(among: descriptions)
    let devices = SpeakerDevices(
      renderer: speakers.lazy.compactMap(\.renderer).first, openHome: speakers.lazy.compactMap(\.openHome).first)
    return try await speaker(of: devices)
  }

  /// A speaker of a machine's devices. Services whose SCPD cannot be read are not used.
  /// - Throws: `.notOffered` if there are none, or the reason why no SCPD can be read.
  public func speaker(of devices: SpeakerDevices) async throws(ControlPointError) -> RemoteSpeaker {
    let wanted = SpeakerServices.wanted(of: devices)
    guard !wanted.isEmpty else { throw .notOffered("services of a speaker") }
    var services: [RemoteService] = []
    var unreadable: [(name: String, error: ControlPointError)] = []
    await withTaskGroup(of: Answer.self) { group in
      var remaining = wanted[...]
      func begin() {
        guard let service = remaining.popFirst() else { return }
        group.addTask {
          Answer(
            name: service.name,
            result: await outcome { () throws(ControlPointError) in try await self.service(service) })
        }
      }
      for _ in 0..<Self.simultaneousRequests { begin() }
      for await answer in group {
        begin()
        switch answer.result {
        case .success(let service): services.append(service)
        case .failure(let error): unreadable.append((answer.name, error))
        }
      }
    }
    if services.isEmpty, let error = unreadable.first?.error { throw error }
    let deviations = unreadable.sorted { $0.name < $1.name }.map {
      Deviation(place: "\($0.name) SCPD", text: "It cannot be read: \($0.error)", source: "UDA 1.1 §2.5")
    }
    return RemoteSpeaker(devices: devices, services: SpeakerServices(services), deviations: deviations)
  }
}
