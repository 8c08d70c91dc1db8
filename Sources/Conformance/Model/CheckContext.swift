import ControlPoint
import UPnP

/// Time limits and waits of a run. Each comment names the purpose.
public struct CheckTimes: Sendable {
  /// For a complete answer to a request.
  public var answer = Duration.seconds(10)
  /// For answers to a search with an MX of 1 s, and to establish that none comes.
  public var search = Duration.milliseconds(1700)
  /// For answers to a search that come too late.
  public var late = Duration.seconds(4)
  /// For an answer to a unicast search (UDA 1.1 §1.3.3).
  public var unicast = Duration.seconds(1)
  /// For an event after its cause.
  public var event = Duration.seconds(5)
  /// For the end of a connection that the device has to close.
  public var close = Duration.seconds(5)
  /// The pause between two readings of a device at rest. Longer than the moderation of events (AVTransport:1 §2.3: 0.2
  /// s).
  public var rest = Duration.milliseconds(250)
  /// For playback to begin, since a renderer fills its buffer first, and for the report of an error.
  public var transition = Duration.seconds(10)
  /// For the effect of any other action, such as Pause, and for the end of a track.
  public var effect = Duration.seconds(4)
  /// For an answer to hostile input, which need not come.
  public var reaction = Duration.seconds(2)
  /// For a connection that is left idle.
  public var idle = Duration.seconds(10)
  /// For a round of announcements.
  public var round = Duration.seconds(3)
  /// The duration of a subscription that is left to expire.
  public var subscription = Duration.seconds(10)
  /// For the device to forget an ended subscription.
  public var expiry = Duration.seconds(30)
  /// The duration of a tone that is played to its end.
  public var tone = Duration.seconds(3)

  /// For a setting to take effect after the answer to its action.
  public var settle = Duration.seconds(1)
  /// The time by which a tone has to be longer, so that it still plays after some actions.
  public var slack = Duration.zero
  /// For which a subscription has to go on without being renewed.
  public var lasting = Duration.seconds(22)
  /// For a device that has stopped answering to come back, and for other controllers to leave it alone.
  public var absence = Duration.seconds(45)

  public init() {}

  /// The times for a device that takes this long for an answer. What it has to do may take several of them.
  func adjusted(to answerTime: Duration) -> CheckTimes {
    // The times above allow for this much.
    let excess = max(.zero, answerTime - .milliseconds(100))
    var times = self
    times.answer += excess * 5
    times.event += excess * 4
    times.close += excess * 4
    times.transition += excess * 8
    times.effect += excess * 8
    times.reaction += excess * 3
    times.settle += excess * 4
    times.rest += excess
    times.slack += excess * 20
    return times
  }

  /// The limits for a second attempt, after something was slow. Waits that always pass in full stay as they are.
  var extended: CheckTimes {
    var times = self
    times.answer *= 3
    times.event *= 3
    times.close *= 3
    times.transition *= 3
    times.effect *= 3
    times.settle *= 3
    times.slack += .seconds(20)
    return times
  }
}

/// The environment of a check: the device, its documents, and raw exchanges.
public struct CheckContext: Sendable {
  public internal(set) var target: Target
  /// The other root device of the same speaker: the OpenHome device of a UPnP AV renderer, or the reverse.
  var sibling: Target?
  var times: CheckTimes
  let clock: CheckClock
  /// Our address on the device's network.
  let local: IPAddress
  let searchAddresses: SearchAddresses
  let sink: EventSink
  /// Receives the events of subscribers that misbehave. It has its own port, since a device may limit its connections
  /// to each port.
  let misbehavingSink: EventSink
  /// The announcements of devices; nil if no check needs them, or port 1900 cannot be opened.
  let notices: NoticeSocket?
  let origin: Origin
  /// Whether settings that take long to restore may be changed.
  let isForced: Bool
  /// Files of the user.
  let files: [MediaFile]
  let shared = SharedResults()

  // MARK: HTTP

  /// Sends a request on a new connection.
  func exchange(_ request: RawRequest) async throws(Finding) -> RawResponse {
    let connection = try await connect(request.url)
    defer { connection.close() }
    connection.send(request.text)
    return try await connection.answers(to: [request.method], within: times.answer)[0]
  }

