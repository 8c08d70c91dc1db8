import NIOCore

/// One timer for many deadlines: set to the earliest, it tells that something may be due, and is then set anew.
final class Alarm {
  private let eventLoop: any EventLoop
  private var scheduled: (at: NIODeadline, task: Scheduled<Void>)?
  var onElapsed: (() -> Void)?

  init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

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

  func cancel() {
    scheduled?.task.cancel()
    scheduled = nil
  }
}
