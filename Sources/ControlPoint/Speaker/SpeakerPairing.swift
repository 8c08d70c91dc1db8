import UPnP

/// The descriptions of one machine's devices: a UPnP AV renderer, an OpenHome device, or both.
public struct SpeakerDevices: Sendable, Hashable {
  /// The device with AVTransport or RenderingControl.
  public var renderer: DeviceDescription?
  /// The device with OpenHome's Product or Playlist. The same as `renderer` if one device has both.
  public var openHome: DeviceDescription?

  public init(renderer: DeviceDescription?, openHome: DeviceDescription?) {
    self.renderer = renderer
    self.openHome = openHome
  }

  /// The page that one of them presents on its own host; nil without one. A description may name any other site.
  public var page: HTTPURL? {
    descriptions.lazy.compactMap { description in
      description.root.presentationURL.flatMap { $0.host == description.location.host ? $0 : nil }
    }.first
  }

  /// The descriptions, one or two.
  public var descriptions: [DeviceDescription] {
    guard let renderer else { return openHome.map { [$0] } ?? [] }
    guard let openHome, openHome.root.udn != renderer.root.udn || openHome.location != renderer.location else {
      return [renderer]
    }
    return [renderer, openHome]
  }

  /// The friendly name; that of the renderer if there are two, since OpenHome's often has a suffix.
  public var name: String { (renderer ?? openHome)?.root.friendlyName ?? "" }
}

/// Finds the devices that belong to one machine. Most OpenHome players announce two root devices.
public enum SpeakerPairing {
  private enum Kind: Hashable {
    case renderer, openHome, both
  }

  /// The speakers among the devices, in the order of their first device. Devices that cannot play are left out.
  ///
  /// A renderer and an OpenHome device on one host belong together if they are the only ones on a port, if their names match
  /// without suffixes such as `(OpenHome)`, or if they are the only ones on the host and have the same manufacturer.
  public static func speakers(among descriptions: [DeviceDescription]) -> [SpeakerDevices] {
    var unpaired: [(offset: Int, description: DeviceDescription, kind: Kind)] = []
    var result: [(offset: Int, devices: SpeakerDevices)] = []
    for (offset, description) in descriptions.enumerated() {
      switch kind(of: description) {
      case nil: continue
      case .both: result.append((offset, SpeakerDevices(renderer: description, openHome: description)))
      case let kind?: unpaired.append((offset, description, kind))
      }
    }
    /// Pairs a renderer and an OpenHome device where each is the only one of its kind with that key.
    func pair<Key: Hashable>(by key: (DeviceDescription) -> Key) {
      for group in Dictionary(grouping: unpaired, by: { key($0.description) }).values {
        let renderers = group.filter { $0.kind == .renderer }
        let openHome = group.filter { $0.kind == .openHome }
        guard renderers.count == 1, openHome.count == 1 else { continue }
        let offsets = [renderers[0].offset, openHome[0].offset]
        unpaired.removeAll { offsets.contains($0.offset) }
        result.append(
          (
            min(offsets[0], offsets[1]),
            SpeakerDevices(renderer: renderers[0].description, openHome: openHome[0].description)
          ))
      }
    }
    pair { [$0.location.host, "\($0.location.port)"] }
    pair { [$0.location.host, plainName($0.root.friendlyName)] }
    pair { [$0.location.host, $0.root.manufacturer.lowercased()] }
    for (offset, description, kind) in unpaired {
      let devices =
        kind == .renderer
        ? SpeakerDevices(renderer: description, openHome: nil) : SpeakerDevices(renderer: nil, openHome: description)
      result.append((offset, devices))
    }
    return result.sorted { $0.offset < $1.offset }.map(\.devices)
  }

  private static func kind(of description: DeviceDescription) -> Kind? {
    let urns = description.root.all.flatMap(\.services).compactMap(\.urn)
    func has(_ domain: String, _ names: [String]) -> Bool {
      urns.contains { $0.domain == domain && names.contains($0.name) }
    }
    let isRenderer = has("schemas-upnp-org", ["AVTransport", "RenderingControl"])
    let isOpenHome = has("av-openhome-org", ["Product", "Playlist"])
    return isRenderer ? (isOpenHome ? .both : .renderer) : (isOpenHome ? .openHome : nil)
  }

  private static let suffixes: Set = ["openhome", "oh", "upnp", "av", "upnpav", "dlna", "renderer", "mediarenderer"]

  /// The name in lower case, without words at the end that only say what kind of device it is.
  static func plainName(_ name: String) -> String {
    var words = name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    while words.count > 1, let last = words.last, suffixes.contains(last) { words.removeLast() }
    return words.joined(separator: " ")
  }
}
