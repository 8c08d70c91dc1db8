import Glibc
import Synchronization

/// Writes lines to a descriptor on a thread of its own: a pipe that nobody reads blocks that thread and nobody else.
final class LineWriter: Sendable {
  private struct State {
    /// The lines that are not written yet, the one being written first.
    var lines: [String] = []
    var hasThread = false
  }

  /// Further lines are dropped while so many wait. Lines are rare: in ordinary use only the one being written waits.
  static let capacity = 1000

  private let descriptor: CInt
  private let state = Mutex(State())
  /// Posted once for each line.
  private let added = Semaphore()
  /// Posted whenever all lines are written.
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

  /// Waits until everything is written, for a limited time.
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

  /// Writes the whole line, unless that fails: an error here cannot be reported anywhere.
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

/// A POSIX semaphore. Sendable because its functions may be called from any thread; the memory stays where it is.
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

  /// - Returns: false if the time is over.
  func wait(until deadline: timespec) -> Bool {
    var deadline = deadline
    while sem_timedwait(semaphore, &deadline) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }
}
