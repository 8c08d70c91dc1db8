import ArgumentParser
import ControlPoint
import Glibc
import Logging
import UPnP

/// A control point for the duration of one command.
struct Session {
  /// Time limit for the answers of a host whose address is known. Only hosts that do not answer use it up.
  private static let siblingWait = Duration.seconds(1)
  /// Time for the answer of a host's second device, after the description of the first. The second is then waited for.
  private static let siblingPatience = Duration.milliseconds(200)

  let controlPoint: UPnPControlPoint
  private let options: NetworkOptions
  private let names: DeviceNames

  /// Runs a command with a control point. Prints its errors and turns them into exit statuses.
  /// - Parameter devices: the texts with which the user selects devices. A host in them is allowed on any network.
  static func run(
    _ options: NetworkOptions, devices: [String] = [], _ body: (Session) async throws -> Void
  ) async throws {
    for name in options.interfaces where if_nametoindex(name) == 0 {
      Terminal.complain("There is no network interface \"\(name)\". `ip link` lists them.")
      throw ExitCode(EX_USAGE)
    }
    let logger = Logger(label: "swiftlet-control") { _ in SwiftLogNoOpLogHandler() }
    var settings = options.settings
    let names = DeviceNames.read()
    if devices.contains(DeviceNames.defaultMark), names.defaultDevice == nil {
      Terminal.complain("No device is named, and none is the default. `swiftlet-control use Kitchen` sets the default.")
      throw ExitCode(EX_USAGE)
    }
    settings.addresses.allowed += devices.compactMap { DeviceQuery(names.device($0)).host }.map { CIDR($0) }
    let controlPoint = UPnPControlPoint(settings: settings, logger: logger)
    do {
      try await controlPoint.start()
      try await body(Session(controlPoint: controlPoint, options: options, names: names))
    } catch let error as ControlPointError {
      await controlPoint.stop()
      Terminal.complain(error.description + hint(error))
      if case .fault = error { throw ExitCode(1) }
      throw ExitCode(EX_UNAVAILABLE)
    } catch let error as RoomError {
      await controlPoint.stop()
      Terminal.complain(error.description)
      throw ExitCode(RoomFailures.status(error))
    } catch {
      await controlPoint.stop()
      throw error
    }
    await controlPoint.stop()
    try Terminal.finish()
  }

  private static func hint(_ error: ControlPointError) -> String {
    guard case .notAllowed(let url) = error, let address = url.address else { return "" }
    return " --allow \(address)/32 allows it."
  }

  /// Searches, and reads the descriptions of all devices that answer in time.
  func find(
    _ target: SearchTarget = .rootDevice, patience: @escaping @Sendable (FoundDevice) -> Duration? = { _ in nil }
  ) async -> DeviceSearch.Findings {
    await DeviceSearch(controlPoint: controlPoint, wait: .seconds(options.wait)).run(target, patience: patience)
  }

  /// The kind of device that the user selects.
  private enum Kind: String {
    case device, speaker
    case server = "media server"

    /// The command that lists the candidates.
    var list: String { self == .server ? "servers" : "devices" }
  }

  /// The device that the user's text selects.
  /// - Throws: `ExitCode`, after a message that says what to do.
  func device(_ text: String) async throws -> FoundDevice { try await device(text, .device) { _ in true } }

  /// The device with a service among those of the machine that the user's text selects, such as the OpenHome device that
  /// belongs to a renderer; the selected device if neither has the service.
  /// - Throws: `ExitCode`, after a message that says what to do.
  func device(_ text: String, with service: String) async throws -> FoundDevice {
    let text = names.device(text)
    let query = DeviceQuery(text)
    if case .url(let url) = query {
      let device = FoundDevice(description: try await controlPoint.description(at: url))
      if device.service(named: service) != nil { return device }
      let all = [device.description] + (await siblings(of: device))
      return partner(of: device, with: service, among: all) ?? device
    }
    if let host = query.host { await controlPoint.search(at: host) }
    let findings = await find { query.patience(after: $0) }
    let device = try select(text, .device, among: findings.devices, findings)
    if device.service(named: service) != nil { return device }
    return partner(of: device, with: service, among: findings.devices.map(\.description)) ?? device
  }

