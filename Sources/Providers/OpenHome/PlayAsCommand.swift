/// What Transport's PlayAs is to play of a source, as OpenHome's own player understands it.
enum PlayAsCommand: Equatable {
  /// What the source has.
  case current
  /// A track of the playlist, or a preset of the radio: `id=7`.
  case id(UInt32)
  /// By its place, from 0: `index=6`.
  case index(UInt32)

  /// Nil for a text that says none of these.
  init?(_ text: String) {
    if text.isEmpty {
      self = .current
      return
    }
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let number = UInt32(parts[1]) else { return nil }
    switch parts[0] {
    case "id": self = .id(number)
    case "index": self = .index(number)
    default: return nil
    }
  }
}
