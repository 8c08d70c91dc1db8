/// AVTransport's play modes as repeat and shuffle (AVTransport:1 §2.2.9). No mode means both.
struct PlayModes: Sendable, Hashable {
  typealias Mode = AVTransport1Client.CurrentPlayMode

  /// The modes that the SCPD lists; empty if it lists none.
  let allowed: [String]

  static func isRepeating(_ mode: Mode) -> Bool { ["REPEAT_ALL", "REPEAT_ONE"].contains(mode.rawValue) }
  static func isShuffling(_ mode: Mode) -> Bool { ["SHUFFLE", "RANDOM"].contains(mode.rawValue) }

  /// The mode after repeat was switched.
  /// - Returns: nil if the device has no such mode.
  func repeating(_ isOn: Bool, from mode: Mode) -> Mode? {
    if isOn { return first(["REPEAT_ALL", "REPEAT_ONE"]) }
    return Self.isRepeating(mode) ? Mode(rawValue: "NORMAL") : mode
  }

  /// The mode after shuffle was switched.
  /// - Returns: nil if the device has no such mode.
  func shuffling(_ isOn: Bool, from mode: Mode) -> Mode? {
    if isOn { return first(["SHUFFLE", "RANDOM"]) }
    return Self.isShuffling(mode) ? Mode(rawValue: "NORMAL") : mode
  }

  private func first(_ modes: [String]) -> Mode? {
    modes.first { allowed.isEmpty || allowed.contains($0) }.map { Mode(rawValue: $0) }
  }
}
