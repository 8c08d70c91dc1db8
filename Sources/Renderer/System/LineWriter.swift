import Glibc
import Synchronization

/// Writes lines to a descriptor on a thread of its own, so that a full pipe blocks nothing else.
final class LineWriter: Sendable {
  private struct State {
    /// Lines to write. The first one is being written.
    var lines: [String] = []
    var hasThread = false
  }

  /// Limit of waiting lines. Further ones are dropped.
  static let capacity = 1000

  private let descriptor: CInt
  private let state = Mutex(State())
  private let added = Semaphore()
  /// Posted when all lines are written.
  private let finished = Semaphore()

  init(descriptor: CInt) { self.descriptor = descriptor }

  func write(_ line: String) {
    let isAdded = state.withLock { state in
      guard state.lines.count < Self.capacity else { return false }
      if !state.hasThread { state.hasThread = startThread() }
      guard state.hasThread else { return false }
      state.lines.append(line + "\n")
      return true
    }
    if isAdded { added.post() }
  }

  /// Waits until everything is written, at most this long.
  func finish(within seconds: Int) {
    var deadline = timespec()
    clock_gettime(CLOCK_REALTIME, &deadline)
    deadline.tv_sec += seconds
    while state.withLock({ !$0.lines.isEmpty }), finished.wait(until: deadline) {}
  }

  private func startThread() -> Bool {
    let writer = Unmanaged.passRetained(self)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 64 * 1024)
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let error = pthread_create(
      &thread, &attributes,
      { context in
        if let context { Unmanaged<LineWriter>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, writer.toOpaque())
    if error != 0 { writer.release() }
    return error == 0
  }

  private func run() {
    while true {
      added.wait()
      guard let line = state.withLock({ $0.lines.first }) else { continue }
      put(line)
      let isEmpty = state.withLock { state in
        state.lines.removeFirst()
        return state.lines.isEmpty
      }
      if isEmpty { finished.post() }
    }
  }

  /// Writes the whole line. Errors are ignored, since they cannot be reported anywhere.
  private func put(_ line: String) {
    var rest = Array(line.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

/// A POSIX semaphore. `@unchecked Sendable` is safe: its functions are thread-safe, and its memory never moves.
private final class Semaphore: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func post() { sem_post(semaphore) }

  func wait() {
    while sem_wait(semaphore) != 0, errno == EINTR {}
  }

  /// - Returns: false after the deadline.
  func wait(until deadline: timespec) -> Bool {
    var deadline = deadline
    while sem_timedwait(semaphore, &deadline) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }
}