  /// The devices that the user's text selects: one that is named by its UDN or URL, and both of a speaker that is named
  /// by either name or by its address. The renderer comes first.
  /// - Throws: `ExitCode`, after a message that says what to do.
  func machine(_ text: String) async throws -> [DeviceDescription] {
    let text = names.device(text)
    let query = DeviceQuery(text)
    if case .url(let url) = query { return [try await controlPoint.description(at: url)] }
    if let host = query.host { await controlPoint.search(at: host) }
    let findings = await find { query.patience(after: $0) }
    if let device = findings.devices.first(where: { DeviceSelector.isIdentifier(text, $0.root.udn) }) {
      return [device.description]
    }
    let speakers = SpeakerPairing.speakers(among: findings.devices.map(\.description))
    let paired = Set(speakers.flatMap(\.descriptions))
    let others = findings.devices.map(\.description).filter { !paired.contains($0) }
    let machines = speakers.map { Machine(devices: $0.descriptions) } + others.map { Machine(devices: [$0]) }
    return try select(text, .device, among: machines, findings).devices
  }

  private func partner(
    of device: FoundDevice, with service: String, among all: [DeviceDescription]
  ) -> FoundDevice? {
    SpeakerPairing.speakers(among: all).map(\.descriptions).first { $0.contains(device.description) }?
      .map { FoundDevice(description: $0) }.first { $0.service(named: service) != nil }
  }

  /// The descriptions of the other devices on the same host.
  private func siblings(of device: FoundDevice) async -> [DeviceDescription] {
    if let host = device.description.location.address { await controlPoint.search(at: host) }
    let findings = await DeviceSearch(controlPoint: controlPoint, wait: Self.siblingWait).run { found in
      found.host == device.host && found.root.udn != device.root.udn ? Self.siblingPatience : nil
    }
    return findings.devices.map(\.description).filter { $0.root.udn != device.root.udn }
  }

  /// The media server that the user's text selects, or that of the speaker which it selects.
  /// - Throws: `ExitCode`, after a message that says what to do.
  func server(_ text: String) async throws -> MediaServer {
    let device = try await device(text, .server) { $0.service(named: "ContentDirectory") != nil }
    return try await MediaServer(device.root, controlPoint)
  }

  private func device(_ text: String, _ kind: Kind, _ isCandidate: (FoundDevice) -> Bool) async throws -> FoundDevice {
    let text = names.device(text)
    let query = DeviceQuery(text)
    if case .url(let url) = query {
      return FoundDevice(description: try await controlPoint.description(at: url))
    }
    if let host = query.host { await controlPoint.search(at: host) }
    let findings = await find { query.patience(after: $0) }
    let candidates = findings.devices.filter(isCandidate)
    if (try? DeviceSelector.select(text, among: candidates)) == nil,
      let other = try? DeviceSelector.select(text, among: findings.devices).candidate,
      let own = candidates.first(where: { $0.isOfSameProgram(as: other) })
    {
      return own
    }
    return try select(text, kind, among: candidates, findings)
  }

  /// The speaker that the user's text selects: all devices of its machine.
  /// - Throws: `ExitCode`, after a message that says what to do.
  func speaker(_ text: String) async throws -> RemoteSpeaker {
    let text = names.device(text)
    let query = DeviceQuery(text)
    if case .url(let url) = query { return try await speaker(at: url) }
    if let host = query.host { await controlPoint.search(at: host) }
    let findings = await find { query.patience(after: $0) }
    let speakers = SpeakerPairing.speakers(among: findings.devices.map(\.description))
    return try await controlPoint.speaker(of: try select(text, .speaker, among: speakers, findings))
  }

  /// All speakers, and the ids of those that the user's texts select, in their order.
  /// - Throws: `ExitCode`, after a message that says what to do.
  func house(_ texts: [String]) async throws -> (house: House, ids: [String]) {
    let (all, selected) = try await allSpeakers(texts)
    let house = try await House(all, selected: Set(selected), controlPoint)
    return (house, selected.compactMap { $0.descriptions.first?.root.udn })
  }

