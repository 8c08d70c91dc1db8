/// How binding a requirement is.
public enum Level: String, Sendable, CaseIterable, Encodable {
  /// A published specification demands it.
  case must = "MUST"
  /// A published specification recommends it.
  case should = "SHOULD"
  /// Control points in use depend on it, or a tool of the UPnP Forum's time checked it.
  case practice = "PRACTICE"
  /// A specification is named, whose sentence has not been verified.
  case unverified = "UNVERIFIED"
}

/// The subject of a check; reports are ordered by it.
public enum Area: String, Sendable, CaseIterable, Encodable {
  case discovery = "Discovery"
  case description = "Description"
  case scpd = "Service descriptions"
  case http = "HTTP"
  case control = "Control"
  case eventing = "Eventing"
  case renderingControl = "RenderingControl"
  case connectionManager = "ConnectionManager"
  case contentDirectory = "ContentDirectory"
  case avTransport = "AVTransport"
  case playback = "Playback"
  case media = "Media"
  case openHome = "OpenHome"
  case sharing = "AVTransport and OpenHome"
  case hostile = "Hostile input"
  case timers = "Timers"
}

/// Which runs include a check.
public enum Mode: String, Sendable, CaseIterable, Encodable {
  case standard
  /// Malformed, oversized or excessive input: only with `--hostile`.
  case hostile
  /// Waits for half a minute or longer, or concerns rare formats: only with `--slow`.
  case slow
}

/// A requirement on the device. Without it, the check is skipped.
public enum Prerequisite: Sendable, Hashable {
  /// A service by name, such as `AVTransport`.
  case service(String)
  /// A service of this device or of the other root device of the same speaker.
  case speaker(String)
  /// An action that the SCPD of a service declares.
  case action(String, String)
  /// A service that events variables.
  case events
  /// Events of this service.
  case eventsOf(String)
  /// `specVersion` is 1.1 or later.
  case version11
  case icons
  /// The device answers searches at all. Otherwise, the check is inconclusive.
  case searchable
  /// A device or service type of version 2 or later.
  case laterVersion
  /// A socket that hears announcements.
  case announcements
}

/// A state of the device that a check changes, and that the runner restores afterwards.
public enum Setting: String, Sendable, Hashable, CaseIterable {
  case volume, mute, playMode
  /// Balance and fade of OpenHome's Volume.
  case balance, fade
  /// Repeat and shuffle of OpenHome's Transport.
  case repeats = "repeat"
  case shuffles = "shuffle"
  /// The device pins of OpenHome.
  case pins
  /// The source and standby of OpenHome's Product. Selecting a source ends standby, so standby is restored last.
  case source, standby
  /// The current and next item of AVTransport. It is stopped after each check.
  case transport
  /// The tracks, the current one, and the modes of OpenHome's Playlist. It is stopped after each check.
  case playlist
  /// The URI and metadata of OpenHome's Radio. It is stopped after each check.
  case channel
  /// The URI and metadata of OpenHome's Receiver.
  case sender

  /// Whether checks that change it play something. Such settings are saved before the first of these checks and
  /// restored after the last one. Meanwhile the volume is capped.
  var isPlayback: Bool { [.transport, .playlist, .channel].contains(self) }
}

/// One requirement on a device, and the procedure that tests it.
public struct Check: Sendable {
  /// Specification, section and subject, such as `uda/1.3.2/mx-empty`. It never changes.
  public let id: String
  public let area: Area
  /// A check of level ``Level/practice`` that names only specifications is ``Level/unverified``.
  public let level: Level
  /// One sentence.
  public let requirement: String
  /// The specification's section, a public issue, or the tool that checked it before.
  public let source: String
  public let prerequisites: [Prerequisite]
  /// The states that it changes; empty for a check that changes nothing.
  public let changes: Set<Setting>
  public let mode: Mode
  /// Time limit; nil for the usual one of its mode.
  public let limit: Duration?
  /// What is sent, and when the check passes: one or two sentences for `check explain`.
  public let steps: String
  let procedure: @Sendable (CheckContext) async throws(Finding) -> Void

  init(
    _ id: String, _ area: Area, _ level: Level, _ requirement: String, source: String,
    needs prerequisites: [Prerequisite] = [], changes: Set<Setting> = [], mode: Mode = .standard,
    limit: Duration? = nil, steps: String,
    procedure: @escaping @Sendable (CheckContext) async throws(Finding) -> Void
  ) {
    self.id = id
    self.area = area
    self.level = level == .practice && Self.namesOnlySpecifications(source) ? .unverified : level
    self.requirement = requirement
    self.source = source
    self.prerequisites = prerequisites
    self.changes = changes
    self.mode = mode
    self.limit = limit
    self.steps = steps
    self.procedure = procedure
  }

  /// Whether nothing but specifications speaks for a requirement: no control point, no test tool and no measurement.
  private static func namesOnlySpecifications(_ source: String) -> Bool {
    let names = [
      "UDA ", "AVTransport:", "RenderingControl:", "ConnectionManager:", "ContentDirectory:", "OpenHome wiki",
    ]
    let introductions = [
      "the table", "the data type", "the state ", "the effects", "the transport states", "the template", "the schema",
    ]
    return source.split(separator: "; ").allSatisfy { part in
      (names + introductions).contains { part.hasPrefix($0) }
    }
  }

  /// Whether the device plays during the check.
  public var plays: Bool { changes.contains { $0.isPlayback } }
}

extension Check {
  /// Whether the check uses the services of the speaker's other root device, or would disturb a listener.
  var concernsSpeaker: Bool {
    !changes.isEmpty || prerequisites.contains { if case .speaker = $0 { true } else { false } }
  }
}

extension Prerequisite: CustomStringConvertible {
  public var description: String {
    switch self {
    case .service(let name): name
    case .speaker(let name): "\(name) of the speaker"
    case .action(let service, let action): "\(service).\(action)"
    case .events: "evented variables"
    case .eventsOf(let service): "evented variables of \(service)"
    case .version11: "UPnP 1.1"
    case .icons: "icons"
    case .searchable: "answers to searches"
    case .laterVersion: "a type of version 2 or later"
    case .announcements: "announcements"
    }
  }
}
