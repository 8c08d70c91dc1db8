/// A control point, and the failures that its users notice.
public struct ControllerProfile: Sendable {
  /// The consequence of a failed check for users.
  public struct Effect: Sendable {
    /// Selects checks, like the option `--only`.
    public let pattern: String
    /// One sentence.
    public let notice: String
    /// A public issue, or the code of the control point.
    public let source: String
  }

  /// As on the command line.
  public let id: String
  public let name: String
  let effects: [Effect]

  init(_ id: String, _ name: String, _ effects: [Effect]) {
    self.id = id
    self.name = name
    self.effects = effects
  }

  /// The effect on users if this check fails; nil if the controller does not depend on it.
  func effect(of check: Check) -> Effect? { effects.first { check.matches($0.pattern) } }

  public static let all: [ControllerProfile] = [
    .homeAssistant, .kodi, .bubbleUPnP, .windows, .kazoo, .musicAssistant,
  ]
}
