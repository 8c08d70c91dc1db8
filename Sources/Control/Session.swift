import ArgumentParser
import ControlPoint
import Glibc
import Logging
import NIOCore
import UPnP

/// A control point for the time of one command.
struct Session {
  /// Descriptions that are read at the same time.
  private static let parallelReads = 32

  let controlPoint: ControlPoint
  private let options: NetworkOptions

  /// Runs a command with a control point, and turns its errors into messages and exit statuses.
  static func run(_ options: NetworkOptions, _ body: (Session) async throws -> Void) async throws {
    let logger = Logger(label: "swiftlet-control") { _ in SwiftLogNoOpLogHandler() }
    let controlPoint = ControlPoint(settings: options.settings, logger: logger)
    do {
      try await controlPoint.start()
      try await body(Session(controlPoint: controlPoint, options: options))
    } catch let error as ControlPointError {
      await controlPoint.stop()
      Terminal.complain(error.description)
      if case .fault = error { throw ExitCode(1) }
      throw ExitCode(EX_UNAVAILABLE)
    } catch {
      await controlPoint.stop()
      throw error
    }
    await controlPoint.stop()
  }

  /// Searches, and reads the descriptions of all devices that answer in time.
  /// - Parameters:
  ///   - target: what to search for.
  ///   - isEnough: ends the search early.
  /// - Returns: the devices by UDN, and what could not be read.
  func find(
    _ target: SearchTarget = .rootDevice, until isEnough: @escaping @Sendable (FoundDevice) -> Bool = { _ in false }
  ) async -> (devices: [FoundDevice], failures: [(DiscoveredDevice, ControlPointError)]) {
    let changes = await controlPoint.devices(target)
    let deadline = ContinuousClock.now + .seconds(options.wait)
    let discovered = AsyncStream<DiscoveredDevice>.makeStream()
    return await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await change in changes {
          if case .appeared(let device) = change { discovered.continuation.yield(device) }
        }
      }
      group.addTask {
        try? await Task.sleep(until: deadline)
        discovered.continuation.finish()
      }
      let result = await read(discovered.stream) { device in
        guard isEnough(device) else { return false }
        discovered.continuation.finish()
        return true
      }
      group.cancelAll()
      return result
    }
  }

  private func read(
    _ discovered: AsyncStream<DiscoveredDevice>, until isEnough: @escaping @Sendable (FoundDevice) -> Bool
  ) async -> (devices: [FoundDevice], failures: [(DiscoveredDevice, ControlPointError)]) {
    typealias Reading = (DiscoveredDevice, Result<FoundDevice, ControlPointError>, isEnough: Bool)
    var devices: [String: FoundDevice] = [:]
    var failures: [(DiscoveredDevice, ControlPointError)] = []
    await withTaskGroup(of: Reading.self) { group in
      var running = 0
      func take(_ reading: Reading?) -> Bool {
        guard let reading else { return false }
        running -= 1
        switch reading.1 {
        case .success(let device): devices[device.root.udn] = device
        case .failure(let error): failures.append((reading.0, error))
        }
        return reading.isEnough
      }
      for await device in discovered {
        if running >= Self.parallelReads, take(await group.next()) { return group.cancelAll() }
        running += 1
        group.addTask { [controlPoint] in
          do throws(ControlPointError) {
            let description = try await controlPoint.description(at: device.location)
            let found = FoundDevice(description: description, server: device.server)
            return (device, .success(found), isEnough: isEnough(found))
          } catch {
            return (device, .failure(error), isEnough: false)
          }
        }
      }
      while running > 0 { if take(await group.next()) { return group.cancelAll() } }
    }
    return (
      devices.values.sorted { ($0.root.friendlyName, $0.root.udn) < ($1.root.friendlyName, $1.root.udn) }, failures
    )
  }

  /// The device that a person means.
  /// - Throws: `ExitCode`, after a message that says what to do.
  func device(_ text: String) async throws -> FoundDevice {
    if let url = HTTPURL(text) {
      return FoundDevice(description: try await controlPoint.description(at: url))
    }
    let wanted = text.lowercased()
    // A complete UDN ends the search at once. Several devices may have the same name.
    let (devices, _) = await find { $0.root.udn.lowercased() == wanted }
    do {
      return try DeviceSelector.select(text, among: devices)
    } catch DeviceSelector.Failure.none(let nearest) {
      let found =
        devices.isEmpty ? " No device answered; --wait 5 searches longer." : " `swiftlet-control devices` lists all."
      let hint = nearest.isEmpty ? found : " Did you mean \(nearest.map { "\"\($0)\"" }.joined(separator: " or "))?"
      Terminal.complain("There is no device \"\(text)\".\(hint)")
      throw ExitCode(EX_NOHOST)
    } catch DeviceSelector.Failure.several(let names) {
      Terminal.complain("\"\(text)\" is part of several devices:\n  \(names.joined(separator: "\n  "))")
      throw ExitCode(EX_USAGE)
    }
  }
}
