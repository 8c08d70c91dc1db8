import ControlPoint
import Glibc
import UPnP

/// The text with which the user selects a device.
enum DeviceQuery: Sendable, Hashable {
  /// The URL of a description.
  case url(HTTPURL)
  /// The address of a host.
  case address(IPAddress)
  /// A name or UDN, perhaps abbreviated.
  case text(String)

  /// A name in a URL is resolved, since devices are only asked by address.
  init(_ text: String) {
    if let url = HTTPURL(text) {
      self = .url(url.address == nil ? Self.resolved(url) : url)
    } else if let address = IPAddress(text) {
      self = .address(address)
    } else {
      self = .text(text)
    }
  }

  /// The host, if it is known before the search.
  var host: IPAddress? {
    switch self {
    case .url(let url): url.address
    case .address(let address): address
    case .text: nil
    }
  }

  /// How long to continue the search after this device; nil if the device does not match the query.
  /// - Parameter device: a device that was found.
  func patience(after device: FoundDevice) -> Duration? {
    switch self {
    case .url: return nil
    // A host's devices answer a search for them at once, one after the other.
    case .address(let address): return device.host == address.description ? .milliseconds(250) : nil
    case .text(let text):
      let udn = device.root.udn.lowercased()
      if [udn, String(udn.dropFirst("uuid:".count))].contains(text.lowercased()) { return .zero }
      // Another device may have the same name. Devices wait up to a second with their answer.
      return FoldedText.folded(device.root.friendlyName) == FoldedText.folded(text) ? .seconds(1) : nil
    }
  }

  private static func resolved(_ url: HTTPURL) -> HTTPURL {
    var hints = addrinfo()
    // UPnP devices are addressed by IPv4, and a name may have an IPv6 address first.
    hints.ai_family = AF_INET
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(url.host, nil, &hints, &found) == 0, let found else { return url }
    defer { freeaddrinfo(found) }
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let size = socklen_t(host.count)
    guard
      getnameinfo(found.pointee.ai_addr, found.pointee.ai_addrlen, &host, size, nil, 0, NI_NUMERICHOST) == 0
    else { return url }
    let address = String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return HTTPURL(host: address, port: url.port, target: url.target)
  }
}

/// The devices that answered a search, with their descriptions.
struct DeviceSearch {
  /// Descriptions that are read at the same time. Many, so that hosts that do not answer leave room for others.
  private static let parallelReads = 128
  /// How long descriptions may take after the search.
  private static let grace = Duration.seconds(1)

  struct Findings {
    /// Sorted by name.
    var devices: [FoundDevice]
    var failures: [Failure]
  }

  /// A device whose description cannot be read.
  struct Failure {
    var device: DiscoveredDevice
    var error: ControlPointError
  }

  let controlPoint: UPnPControlPoint
  let wait: Duration

  /// Searches until the time is up.
  /// - Parameter patience: how long to continue the search after a device; nil for the whole time.
  func run(
    _ target: SearchTarget = .rootDevice, patience: @escaping @Sendable (FoundDevice) -> Duration? = { _ in nil }
  ) async -> Findings {
    let changes = await controlPoint.devices(target)
    let (discovered, continuation) = AsyncStream.makeStream(of: DiscoveredDevice.self)
    return await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await case .appeared(let device) in changes { continuation.yield(device) }
      }
      group.addTask { [wait] in
        try? await Task.sleep(for: wait)
        continuation.finish()
      }
      let findings = await read(discovered) { device in
        guard let patience = patience(device) else { return false }
        try? await Task.sleep(for: patience)
        continuation.finish()
        return true
      }
      group.cancelAll()
      return findings
    }
  }

  /// A struct, because Swift 6.3 loses members of a tuple that a task returns: `Tests/upstream/task_tuple.swift`.
  private struct Reading {
    let device: DiscoveredDevice
    let result: Result<FoundDevice, ControlPointError>
    let isLast: Bool
  }

  /// Reads descriptions, some at the same time.
  /// - Parameter isLast: returns true if no further description is needed.
  private func read(
    _ discovered: AsyncStream<DiscoveredDevice>, until isLast: @escaping @Sendable (FoundDevice) async -> Bool
  ) async -> Findings {
    var found: [String: FoundDevice] = [:]
    var failures: [Failure] = []
    await withTaskGroup(of: Reading?.self) { group in
      // A device that does not answer must not hold up the list of the others.
      group.addTask { [wait] in
        try? await Task.sleep(for: wait + Self.grace)
        return nil
      }
      var reads = DescriptionReads()
      func takeNext() async {
        guard case .some(.some(let reading)) = await group.next() else { return group.cancelAll() }
        reads.end(at: reading.device.location.host, isLast: reading.isLast)
        switch reading.result {
        // Keyed by the announced UDN, since some descriptions have none.
        case .success(let device): found[reading.device.udn] = device
        case .failure(.cancelled): failures.append(Failure(device: reading.device, error: .timeout))
        case .failure(let error): failures.append(Failure(device: reading.device, error: error))
        }
        if reads.areEnough { group.cancelAll() }
      }
      for await device in discovered {
        if reads.count >= Self.parallelReads { await takeNext() }
        reads.begin(at: device.location.host)
        group.addTask { [controlPoint] in
          do throws(ControlPointError) {
            let description = try await controlPoint.description(at: device.location)
            let found = FoundDevice(description: description, server: device.server)
            return Reading(device: device, result: .success(found), isLast: await isLast(found))
          } catch {
            return Reading(device: device, result: .failure(error), isLast: false)
          }
        }
      }
      while reads.count > 0 { await takeNext() }
      group.cancelAll()
    }
    let devices = found.values.sorted { ($0.root.friendlyName, $0.root.udn) < ($1.root.friendlyName, $1.root.udn) }
    return Findings(devices: devices, failures: failures)
  }
}

/// The descriptions that are being read. Decides when enough of them have been read.
struct DescriptionReads {
  private var countByHost: [String: Int] = [:]
  private var lastHost: String?

  var count: Int { countByHost.values.reduce(0, +) }

  /// Whether the last needed device has been read, and all others that were found on its machine, since they may belong to
  /// the same speaker.
  var areEnough: Bool { lastHost.map { countByHost[$0] == nil } ?? false }

  mutating func begin(at host: String) { countByHost[host, default: 0] += 1 }

  /// - Parameter isLast: no other device is needed.
  mutating func end(at host: String, isLast: Bool) {
    countByHost[host, default: 1] -= 1
    if countByHost[host] == 0 { countByHost[host] = nil }
    if isLast { lastHost = lastHost ?? host }
  }
}
