import CLinux
import Glibc
import Synchronization

/// What the scanner's thread and other threads share.
final class LibraryState: Sendable {
  private struct State {
    var settings: LibrarySettings
    var status = LibraryStatus()
    var systemUpdateID: UInt32 = 0
    var listeners: [Int: AsyncStream<LibraryChange>.Continuation] = [:]
    var nextListener = 0
    var isStopped = false
    var isScanRequested = false
    /// Counts the databases: a damaged one is replaced.
    var generation = 0
  }

  private let state: Mutex<State>
  /// An eventfd that wakes the scanner's poll(2).
  let wake = swiftlet_eventfd()

  init(_ settings: LibrarySettings) { state = Mutex(State(settings: settings)) }

  deinit { close(wake) }

  var settings: LibrarySettings { state.withLock { $0.settings } }
  var status: LibraryStatus { state.withLock { $0.status } }
  var systemUpdateID: UInt32 { state.withLock { $0.systemUpdateID } }
  var isStopped: Bool { state.withLock { $0.isStopped } }
  var generation: Int { state.withLock { $0.generation } }

  func update(_ body: (inout LibraryStatus) -> Void) { state.withLock { body(&$0.status) } }

  /// Notes a new database.
  func opened(systemUpdateID: UInt32) {
    state.withLock { $0.generation += 1 }
    publish(LibraryChange(systemUpdateID: systemUpdateID, containers: [:]))
  }

  func publish(_ change: LibraryChange) {
    state.withLock { state in
      state.systemUpdateID = change.systemUpdateID
      for listener in state.listeners.values { listener.yield(change) }
    }
  }

  func changes() -> AsyncStream<LibraryChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: LibraryChange.self, bufferingPolicy: .bufferingNewest(64))
    let number = state.withLock { state in
      state.nextListener += 1
      if state.isStopped { continuation.finish() } else { state.listeners[state.nextListener] = continuation }
      return state.nextListener
    }
    continuation.onTermination = { [weak self] _ in self?.removeListener(number) }
    return stream
  }

  private func removeListener(_ number: Int) {
    _ = state.withLock { $0.listeners.removeValue(forKey: number) }
  }

  /// - Returns: false for the same folders.
  func setFolders(_ folders: [String]) -> Bool {
    state.withLock { state in
      let former = state.settings
      state.settings.folders = LibrarySettings(folders: folders).folders
      return state.settings != former
    }
  }

  func requestScan() {
    state.withLock { $0.isScanRequested = true }
    signal()
  }

  func takeScanRequest() -> Bool {
    state.withLock { state in
      defer { state.isScanRequested = false }
      return state.isScanRequested
    }
  }

  func stop() {
    let listeners = state.withLock { state in
      state.isStopped = true
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
    signal()
  }

  private func signal() {
    var one: UInt64 = 1
    _ = write(wake, &one, 8)
  }
}
