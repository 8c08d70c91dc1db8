import UPnP

/// A typed client of one service type. The generator makes one per SCPD, such as `AVTransport1Client`.
public protocol ServiceClient: Sendable {
  /// The evented variables.
  associatedtype Values: EventedValues

  /// The lowest version that the client understands.
  static var serviceType: URN { get }
  /// The namespace of the service's LastChange; nil if events carry each variable as a property.
  static var lastChangeNamespace: String? { get }
  var service: RemoteService { get }

  init(_ service: RemoteService)
}

extension ServiceClient {
  public static var lastChangeNamespace: String? { nil }
}

extension UPnPControlPoint {
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
