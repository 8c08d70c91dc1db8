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

extension EventedVariable {
  /// A device may invent channels; further ones are refused.
  private static let maximumChannels = 64

  /// Reads the value. A number or boolean without a value, empty or `NOT_IMPLEMENTED`, becomes nil.
  /// - Returns: false if the text is no value of the type.
  public func read<Value: ArgumentValue>(into variable: inout Value?) -> Bool {
    switch Value.read(value) {
    case .value(let value): variable = value
    case .notAllowed, .wrongType:
      guard value.isAbsentValue else { return false }
      variable = nil
    }
    return true
  }

  /// Reads the value of a channel. A variable without a channel is of the channel `Master`.
  /// - Returns: false if the text is no value of the type.
  public func read<Value: ArgumentValue>(into variable: inout [String: Value]) -> Bool {
    let channel = channel ?? "Master"
    guard variable[channel] != nil || variable.count < Self.maximumChannels else { return false }
    return read(into: &variable[channel])
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
