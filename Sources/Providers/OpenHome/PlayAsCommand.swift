/// The command of Transport's PlayAs, in the syntax of OpenHome's own player.
enum PlayAsCommand: Equatable {
  /// Whatever the source has.
  case current
  /// A track of the playlist or a preset of the radio: `id=7`.
  case id(UInt32)
  /// The same by index from 0: `index=6`.
  case index(UInt32)

  /// Nil for any other text.
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
