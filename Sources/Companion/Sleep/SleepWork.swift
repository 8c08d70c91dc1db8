/// Runs preparations for sleep and recoveries, one after another. Only recoveries can be cancelled.
@CompanionActor final class SleepWork {
  typealias Body = @CompanionActor @Sendable () async -> Void

  private var last: Task<Void, Never>?
  private var recoveries: [Int: Task<Void, Never>] = [:]
  private var lastID = 0

  func prepare(_ body: @escaping Body) { last = start(body) }

  /// - Parameter ended: called once, also if the recovery was cancelled.
  func recover(_ body: @escaping Body, ended: @escaping @CompanionActor @Sendable () -> Void) {
    lastID += 1
    let id = lastID
    let task = start { [weak self] in
      if !Task.isCancelled { await body() }
      self?.recoveries[id] = nil
      ended()
    }
    recoveries[id] = task
    last = task
  }

  /// Cancels the running recovery, and those that have not begun.
  func cancelRecoveries() { for task in recoveries.values { task.cancel() } }

  private func start(_ body: @escaping Body) -> Task<Void, Never> {
    Task { @CompanionActor [last] in
      await last?.value
      await body()
    }
  }
}
