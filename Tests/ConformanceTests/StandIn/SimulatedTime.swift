import Foundation
import Glibc
import MediaOrigin
import Synchronization

/// Time that passes only while every thread of the process is asleep, so that a busy machine makes nothing late.
///
/// It passes at most as fast as real time, since the device host has its own timers. A step ends at the latest when the
/// next sleeper wakes up.
final class SimulatedTime: TimeSource {
  private struct Sleeper {
    let deadline: ContinuousClock.Instant
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now = ContinuousClock.now
    var isOver = false
    var sleepers: [Int: Sleeper] = [:]
    var count = 0
  }

  private let state = Mutex(State())

  var now: ContinuousClock.Instant { state.withLock { $0.now } }

  /// Lets time pass until the task is cancelled. Then all sleepers wake up.
  func run() async {
    Clockwork.shared.add(self)
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
    Clockwork.shared.remove(self)
    wake { $0.isOver = true }
  }

  /// Lets time pass up to the next sleeper's deadline.
  fileprivate func step(_ longest: Duration) {
    wake { state in
      state.now = min(state.now + longest, state.sleepers.values.map(\.deadline).min() ?? state.now + longest)
    }
  }

  private func wake(after change: (inout State) -> Void) {
    let awake = state.withLock { state in
      change(&state)
      let awake = state.sleepers.filter { state.isOver || $0.value.deadline <= state.now }
      for number in awake.keys { state.sleepers[number] = nil }
      return awake.values.map(\.continuation)
    }
    for continuation in awake { continuation.resume() }
  }

  func sleep(until deadline: ContinuousClock.Instant) async {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard !state.isOver, deadline > state.now, !Task.isCancelled else { return true }
          state.sleepers[number] = Sleeper(deadline: deadline, continuation: continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume()
    }
  }
}

/// The thread that moves all simulated times. It sleeps in system calls only, because a task would wake other threads.
private final class Clockwork: Sendable {
  static let shared = Clockwork()

  private struct State {
    var times: [ObjectIdentifier: SimulatedTime] = [:]
    var isRunning = false
  }

  private let state = Mutex(State())

  func add(_ time: SimulatedTime) {
    let isRunning = state.withLock { state in
      state.times[ObjectIdentifier(time)] = time
      defer { state.isRunning = true }
      return state.isRunning
    }
    guard !isRunning else { return }
    Thread.detachNewThread { [self] in
      var last = OtherThreads()
      while let times = nextTimes() {
        usleep(500)
        let current = OtherThreads()
        if let idle = current.idleTime(since: last) { for time in times { time.step(idle) } }
        last = current
      }
    }
  }

  func remove(_ time: SimulatedTime) { state.withLock { $0.times[ObjectIdentifier(time)] = nil } }

  /// Nil if the thread has to end.
  private func nextTimes() -> [SimulatedTime]? {
    state.withLock { state in
      state.isRunning = !state.times.isEmpty
      return state.isRunning ? Array(state.times.values) : nil
    }
  }
}

/// A snapshot of the process's threads, except for the calling one.
private struct OtherThreads {
  private let time = ContinuousClock.now
  /// The numbers of context switches by thread; nil if a thread is not asleep.
  private let switches = Self.switchesIfAsleep()

  /// The time since then, if all threads have been asleep.
  func idleTime(since last: OtherThreads) -> Duration? {
    guard let switches, switches == last.switches else { return nil }
    return time - last.time
  }

  /// The numbers of context switches by thread; nil if a thread is not asleep.
  private static func switchesIfAsleep() -> [Int: [UInt8]]? {
    guard let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self"),
      let folder = opendir("/proc/self/task")
    else { return nil }
    defer { closedir(folder) }
    var all: [Int: [UInt8]] = [:]
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let number = Int(name), !own.hasSuffix("/\(name)") else { continue }
      guard let switches = switchesIfAsleep(number) else { return nil }
      all[number] = switches
    }
    return all
  }

  /// The last lines of the thread's status, which have the numbers; nil if the thread is not asleep.
  private static func switchesIfAsleep(_ thread: Int) -> [UInt8]? {
    let file = open("/proc/self/task/\(thread)/status", O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      let count = read(file, buffer.baseAddress, buffer.count - 1)
      guard count > 0, let text = buffer.baseAddress else { return nil }
      text[count] = 0
      guard strstr(text, "State:\tS") != nil, let switches = strstr(text, "voluntary_ctxt_switches") else { return nil }
      return Array(UnsafeRawBufferPointer(start: switches, count: strlen(switches)))
    }
  }
}