  func get(_ url: HTTPURL) async throws(Finding) -> RawResponse { try await exchange(RawRequest("GET", url)) }

  /// - Throws: also for a host other than the device's: a description must not direct this tool to third parties.
  func connect(_ url: HTTPURL) async throws(Finding) -> RawConnection {
    guard url.host == target.host else {
      throw .failure(expected: "a URL on the device's host \(target.host)", got: "\(url)")
    }
    return try await RawConnection.open(to: url, clock: clock)
  }

  // MARK: Verdicts

  func expect(_ condition: Bool, _ expected: String, got: @autoclosure () -> String) throws(Finding) {
    if !condition { throw .failure(expected: expected, got: got()) }
  }

  /// Fails with all problems.
  func expectNone(_ problems: [String], _ expected: String) throws(Finding) {
    guard !problems.isEmpty else { return }
    let shown = problems.prefix(5).joined(separator: "; ")
    throw .failure(expected: expected, got: problems.count > 5 ? "\(shown); and \(problems.count - 5) more" : shown)
  }

  /// A service that a prerequisite guarantees.
  func service(_ name: String) throws(Finding) -> Target.Service {
    guard let service = target.service(name) else { throw .skip("the device has no \(name)") }
    return service
  }

  /// The context of the root device that has a service: this device or its sibling.
  func device(with service: String) throws(Finding) -> CheckContext {
    if target.service(service) != nil { return self }
    guard let sibling, sibling.service(service) != nil else { throw .skip("the speaker has no \(service)") }
    var other = self
    (other.target, other.sibling) = (sibling, target)
    return other
  }

  /// - Throws: an inconclusive finding if a check on which the current one depends has failed.
  func require(_ check: String) throws(Finding) {
    if let failure = shared.failure(of: check) { throw .inconclusive(failure) }
  }

  // MARK: Prerequisites

  /// - Returns: why a prerequisite is not met; nil if it is.
  func missing(_ prerequisite: Prerequisite) -> String? {
    switch prerequisite {
    case .service(let name): target.service(name) == nil ? "the device has no \(name)" : nil
    case .speaker(let name):
      target.service(name) == nil && sibling?.service(name) == nil ? "the speaker has no \(name)" : nil
    case .action(let service, let action):
      missing(.service(service))
        ?? (target.service(service)?.scpd?.action(action) == nil ? "\(service) does not offer \(action)" : nil)
    case .events: eventedServices.isEmpty ? "no service has evented variables" : nil
    case .eventsOf(let name):
      missing(.service(name))
        ?? (eventedServices.contains { $0.name == name } ? nil : "\(name) has no evented variables")
    case .version11:
      target.description.specVersion < .init(major: 1, minor: 1)
        ? "the device declares UPnP \(target.description.specVersion)" : nil
    case .icons: target.description.root.icons.isEmpty ? "the device has no icons" : nil
    case .laterVersion: laterTypes.isEmpty ? "all types are of version 1" : nil
    // A check determines this, on which the others depend.
    case .searchable: nil
    // The checks determine this.
    case .announcements: nil
    }
  }

  var eventedServices: [Target.Service] {
    target.services.filter { service in
      // Events that the template requires are tested even if the SCPD denies them.
      service.description.eventURL != nil && !(service.eventedVariables + service.requiredEvents).isEmpty
    }
  }

  /// Services with evented variables of this device and of the speaker's other one.
  var eventedSpeakerServices: [Target.Service] {
    guard let sibling else { return eventedServices }
    var other = self
    other.target = sibling
    return eventedServices + other.eventedServices
  }

  /// Device and service types of version 2 or later.
  var laterTypes: [URN] { types.filter { $0.version > 1 } }

  /// All device and service types, without duplicates.
  var types: [URN] {
    let devices = target.description.root.all
    var seen: Set<URN> = []
    return (devices.compactMap(\.urn) + devices.flatMap { $0.services.compactMap(\.urn) }).filter {
      seen.insert($0).inserted
    }
  }
}
