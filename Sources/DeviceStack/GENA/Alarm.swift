import NIOCore

/// One timer for many deadlines: set to the earliest, it tells that something may be due, and is then set anew.
///
/// Lives on its event loop.
public final class Alarm {
  private let eventLoop: any EventLoop
  private var scheduled: (at: NIODeadline, task: Scheduled<Void>)?
  public var onElapsed: (() -> Void)?

  var isArmed: Bool { scheduled != nil }

  public init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  /// Goes off at the deadline or before.
  func arm(at deadline: NIODeadline) {
    if let scheduled {
      guard deadline < scheduled.at else { return }
      scheduled.task.cancel()
    }
    let task = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
      self?.scheduled = nil
      self?.onElapsed?()
    }
    scheduled = (deadline, task)
  }

  /// Goes off after that time or before.
  public func arm(in time: Duration) { arm(at: .now() + TimeAmount(time)) }

  public func cancel() {
    scheduled?.task.cancel()
    scheduled = nil
  }
}
