import ArgumentParser
import ControlPoint
import Glibc
import Logging
import UPnP

/// A control point for the duration of one command.
struct Session {
  let controlPoint: ControlPoint
  private let options: NetworkOptions

  /// Runs a command with a control point. Prints its errors and turns them into exit statuses.
  /// - Parameter device: what the person typed to choose a device. A host that is named there may be asked, on whatever
  ///   network it is.
  static func run(
    _ options: NetworkOptions, device: String? = nil, _ body: (Session) async throws -> Void
  ) async throws {
    let logger = Logger(label: "swiftlet-control") { _ in SwiftLogNoOpLogHandler() }
    var settings = options.settings
    if let host = device.flatMap({ DeviceQuery($0).host }) { settings.addresses.allowed.append(CIDR(host)) }
    let controlPoint = ControlPoint(settings: settings, logger: logger)
    do {
      try await controlPoint.start()
      try await body(Session(controlPoint: controlPoint, options: options))
    } catch let error as ControlPointError {
      await controlPoint.stop()
      Terminal.complain(error.description + hint(error))
      if case .fault = error { throw ExitCode(1) }
      throw ExitCode(EX_UNAVAILABLE)
    } catch {
      await controlPoint.stop()
      throw error
    }
    await controlPoint.stop()
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

  /// The device that a person means.
  /// - Throws: `ExitCode`, after a message that says what to do.
  func device(_ text: String) async throws -> FoundDevice {
    let query = DeviceQuery(text)
    if case .url(let url) = query {
      return FoundDevice(description: try await controlPoint.description(at: url))
    }
    if let host = query.host { await controlPoint.search(at: host) }
    let findings = await find { query.patience(after: $0) }
    do {
      return try DeviceSelector.select(text, among: findings.devices)
    } catch DeviceSelector.Failure.none(let nearest) {
      Terminal.complain("There is no device \"\(text)\".\(Self.hint(nearest, findings))")
      throw ExitCode(EX_NOHOST)
    } catch DeviceSelector.Failure.several(let names) {
      Terminal.complain("\"\(text)\" is part of several devices:\n  \(names.joined(separator: "\n  "))")
      throw ExitCode(EX_USAGE)
    }
  }

  private static func hint(_ nearest: [String], _ findings: DeviceSearch.Findings) -> String {
    if !nearest.isEmpty { return " Did you mean \(nearest.map { "\"\($0)\"" }.joined(separator: " or "))?" }
    let unreadable = findings.failures.map { "\n  \($0.device.location): \($0.error)" }.joined()
    if !unreadable.isEmpty { return " These devices do not describe themselves:\(unreadable)" }
    return findings.devices.isEmpty
      ? " No device answered; --wait 5 searches longer." : " `swiftlet-control devices` lists all."
  }
}
