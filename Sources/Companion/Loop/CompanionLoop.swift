import CLinux
import Glibc
import PlaybackModel
import Synchronization

/// The thread of the companions. It runs jobs one after another and waits for file descriptors and timers.
///
/// It is separate from the event loop of the network and the player, so that a slow bus or broker cannot delay them.
/// The thread starts with the first job and sleeps while nothing is due.
final class CompanionLoop: SerialExecutor, Sendable {
  typealias Token = Int

  private struct Watch {
    let descriptor: Int32
    var events: Int16
    let body: @CompanionActor @Sendable (Int16) -> Void
  }

  private struct Timer {
    let deadline: ContinuousClock.Instant
    let body: @CompanionActor @Sendable () -> Void
  }

  private struct State {
    var hasStarted = false
    var thread: pthread_t?
    var jobs: [UnownedJob] = []
    var watches: [Token: Watch] = [:]
    var timers: [Token: Timer] = [:]
    var lastToken = 0

    mutating func newToken() -> Token {
      lastToken += 1
      return lastToken
    }
  }

  private let state = Mutex(State())
  /// Readable when the thread must look at its state again.
  private let wakeUp = swiftlet_eventfd()

  // MARK: Executor

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    wake()
  }

  /// Traps on any other thread. `assumeIsolated` and `CompanionActor.immediately` call it. No input can cause the trap:
  /// timers, descriptors and the bus's callbacks, which use `immediately`, all run within `run`.
  func checkIsolated() {
    precondition(isOnThread, "This code runs on the companions' thread only.")
  }

  private var isOnThread: Bool {
    state.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  // MARK: Descriptors and timers

  /// - Parameter events: the events of `poll` to wait for, such as POLLIN.
  func watch(
    _ descriptor: Int32, _ events: Int16, _ body: @escaping @CompanionActor @Sendable (Int16) -> Void
  ) -> Token {
    let token = state.withLock { state in
      let token = state.newToken()
      state.watches[token] = Watch(descriptor: descriptor, events: events, body: body)
      return token
    }
    wake()
    return token
  }

  func change(_ token: Token, to events: Int16) {
    state.withLock { $0.watches[token]?.events = events }
    wake()
  }

  func schedule(
    at deadline: ContinuousClock.Instant, _ body: @escaping @CompanionActor @Sendable () -> Void
  ) -> Token {
    let token = state.withLock { state in
      let token = state.newToken()
      state.timers[token] = Timer(deadline: deadline, body: body)
      return token
    }
    wake()
    return token
  }

  /// Ends a watch or a timer. If called on the companions' thread, its body is not called afterwards.
  func cancel(_ token: Token) {
    state.withLock { state in
      state.watches[token] = nil
      state.timers[token] = nil
    }
    wake()
  }

  // MARK: The thread

  private func wake() {
    let starts = state.withLock { state in
      defer { state.hasStarted = true }
      return !state.hasStarted
    }
    if starts { NamedThread.start("companion") { [self] in run() } }
    // On the thread itself, the next turn sees the change anyway.
    guard !isOnThread else { return }
    var one: UInt64 = 1
    _ = write(wakeUp, &one, 8)
  }

  private func run() {
    state.withLock { $0.thread = pthread_self() }
    while true {
      runJobs()
      fireTimers()
      wait()
    }
  }

  private func runJobs() {
    let jobs = state.withLock { state in
      defer { state.jobs = [] }
      return state.jobs
    }
    for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  private func fireTimers() {
    let now = ContinuousClock.now
    let due = state.withLock { state in
      state.timers.filter { $0.value.deadline <= now }.sorted { $0.value.deadline < $1.value.deadline }.map(\.key)
    }
    for token in due {
      // A body may cancel another timer that is due.
      guard let timer = state.withLock({ $0.timers.removeValue(forKey: token) }) else { continue }
      CompanionActor.immediately(timer.body)
    }
  }

  private func wait() {
    let (watches, timeout) = state.withLock { state in
      (Array(state.watches), state.jobs.isEmpty ? Self.timeout(state.timers.values.map(\.deadline).min()) : 0)
    }
    var descriptors = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)]
    descriptors += watches.map { pollfd(fd: $0.value.descriptor, events: $0.value.events, revents: 0) }
    guard poll(&descriptors, nfds_t(descriptors.count), timeout) > 0 else { return }
    var count: UInt64 = 0
    _ = read(wakeUp, &count, 8)
    for (descriptor, (token, watch)) in zip(descriptors.dropFirst(), watches) where descriptor.revents != 0 {
      // A body may cancel another watch.
      guard state.withLock({ $0.watches[token] != nil }) else { continue }
      CompanionActor.immediately { watch.body(descriptor.revents) }
    }
  }

  /// The timeout of `poll` in milliseconds, rounded up; −1 without a deadline.
  private static func timeout(_ deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let left = max(.zero, deadline - .now)
    return Int32(clamping: left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1)
  }
}
