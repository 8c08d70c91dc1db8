import ControlPoint

/// Groups the devices in the house into other speakers, and decides which of them to start or stop following. A pure
/// state machine.
struct SpeakerRoster {
  static let maximumSpeakers = 32

  /// The speakers to stop following, and then those to start following, by id.
  struct Changes: Equatable {
    var stop: [String] = []
    var begin: [String: SpeakerDevices] = [:]
  }

  /// The UDNs of the speaker itself.
  let own: Set<String>
  /// The speakers that are followed, by id.
  private(set) var speakers: [String: SpeakerDevices] = [:]

  init(own: Set<String>) { self.own = own }

  /// - Parameter descriptions: the descriptions of all devices; empty to stop everything.
  mutating func update(_ descriptions: [DeviceDescription]) -> Changes {
    let foreign = descriptions.filter { !own.contains($0.root.udn) }
    var all: [(id: String, devices: SpeakerDevices)] = []
    for devices in SpeakerPairing.speakers(among: foreign) {
      guard let id = devices.descriptions.first?.root.udn, !id.isEmpty, !all.contains(where: { $0.id == id }) else {
        continue
      }
      all.append((id, devices))
    }
    // If there are too many, keep those that are followed already.
    let chosen = all.filter { speakers[$0.id] != nil } + all.filter { speakers[$0.id] == nil }
    let wanted = Dictionary(uniqueKeysWithValues: chosen.prefix(Self.maximumSpeakers).map { ($0.id, $0.devices) })
    var changes = Changes()
    for (id, devices) in speakers where wanted[id] != devices { changes.stop.append(id) }
    for (id, devices) in wanted where speakers[id] != devices { changes.begin[id] = devices }
    changes.stop.sort()
    speakers = wanted
    return changes
  }

  /// The id of the speaker that a device belongs to. A client may know an id from before the devices were paired.
  func id(of udn: String) -> String? {
    if speakers[udn] != nil { return udn }
    return speakers.first { $0.value.descriptions.contains { $0.root.udn == udn } }?.key
  }
}
