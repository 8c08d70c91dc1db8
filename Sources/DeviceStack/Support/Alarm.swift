import NIOCore

/// One timer for many deadlines, set to the earliest. When it goes off, its owner handles all that is due, and arms it for the
/// next deadline.
///
/// Used on its event loop only.
package final class Alarm {
  private let eventLoop: any EventLoop
  private var scheduled: (at: NIODeadline, task: Scheduled<Void>)?
  /// Called when the alarm goes off. It is no longer armed then.
  package var onElapsed: (() -> Void)?

  var isArmed: Bool { scheduled != nil }

  package init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

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
  package func arm(in time: Duration) { arm(at: .now() + TimeAmount(time)) }

  /// Does not go off until it is armed again.
  package func cancel() {
    scheduled?.task.cancel()
    scheduled = nil
  }
}
