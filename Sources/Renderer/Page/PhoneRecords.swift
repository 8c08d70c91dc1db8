import Companion
import Page
import PlaybackStore

extension PageCompanions {
  private static let section = "phones"

  /// Nil if no companion is on.
  init?(_ settings: CompanionSettings, board: CompanionBoard, store: StateStore, pairing: PairingDesk?) {
    guard !settings.isEmpty else { return nil }
    self.init(board: board, phones: settings.beacon == nil ? nil : Self.phones(store), pairing: pairing)
  }

  private static func phones(_ store: StateStore) -> PhoneStorage {
    var saved: [SavedPhone] = []
    if let text = store.load(section) {
      if let phones = [SavedPhone](text) { saved = phones } else { store.setAside(section) }
    }
    return PhoneStorage(saved: saved) { store.keep($0.text, as: section) }
  }
}

extension CompanionSettings {
  /// Whether a companion needs devices that are paired.
  var usesPairing: Bool { beacon != nil || presence != nil || buttons != nil }
}

extension [SavedPhone] {
  /// Nil for an invalid text. Unknown keys are ignored.
  init?(_ text: StateText) {
    let columns = ["id", "name", "key", "idle"].map(text.values)
    guard columns.allSatisfy({ $0.count == columns[0].count }) else { return nil }
    self = []
    for row in columns[0].indices {
      guard let id = Int(columns[0][row]), id > 0, id < .max, !contains(where: { $0.id == id }),
        let key = TokenKey(text: columns[2][row]), let idle = Int(columns[3][row]), (0..<1_000_000_000).contains(idle)
      else { return nil }
      append(SavedPhone(id: id, name: columns[1][row], key: key, idle: .seconds(idle)))
    }
  }

  var text: StateText {
    reduce(into: StateText()) { text, phone in
      text.add("id", phone.id)
      text.add("name", phone.name)
      text.add("key", phone.key.text)
      text.add("idle", phone.idle.components.seconds)
    }
  }
}
