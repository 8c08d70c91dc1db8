import Companion

/// The bus on which desktops find the speaker.
enum MPRISMode: String, CaseIterable, Sendable {
  case off
  /// The bus of the user's session.
  case session
  /// The machine's bus, for a service.
  case system

  /// Nil if it is off.
  var bus: BusKind? {
    switch self {
    case .off: nil
    case .session: .session
    case .system: .system
    }
  }
}
