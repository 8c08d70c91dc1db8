import Glibc

/// A locked value that threads can wait on: a POSIX mutex with a condition variable on the monotonic clock.
///
/// `Synchronization.Mutex` has no condition variable.
package final class Monitor<State>: @unchecked Sendable {
  // @unchecked Sendable is safe: `state` is accessed only while `mutex` is locked, and the two POSIX objects are
  // thread-safe and keep their addresses for the lifetime of this object.
  @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  @usableFromInline let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  @usableFromInline var state: State

  @inlinable package init(_ state: sending State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  @inlinable deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Changes the value and wakes all waiting threads.
  @inlinable package func update<T>(_ body: (inout State) -> T) -> T {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return body(&state)
  }

  /// Reads or changes the value without waking waiting threads.
  @inlinable package func withLock<T>(_ body: (inout State) -> T) -> T {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&state)
  }

  /// Waits until the body returns a value. The body runs with the lock held, at first and after each `update`.
  /// - Returns: nil after the timeout.
  @inlinable package func wait<T>(timeout: Duration? = nil, until body: (inout State) -> T?) -> T? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    var deadline = timespec()
    if let timeout { deadline = Self.deadline(after: timeout) }
    while true {
      if let result = body(&state) { return result }
      if timeout == nil {
        pthread_cond_wait(condition, mutex)
      } else if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT {
        return body(&state)
      }
    }
  }

  @usableFromInline static func deadline(after timeout: Duration) -> timespec {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let nanoseconds = now.tv_nsec + Int(max(timeout, .zero).nanoseconds % 1_000_000_000)
    return timespec(
      tv_sec: now.tv_sec + Int(max(timeout, .zero).nanoseconds / 1_000_000_000) + nanoseconds / 1_000_000_000,
      tv_nsec: nanoseconds % 1_000_000_000)
  }
}

/// Starts threads for work that blocks.
package enum NamedThread {
  /// Starts a detached thread that runs the body once.
  /// - Parameters:
  ///   - name: shown by `top -H`; at most 15 characters.
  ///   - isRealTime: whether sound is heard late if the thread does not get the processor.
  ///   - afterwards: called after the body's captures are released.
  package static func start(
    _ name: String, isRealTime: Bool = false, afterwards: @escaping @Sendable () -> Void = {},
    _ body: @escaping @Sendable () -> Void
  ) {
    let context = Unmanaged.passRetained(
      Context(name: name, isRealTime: isRealTime, body: body, afterwards: afterwards))
    var thread = pthread_t()
    if pthread_create(&thread, nil, runNamedThread, context.toOpaque()) == 0 {
      pthread_detach(thread)
    } else {
      // The system is out of threads. Run the body here: a caller that waits for it would otherwise wait forever.
      run(context)
    }
  }

  fileprivate static func run(_ context: Unmanaged<Context>) {
    let afterwards = context.takeUnretainedValue().afterwards
    context.takeRetainedValue().body()
    afterwards()
  }

  fileprivate final class Context: Sendable {
    let name: String
    let isRealTime: Bool
    let body: @Sendable () -> Void
    let afterwards: @Sendable () -> Void

    init(
      name: String, isRealTime: Bool, body: @escaping @Sendable () -> Void, afterwards: @escaping @Sendable () -> Void
    ) {
      self.name = name
      self.isRealTime = isRealTime
      self.body = body
      self.afterwards = afterwards
    }
  }
}

private func runNamedThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  let context = Unmanaged<NamedThread.Context>.fromOpaque(argument)
  setNameOfThisThread(context.takeUnretainedValue().name)
  if context.takeUnretainedValue().isRealTime { RealTime.begin() }
  NamedThread.run(context)
  return nil
}

/// Replaces `pthread_setname_np`, which the Glibc module does not have.
private func setNameOfThisThread(_ name: String) {
  let file = open("/proc/thread-self/comm", O_WRONLY)
  guard file >= 0 else { return }
  _ = write(file, name, name.utf8.count)
  close(file)
}

/// Real-time priority of the calling thread: on a busy machine, others get the processor for up to 0.1 s, and the device
/// runs dry.
package enum RealTime {
  /// Below the threads of sound servers, which rtkit gives up to 20.
  package enum Priority: Int32 {
    /// Of threads that exchange sound with other speakers.
    case network = 5
    /// Of threads that write sound to the device.
    case output = 10
  }

  /// Of linux/sched.h: threads and programs that are started from this thread have the normal priority.
  private static let resetOnFork: Int32 = 0x4000_0000

  /// Without the right to it (RLIMIT_RTPRIO), the thread keeps the normal priority.
  package static func begin(_ priority: Priority = .output) { set(SCHED_RR | resetOnFork, priority.rawValue) }

  package static func end() { set(SCHED_OTHER, 0) }

  /// Whether `begin` has an effect.
  package static let isPermitted: Bool = {
    defer { end() }
    return set(SCHED_RR | resetOnFork, Priority.output.rawValue)
  }()

  @discardableResult
  private static func set(_ policy: Int32, _ priority: Int32) -> Bool {
    var parameters = sched_param(sched_priority: priority)
    // For 0, Linux takes the calling thread.
    return sched_setscheduler(0, policy, &parameters) == 0
  }
}

extension Duration {
  /// Whole nanoseconds, GStreamer's unit of time. Saturates at 292 years.
  @inlinable package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? (seconds < 0 ? .min : .max) : product &+ attoseconds / 1_000_000_000
  }
}
