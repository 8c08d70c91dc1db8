/// The facts about a check that `check list` and `check explain` print.
public struct CheckFacts: Encodable, Sendable {
  public struct Peer: Encodable, Sendable {
    public var name: String
    public var verdict: String
    public var note: String
  }

  public var id: String
  public var area: Area
  public var level: Level
  public var mode: Mode
  public var requirement, source, steps: String
  /// The prerequisites of the check. Without them, it is skipped.
  public var needs: [String]
  /// The settings that it changes and restores.
  public var changes: [String]
  /// The consequences of a failure for users, by controller.
  public var notices: [String: String]
  /// The results of known renderers.
  public var peers: [Peer]

  public init(_ check: Check) {
    id = check.id
    area = check.area
    level = check.level
    mode = check.mode
    requirement = check.requirement
    source = check.source
    steps = check.steps
    needs = check.prerequisites.map(\.description)
    changes = check.changes.map(\.rawValue).sorted()
    let effects = ControllerProfile.all.compactMap { profile in
      profile.effect(of: check).map { (profile.name, $0.notice) }
    }
    notices = Dictionary(effects) { first, _ in first }
    peers = PeerResult.all.filter { $0.check == check.id }.map {
      Peer(name: $0.peer, verdict: $0.verdict.rawValue, note: $0.note)
    }
  }
}
