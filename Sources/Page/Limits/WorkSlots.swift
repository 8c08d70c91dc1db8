/// Limits how many jobs run and how many wait for their turn. A pure value.
struct WorkSlots<Job> {
  enum Decision: Equatable {
    case start
    /// `finished` returns the job later.
    case wait
    /// Too many wait already.
    case refuse
  }

  let limit: Int
  let waitingLimit: Int
  private(set) var running = 0
  private var waiting: [Job] = []

  init(limit: Int, waitingLimit: Int) {
    self.limit = limit
    self.waitingLimit = waitingLimit
  }

  var waitingCount: Int { waiting.count }

  mutating func add(_ job: Job) -> Decision {
    if running < limit {
      running += 1
      return .start
    }
    guard waiting.count < waitingLimit else { return .refuse }
    waiting.append(job)
    return .wait
  }

  /// A job has ended.
  /// - Returns: the job that starts in its place.
  mutating func finished() -> Job? {
    guard !waiting.isEmpty else {
      running -= 1
      return nil
    }
    return waiting.removeFirst()
  }
}
