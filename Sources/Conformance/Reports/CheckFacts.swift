/// What `check list` and `check explain` say about a check.
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
  /// What a device must have. Without it, the check is skipped.
  public var needs: [String]
  /// The settings that it changes and restores.
  public var changes: [String]
  /// What users of controllers notice if it fails, by controller.
  public var notices: [String: String]
  /// How known renderers do.
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
