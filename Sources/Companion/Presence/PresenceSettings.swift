/// A set of iBeacons: all with a UUID, or those that also have this major and minor number.
package struct BeaconRegion: Sendable, Hashable {
  package var uuid: ProximityUUID
  /// Nil for any.
  package var major: UInt16?
  /// Nil for any. Only with `major`.
  package var minor: UInt16?

  package init(uuid: ProximityUUID, major: UInt16? = nil, minor: UInt16? = nil) {
    (self.uuid, self.major, self.minor) = (uuid, major, minor)
  }

  /// The regions of an iBeacon, the smallest first.
  static func containing(_ frame: BeaconFrame) -> [Self] {
    [
      Self(uuid: frame.uuid, major: frame.major, minor: frame.minor), Self(uuid: frame.uuid, major: frame.major),
      Self(uuid: frame.uuid),
    ]
  }
}

/// The people to watch, and the actions when they leave and return.
package struct PresenceSettings: Sendable, Equatable {
  package struct Person: Sendable, Equatable {
    package enum Device: Sendable, Hashable {
      /// The identity address, upper case: of a phone that is bonded, or of a tag with a fixed address.
      case address(String)
      case beacon(BeaconRegion)
    }

    package var name: String
    package var device: Device
    /// The level that counts as near, in dBm; nil for the common threshold.
    package var threshold: Int?

    package init(name: String, device: Device, threshold: Int? = nil) {
      self.name = name
      self.device = device
      self.threshold = threshold
    }
  }

  package var people: [Person]
  /// The level that counts as near, in dBm.
  package var threshold: Int
  /// How long somebody must be near to count as present.
  package var arrival: Duration
  /// How long somebody must be out of range to have left.
  package var departure: Duration
  package var onLeave: CompanionAction?
  package var onReturn: PresenceAction?
  /// A hook for each arrival and departure; empty for none.
  package var onChange: [String]

  package init(
    people: [Person] = [], threshold: Int = -85, arrival: Duration = .seconds(5), departure: Duration = .seconds(180),
    onLeave: CompanionAction? = nil, onReturn: PresenceAction? = nil, onChange: [String] = []
  ) {
    self.people = people
    self.threshold = threshold
    self.arrival = arrival
    self.departure = departure
    self.onLeave = onLeave
    self.onReturn = onReturn
    self.onChange = onChange
  }
}
