/// Decides which commands of companions start, wait or are refused. Pure.
///
/// The same command for the same reason, such as a button's binding, runs once at a time. If it is requested again
/// meanwhile, it runs once more afterwards. Each group of commands has its own slots, so that a busy remote cannot keep
/// presence's commands from running.
struct HookSlots {
  struct Job: Hashable, Sendable {
    let command: [String]
    /// Added to the environment.
    let variables: [String: String]
    var group: Group { variables[HookVariable.event.variable] == "button" ? .buttons : .presence }
  }

  enum Group { case buttons, presence }

  enum Decision: Equatable {
    case start
    /// It runs already, and will run once more.
    case wait
    /// All slots of its group are in use. Log only the first refusal.
    case refuse(isFirst: Bool)
  }

  enum Ending: Equatable {
    case runAgain
    /// A slot is free.
    /// - Parameter refused: number of refused commands of the group that were not logged.
    case free(refused: Int)
  }

  /// Maximum number of concurrent commands of a group.
  static let maximumPerGroup = 8

  /// The running jobs, and whether each was requested again.
  private var running: [Job: Bool] = [:]
  /// Number of refusals of each group since a slot was free.
  private var refused: [Group: Int] = [:]

  mutating func request(_ job: Job) -> Decision {
    if running[job] != nil {
      running[job] = true
      return .wait
    }
    guard running.keys.count(where: { $0.group == job.group }) < Self.maximumPerGroup else {
      refused[job.group, default: 0] += 1
      return .refuse(isFirst: refused[job.group] == 1)
    }
    running[job] = false
    return .start
  }

  /// The command has ended.
  mutating func end(_ job: Job) -> Ending {
    if running[job] == true {
      running[job] = false
      return .runAgain
    }
    running[job] = nil
    return .free(refused: max(0, (refused.removeValue(forKey: job.group) ?? 0) - 1))
  }
}
