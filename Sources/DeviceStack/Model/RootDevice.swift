import UPnP

/// A root device: its description and its services.
public struct RootDevice {
  /// The content of the description.
  public var info: DeviceInfo
  /// The services, in the order of the description.
  public var services: [HostedService]
  /// The first component of all its URLs, unique within the host: `renderer` results in `/renderer/description.xml`.
  public var folder: String
  /// The DNS-SD service type to announce, such as `_openhome._tcp`, with the description's URL as `upnp` in the TXT record;
  /// nil for none.
  public var dnssdType: String?

  /// - Parameters:
  ///   - info: the content of the description.
  ///   - services: the services, in the order of the description.
  ///   - folder: the first component of all its URLs, unique within the host.
  public init(info: DeviceInfo, services: [HostedService], folder: String) {
    self.info = info
    self.services = services
    self.folder = folder
  }

  /// The absolute path of the device description on the HTTP server.
  public var descriptionPath: String { paths.description }

  var paths: DevicePaths { DevicePaths(folder: folder) }
}

/// A service of a device: its definition, its evented variables and its provider. Generated code creates it.
public struct HostedService {
  /// Performs an action.
  public typealias Invoke = (_ action: String, _ arguments: ActionArguments) throws(ActionFault) -> [ActionResult]

  /// Begins an action whose results come later, in one call of the reply. Returns false for other actions.
  public typealias Begin = (
    _ action: String, _ arguments: ActionArguments, _ reply: @escaping Reply
  ) throws(ActionFault) -> Bool
  /// Delivers the results of an action, or its fault.
  public typealias Reply = (Result<[ActionResult], ActionFault>) -> Void

  let definition: any ServiceDefinition.Type
  /// nil for a service without evented variables.
  let store: VariableStore?
  let begin: Begin?
  let invoke: Invoke

  /// - Parameters:
  ///   - definition: the generated type of the service.
  ///   - store: the evented variables; nil for a service without any.
  ///   - begin: the generated `begin` on the provider; nil for a service without deferred actions.
  ///   - invoke: the generated `invoke` on the provider.
  public init(
    _ definition: any ServiceDefinition.Type, store: VariableStore?, begin: Begin? = nil, invoke: @escaping Invoke
  ) {
    self.definition = definition
    self.store = store
    self.begin = begin
    self.invoke = invoke
  }
}

/// A hosted service as its SCPD describes it. The generator makes one for each SCPD that a target selects.
public protocol ServiceDefinition {
  /// The type and version.
  static var serviceType: URN { get }
  /// The serviceId: `urn:upnp-org:serviceId:…` for the UPnP Forum's services (UDA 1.1 §2.3).
  static var serviceID: String { get }
  /// The SCPD, served byte for byte.
  static var scpd: StaticString { get }
  /// The shortest times between two events.
  static var moderation: Moderation { get }
}

/// The paths of a device on the HTTP server, for the description and the router.
struct DevicePaths {
  var folder: String

  var description: String { "/\(folder)/description.xml" }

  func icon(_ icon: Icon) -> String { "/\(folder)/\(icon.fileName)" }

  func scpd(_ service: any ServiceDefinition.Type) -> String { path(service, "scpd.xml") }

  func control(_ service: any ServiceDefinition.Type) -> String { path(service, "control") }

  func events(_ service: any ServiceDefinition.Type) -> String { path(service, "events") }

  private func path(_ service: any ServiceDefinition.Type, _ name: String) -> String {
    "/\(folder)/\(service.serviceType.name)/\(name)"
  }
}
