import UPnP

/// A typed client of one service type. The generator makes one per SCPD, such as `AVTransport1Client`.
public protocol ServiceClient: Sendable {
  /// The evented variables.
  associatedtype Values: EventedValues

  /// The lowest version that the client understands.
  static var serviceType: URN { get }
  var service: RemoteService { get }

  init(_ service: RemoteService)
}

/// The evented variables of a service. Each is nil, or empty, until an event contains it.
public protocol EventedValues: Sendable, Equatable {
  init()

  /// Sets one variable from an event.
  /// - Returns: false if the service has no such variable, or the text is no value of its type.
  mutating func set(_ variable: EventedVariable) -> Bool
}

/// A variable as an event carries it.
public struct EventedVariable: Sendable, Hashable {
  public var name: String
  /// The channel within LastChange, such as `Master`; nil for variables without channels.
  public var channel: String?
  public var value: String

  public init(_ name: String, channel: String? = nil, _ value: String) {
    self.name = name
    self.channel = channel
    self.value = value
  }
}

extension ControlPoint {
  /// Reads the SCPD of a service, so that its actions can be called.
  public func service(_ service: DeviceDescription.Service) async throws(ControlPointError) -> RemoteService {
    RemoteService(service, scpd: try await scpd(of: service), controlPoint: self)
  }

  /// A client of the device's service of that type, in the client's version or a later one.
  /// - Throws: `.notOffered` if neither the device nor an embedded one has the service.
  public func client<Client: ServiceClient>(
    _ type: Client.Type, of device: DeviceDescription.Device
  ) async throws(ControlPointError) -> Client {
    guard let found = device.all.lazy.compactMap({ $0.service(Client.serviceType) }).first else {
      throw .notOffered("\(Client.serviceType)")
    }
    return Client(try await service(found))
  }
}
