import Glibc
import Logging
import Synchronization

/// Announces services by DNS-SD through the Avahi daemon, whenever there is one.
///
/// Every call of Avahi's client waits for an answer on D-Bus, so that all of them are made on a thread of their own, which
/// otherwise sleeps. May be called from anywhere; nothing here waits.
public final class DNSSDPublisher: Sendable {
  private let orders: Mutex<AvahiOrders>
  private let logger: Logger

  public init(services: [DNSSDService], logger: Logger) {
    orders = Mutex(AvahiOrders(services: services))
    self.logger = logger
  }

  /// Begins; once.
  public func start() {
    guard let thread = AvahiThread.start(publisher: self, logger: logger) else {
      logger.warning("DNS-SD: no thread to be had")
      return
    }
    pthread_detach(thread)
  }

  /// Announces these services instead of the ones before.
  public func publish(_ services: [DNSSDService]) { order { $0.services = services } }

  /// Withdraws everything, shortly after.
  public func stop() { order { $0.isStopped = true } }

  private func order(_ change: (inout AvahiOrders) -> Void) {
    orders.withLock {
      change(&$0)
      $0.wakeUp?()
    }
  }

  /// What the thread is to do now.
  var wanted: (services: [DNSSDService], isStopped: Bool) { orders.withLock { ($0.services, $0.isStopped) } }

  /// The thread tells how it is woken up; nil when it no longer can be.
  func setWakeUp(_ wakeUp: (@Sendable () -> Void)?) { orders.withLock { $0.wakeUp = wakeUp } }
}

/// What the thread is told.
private struct AvahiOrders: Sendable {
  var services: [DNSSDService]
  var isStopped = false
  var wakeUp: (@Sendable () -> Void)?
}
