import Logging
import NIOCore
import Network
import Synchronization

/// An interface monitor for use from outside its event loop.
package final class TestMonitor: Sendable {
  private let monitor: NIOLoopBound<InterfaceMonitor>
  private let loop: any EventLoop
  private let heard: Heard

  private final class Heard: Sendable {
    let changes = Mutex<[InterfaceChange]>([])
  }

  /// - Parameter forward: called with every change, on the event loop.
  package init(
    on loop: any EventLoop, names: [String] = [], forward: @escaping @Sendable (InterfaceChange) -> Void = { _ in }
  ) async throws {
    self.loop = loop
    let heard = Heard()
    self.heard = heard
    monitor = try await loop.submit {
      let monitor = InterfaceMonitor(
        eventLoop: loop, policy: InterfacePolicy(names: names), logger: Logger(label: "test")
      ) { change in
        heard.changes.withLock { $0.append(change) }
        forward(change)
      }
      try monitor.start()
      return NIOLoopBound(monitor, eventLoop: loop)
    }.get()
  }

  package var changes: [InterfaceChange] { heard.changes.withLock { $0 } }

  package func current() async throws -> [NetworkInterface] {
    try await loop.submit { [monitor] in monitor.value.current }.get()
  }

  /// Waits until exactly these changes have happened since the last wait, as `+name address` and `-name address`, with
  /// `!` if byebyes can still be sent.
  package func expect(_ expected: String...) async throws {
    try await waitUntil(every: .milliseconds(5)) {
      changes.map(Self.text) == expected
    } state: {
      changes.map(Self.text).joined(separator: ", ")
    }
    heard.changes.withLock { $0 = [] }
  }

  package func stop() async throws { try await loop.submit { [monitor] in monitor.value.stop() }.get() }

  private static func text(_ change: InterfaceChange) -> String {
    switch change {
    case .appeared(let interface): "+\(interface.name) \(interface.address)"
    case .vanished(let interface, let canSend): "-\(interface.name) \(interface.address)\(canSend ? "!" : "")"
    }
  }
}