  /// The speakers that the user's texts select, in their order; all if there are no texts.
  /// - Throws: `ExitCode`, after a message that says what to do.
  func speakers(_ texts: [String]?) async throws -> [SpeakerDevices] {
    let (all, selected) = try await allSpeakers(texts ?? [])
    guard texts == nil else { return selected }
    if all.isEmpty {
      Terminal.complain("No speaker answered. --wait 5 searches longer.")
      throw ExitCode(EX_NOHOST)
    }
    return all.sorted { $0.name < $1.name }
  }

  private func allSpeakers(
    _ texts: [String]
  ) async throws -> (all: [SpeakerDevices], selected: [SpeakerDevices]) {
    let texts = texts.map(names.device)
    let queries = texts.map { DeviceQuery($0) }
    for host in queries.compactMap(\.host) { await controlPoint.search(at: host) }
    let findings = await find()
    var descriptions = findings.devices.map(\.description)
    for case .url(let url) in queries where !descriptions.contains(where: { $0.location == url }) {
      descriptions.append(try await controlPoint.description(at: url))
    }
    let all = SpeakerPairing.speakers(among: descriptions)
    var selected: [SpeakerDevices] = []
    for (text, query) in zip(texts, queries) {
      if case .url(let url) = query, let named = all.first(where: { $0.descriptions.contains { $0.location == url } }) {
        selected.append(named)
      } else {
        selected.append(try select(text, .speaker, among: all, findings))
      }
    }
    return (all, selected)
  }

  /// The speaker that the device with this description belongs to. Its machine may have a second device.
  private func speaker(at url: HTTPURL) async throws -> RemoteSpeaker {
    if let host = url.address { await controlPoint.search(at: host) }
    async let siblings = DeviceSearch(controlPoint: controlPoint, wait: Self.siblingWait).run { device in
      device.host == url.host ? Self.siblingPatience : nil
    }
    let device = try await controlPoint.description(at: url)
    let all = [device] + (await siblings).devices.map(\.description).filter { $0.root.udn != device.root.udn }
    let speaker = SpeakerPairing.speakers(among: all).first { $0.descriptions.contains(device) }
    return try await controlPoint.speaker(of: speaker ?? SpeakerDevices(renderer: nil, openHome: nil))
  }

  private func select<Candidate: Selectable>(
    _ text: String, _ kind: Kind, among candidates: [Candidate], _ findings: DeviceSearch.Findings
  ) throws -> Candidate {
    do {
      let selection = try DeviceSelector.select(text, among: candidates)
      if selection.isAbbreviated { Terminal.complain("\"\(text)\" is \(selection.candidate.label)") }
      return selection.candidate
    } catch .none(let nearest) {
      if let other = try? DeviceSelector.select(text, among: findings.devices).candidate {
        Terminal.complain("\(other.root.friendlyName) is not a \(kind.rawValue).")
      } else {
        Terminal.complain("There is no \(kind.rawValue) \"\(text)\".\(Self.hint(nearest, kind, findings))")
      }
      throw ExitCode(EX_NOHOST)
    } catch .several(let names) {
      Terminal.complain(
        "\"\(text)\" means several \(kind.rawValue)s. Write one of these names, UDNs or addresses:\n  "
          + names.joined(separator: "\n  "))
      throw ExitCode(EX_USAGE)
    }
  }

  private static func hint(_ nearest: [String], _ kind: Kind, _ findings: DeviceSearch.Findings) -> String {
    if let question = NearestNames.question(nearest) { return " \(question)" }
    let unreadable = findings.failures.map { "\n  \($0.device.location): \($0.error)" }.joined()
    if !unreadable.isEmpty { return " The descriptions of these devices cannot be read:\(unreadable)" }
    return findings.devices.isEmpty
      ? " No device answered; --wait 5 searches longer." : " `swiftlet-control \(kind.list)` lists all."
  }
}

extension FoundDevice {
  /// Whether one HTTP server describes both devices.
  fileprivate func isOfSameProgram(as other: FoundDevice) -> Bool {
    let (own, others) = (description.location, other.description.location)
    return own.host == others.host && own.port == others.port
  }
}
