import PlaybackModel

extension ProgramDescription {
  /// The command that tells the program something; nil if it cannot be told.
  func command(for control: ProgramControl) -> [String]? {
    if !self.control.isEmpty { return self.control + control.words }
    guard kind == .airplay else { return nil }
    // shairport-sync passes it on to the phone.
    switch control {
    case .volume(let step): return Self.shairport("SetAirplayVolume", "d", "\(AirPlayVolume.decibels(of: step))")
    case .play: return Self.shairport("Play")
    case .pause: return Self.shairport("Pause")
    case .next: return Self.shairport("Next")
    case .previous: return Self.shairport("Previous")
    }
  }

  /// Whether it skips tracks when it is told to.
  var canSkip: Bool { command(for: .next) != nil }

  private static func shairport(_ method: String, _ arguments: String...) -> [String] {
    [
      "busctl", "--system", "--timeout=3", "--", "call", "org.gnome.ShairportSync", "/org/gnome/ShairportSync",
      "org.gnome.ShairportSync.RemoteControl", method,
    ] + arguments
  }
}

extension ProgramControl {
  /// For commands of users.
  fileprivate var words: [String] {
    switch self {
    case .play: ["play"]
    case .pause: ["pause"]
    case .next: ["next"]
    case .previous: ["previous"]
    case .volume(let step): ["volume", "\(step)"]
    }
  }
}
