import PlaybackStore

/// Stores the beacon's UUID and its last session across restarts.
struct BeaconMemory {
  private static let section = "beacon"

  private let store: StateStore
  let uuid: ProximityUUID
  /// The last saved session.
  let major: UInt16

  /// Loads the UUID and the session. The first time, both are random.
  init(_ store: StateStore) {
    self.store = store
    let text = store.load(Self.section)
    var generator = SystemRandomNumberGenerator()
    if let text, let uuid = text["uuid"].flatMap(ProximityUUID.init) {
      self.uuid = uuid
      major = text.value("session") ?? .random(in: 1 ... .max, using: &generator)
    } else {
      // Phones know the speaker by its UUID, so an unreadable section is kept for repair.
      if text != nil { store.setAside(Self.section) }
      uuid = .random(using: &generator)
      major = .random(in: 1 ... .max, using: &generator)
    }
  }

  /// Saves the session within a second.
  func keep(_ major: UInt16) {
    var text = StateText()
    text.add("uuid", uuid.description)
    text.add("session", major)
    store.keep(text, as: Self.section)
  }
}
