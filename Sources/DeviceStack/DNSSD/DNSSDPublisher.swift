import Glibc
import Logging
import Synchronization

/// Announces services by DNS-SD through the Avahi daemon while it runs.
///
/// Avahi's client blocks on D-Bus, so it runs on a thread of its own. Callable from any thread; never blocks.
final class DNSSDPublisher: Sendable {
  private let orders: Mutex<AvahiOrders>
  private let logger: Logger

  init(services: [DNSSDService], logger: Logger) {
    orders = Mutex(AvahiOrders(services: services))
    self.logger = logger
  }

  /// Starts the thread. Call once.
  func start() {
    guard let thread = AvahiThread.start(publisher: self, logger: logger) else {
      logger.warning("DNS-SD is off: cannot create its thread")
      return
    }
    pthread_detach(thread)
  }

  /// Replaces the announced services.
  func publish(_ services: [DNSSDService]) { order { $0.services = services } }

  /// Tells the thread to withdraw all services and end. Does not wait for it.
  func stop() { order { $0.isStopped = true } }

  private func order(_ change: (inout AvahiOrders) -> Void) {
    orders.withLock {
      change(&$0)
      $0.wakeUp?()
    }
  }

  /// The current orders for the thread.
  var wanted: (services: [DNSSDService], isStopped: Bool) { orders.withLock { ($0.services, $0.isStopped) } }

  /// Sets how the thread is woken up; nil when it has ended.
  func setWakeUp(_ wakeUp: (@Sendable () -> Void)?) { orders.withLock { $0.wakeUp = wakeUp } }
}

/// Orders for the thread.
private struct AvahiOrders: Sendable {
  var services: [DNSSDService]
  var isStopped = false
  var wakeUp: (@Sendable () -> Void)?
}
