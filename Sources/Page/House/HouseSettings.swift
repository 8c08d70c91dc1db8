import ControlPoint
import NIOCore
import UPnP

/// The settings of the page's control point.
public struct HouseSettings: Sendable {
  /// The value of USER-AGENT: `OS/version UPnP/1.1 product/version`.
  public var product: String
  /// The interfaces to search on: those of the speaker.
  public var interfaces: InterfacePolicy
  /// Further networks that may be contacted.
  public var networks: [CIDR]
  /// The speaker's own devices, as `uuid:…`. They are not listed among the other speakers, and come
  /// first among the media servers.
  public var ownUDNs: Set<String>
  /// The beginnings of the paths of the pictures on the speaker's own server.
  public var ownPictures: [String]
  /// The playable formats, as a Sink list.
  public var protocolInfo: String

  public init(
    product: String, interfaces: InterfacePolicy, networks: [CIDR], ownUDNs: Set<String>, ownPictures: [String] = [],
    protocolInfo: String
  ) {
    self.product = product
    self.interfaces = interfaces
    self.networks = networks
    self.ownUDNs = ownUDNs
    self.ownPictures = ownPictures
    self.protocolInfo = protocolInfo
  }
}

extension ControlPointSettings {
  /// Short timeouts and low limits, because a person waits for the answers and a speaker has little memory.
  init(_ settings: HouseSettings) {
    self.init(
      product: settings.product, interfaces: settings.interfaces,
      addresses: AddressPolicy(allowed: settings.networks))
    actionTimeout = .seconds(10)
    maximumAnswer = 2 << 20
    maximumDevices = 512
  }
}
