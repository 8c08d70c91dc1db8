import NIOConcurrencyHelpers
import UPnP

/// Why a device is no longer available.
public enum DepartureReason: Sendable, Hashable {
  /// It announced its departure.
  case byebye
  /// It did not announce itself again in time.
  case expired
  /// The network that it was on is gone.
  case unreachable
}

/// A change in the set of devices.
public enum DiscoveryChange: Sendable, Hashable {
  case appeared(DiscoveredDevice)
  /// The same device at a new address, after a restart, or with new descriptions.
  case updated(DiscoveredDevice)
  case gone(DiscoveredDevice, DepartureReason)
}

/// The devices that match a search target: those known at first, then every change.
///
/// A slow reader misses intermediate states, never the last one: each device occurs at most once among the changes that
/// wait. Leaving the loop ends the search. The sequence ends when the control point stops.
public struct DeviceChanges: AsyncSequence, Sendable {
  public typealias Element = DiscoveryChange

  private let queue: NIOLockedValueBox<DeviceChangeQueue>
  private let signals: AsyncStream<Void>

  /// - Returns: the sequence, and the sink that fills it.
  static func make(_ target: SearchTarget) -> (changes: DeviceChanges, sink: Sink) {
    let queue = NIOLockedValueBox(DeviceChangeQueue(target))
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    return (DeviceChanges(queue: queue, signals: signals), Sink(queue: queue, signal: continuation))
  }

  public func makeAsyncIterator() -> Iterator { Iterator(queue: queue, signals: signals.makeAsyncIterator()) }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let queue: NIOLockedValueBox<DeviceChangeQueue>
    fileprivate var signals: AsyncStream<Void>.Iterator

    public mutating func next() async -> DiscoveryChange? {
      while true {
        if let change = queue.withLockedValue({ $0.next() }) { return change }
        guard await signals.next() != nil else { return nil }
      }
    }
  }

  /// Receives changes from discovery.
  struct Sink: Sendable {
    fileprivate let queue: NIOLockedValueBox<DeviceChangeQueue>
    let signal: AsyncStream<Void>.Continuation

    func send(_ changes: [DeviceTable.Change]) {
      queue.withLockedValue { queue in for change in changes { queue.receive(change) } }
      signal.yield()
    }

    func finish() { signal.finish() }
  }
}

/// The changes that one reader has not read yet. Changes of one device are merged.
struct DeviceChangeQueue {
  let target: SearchTarget
  /// The devices as the reader knows them.
  private var reported: [String: DiscoveredDevice] = [:]
  /// The latest change of each device that the reader has not read yet.
  private var pending: [String: DeviceTable.Change] = [:]
  /// The keys of `pending`, oldest first.
  private var order: [String] = []

  init(_ target: SearchTarget) { self.target = target }

  mutating func receive(_ change: DeviceTable.Change) {
    let device = change.device
    if reported[device.udn] == nil {
      switch change {
      case .gone:
        // The reader never learns of this device.
        if pending.removeValue(forKey: device.udn) != nil { order.removeAll { $0 == device.udn } }
        return
      // Types arrive one by one, in any order.
      case .seen: guard device.matches(target) else { return }
      }
    }
    if pending.updateValue(change, forKey: device.udn) == nil { order.append(device.udn) }
  }

  /// The next change for the reader; nil if there is none.
  mutating func next() -> DiscoveryChange? {
    var position = 0
    defer { order.removeFirst(position) }
    while position < order.count {
      let udn = order[position]
      position += 1
      if let change = pending.removeValue(forKey: udn).flatMap({ report($0) }) { return change }
    }
    return nil
  }

  private mutating func report(_ change: DeviceTable.Change) -> DiscoveryChange? {
    let device = change.device
    let former = reported[device.udn]
    switch change {
    case .gone(_, let reason):
      reported[device.udn] = nil
      return .gone(device, reason)
    case .seen:
      reported[device.udn] = device
      guard let former else { return .appeared(device) }
      let isSame =
        (former.location, former.bootID, former.configID) == (device.location, device.bootID, device.configID)
      return isSame ? nil : .updated(device)
    }
  }
}
