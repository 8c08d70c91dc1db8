import ControlPoint

/// Groups the devices in the house into speakers, and decides which of them to start or stop following. A pure state
/// machine.
struct SpeakerRoster {
  /// Maximum number of other speakers.
  static let maximumSpeakers = 32

  /// The speakers to stop following, and then those to start following, by id.
  struct Changes: Equatable {
    var stop: [String] = []
    var begin: [String: SpeakerDevices] = [:]
  }

  /// The UDNs of the speaker itself.
  let own: Set<String>
  /// The speakers that are followed, by id, with the speaker itself.
  private(set) var speakers: [String: SpeakerDevices] = [:]

  init(own: Set<String>) { self.own = own }

  /// - Parameter descriptions: the descriptions of all devices; empty to stop everything.
  mutating func update(_ descriptions: [DeviceDescription]) -> Changes {
    let all = Self.speakers(among: descriptions.filter { !own.contains($0.root.udn) })
    // If there are too many, keep those that are followed already.
    let chosen = all.filter { speakers[$0.id] != nil } + all.filter { speakers[$0.id] == nil }
    let itself = Self.speakers(among: descriptions.filter { own.contains($0.root.udn) })
    let wanted = Dictionary(
      (itself + chosen.prefix(Self.maximumSpeakers)).map { ($0.id, $0.devices) },
      uniquingKeysWith: { first, _ in first })
    var changes = Changes()
    for (id, devices) in speakers where wanted[id] != devices { changes.stop.append(id) }
    for (id, devices) in wanted where speakers[id] != devices { changes.begin[id] = devices }
    changes.stop.sort()
    speakers = wanted
    return changes
  }

  private static func speakers(among descriptions: [DeviceDescription]) -> [(id: String, devices: SpeakerDevices)] {
    var all: [(id: String, devices: SpeakerDevices)] = []
    for devices in SpeakerPairing.speakers(among: descriptions) {
      guard let id = devices.descriptions.first?.root.udn, !id.isEmpty, !all.contains(where: { $0.id == id }) else {
        continue
      }
      all.append((id, devices))
    }
    return all
  }

  /// The id of the speaker itself; nil until its devices are found.
  var ownID: String? { speakers.keys.first { own.contains($0) } }

  /// The id of the speaker that a device belongs to. A client may know an id from before the devices were paired.
  func id(of udn: String) -> String? {
    if speakers[udn] != nil { return udn }
    return speakers.first { $0.value.descriptions.contains { $0.root.udn == udn } }?.key
  }
}
