/// Limits the topic `error` to four messages per second. The latest error wins.
@CompanionActor final class CommandErrors {
  private let publish: (MQTTCommand.Problem) -> Void
  private var pending: MQTTCommand.Problem?
  /// Exists while no further message may be published.
  private var timer: CompanionTimer?

  /// - Parameter publish: sends one error to the broker.
  init(publish: @escaping (MQTTCommand.Problem) -> Void) { self.publish = publish }

  func report(_ problem: MQTTCommand.Problem) {
    pending = problem
    if timer == nil { publishPending() }
  }

  /// Drops the pending error; called when the connection ends.
  func reset() { (pending, timer) = (nil, nil) }

  private func publishPending() {
    guard let problem = pending else {
      timer = nil
      return
    }
    pending = nil
    timer = CompanionTimer(after: MQTTPublisher.interval) { [weak self] in self?.publishPending() }
    publish(problem)
  }
}
