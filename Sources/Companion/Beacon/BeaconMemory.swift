import PlaybackStore

/// Keeps the beacon's UUID and its last session over restarts.
struct BeaconMemory {
  private static let section = "beacon"

  private let store: StateStore
  let uuid: ProximityUUID
  /// The last session.
  let major: UInt16

  /// Makes a UUID the first time. The first session is random.
  init(_ store: StateStore) {
    self.store = store
    let text = store.load(Self.section)
    var generator = SystemRandomNumberGenerator()
    if let text, let uuid = text["uuid"].flatMap(ProximityUUID.init) {
      self.uuid = uuid
      major = text.value("session") ?? .random(in: 1 ... .max, using: &generator)
    } else {
      // Phones know the speaker by its UUID, so an unreadable one is not thrown away.
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
