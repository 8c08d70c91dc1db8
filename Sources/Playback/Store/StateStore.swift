import Logging
import PlaybackModel
import Synchronization

/// Saves the speaker's state in an SQLite database in the state folder.
///
/// `keep` returns at once. A separate thread commits all changes in one transaction, at most once a second, so that a
/// kill loses at most the last second:
///
///     let store = try StateStore(folder: folder, logger: logger)
///     let volume = store.load("sound")?.value("volume", as: Int.self) ?? 50
///     …
///     var text = StateText()
///     text.add("volume", volume)
///     store.keep(text, as: "sound")
///     …
///     await store.shutdown()
///
/// A full or broken disk is logged once and does not stop playback. Changes are written when the disk works again.
public final class StateStore: Sendable {
  private struct Shared {
    var schedule: WriteSchedule
    /// Changed settings that the writer does not have yet, by section.
    var sections: [String: StateText] = [:]
    /// Changes of the playlist that the writer does not have yet.
    var changes: [PlaylistChange] = []
    var hasEnded = false
    var waitingForEnd: [CheckedContinuation<Void, Never>] = []

    mutating func takeChanges() -> (sections: [String: StateText], changes: [PlaylistChange]) {
      defer { (sections, changes) = ([:], []) }
      return (sections, changes)
    }
  }

  private let logger: Logger
  private let shared: Monitor<Shared>
  private let writer: Mutex<StateWriter>
  /// The saved settings, by section.
  private let loaded: [String: StateText]
  /// The saved list until it is taken, so that memory does not hold two copies.
  private let playlist: Mutex<Playlist?>

  /// Reads the state. Blocks: call it before the event loop runs.
  /// - Throws: if a database can be neither opened nor set aside.
  public convenience init(folder: StateFolder, logger: Logger) throws(StateError) {
    try self.init(folder: folder, schedule: WriteSchedule(), logger: logger)
  }

  init(folder: StateFolder, schedule: WriteSchedule, logger: Logger) throws(StateError) {
    self.logger = logger
    var writer = try StateWriter(folder: folder, logger: logger)
    loaded = writer.sections
    playlist = Mutex(Playlist(writer.contents))
    shared = Monitor(Shared(schedule: schedule))
    // Reserve ids before the first one is assigned. The thread reports a failure.
    if (try? writer.write()) == nil { shared.update { $0.schedule.changed() } }
    self.writer = Mutex(writer)
    NamedThread.start("state") { [self] in run() }
  }

  /// The section as it was at the start; nil if there was none.
  public func load(_ section: String) -> StateText? { loaded[section] }

  /// The playlist as it was at the start. Later calls return an empty list.
  public func takePlaylist() -> Playlist {
    playlist.withLock { playlist in
      defer { playlist = nil }
      return playlist ?? Playlist()
    }
  }

  /// Replaces a section within a second. Returns at once, on any thread.
  public func keep(_ text: StateText, as section: String) {
    shared.update { shared in
      shared.sections[section] = text
      shared.schedule.changed()
    }
  }

  /// Writes changes of the playlist within a second. Returns at once, on any thread.
  package func keep(_ changes: [PlaylistChange]) {
    guard !changes.isEmpty else { return }
    shared.update { shared in
      shared.changes += changes
      shared.schedule.changed()
    }
  }

  /// Replaces a section and blocks until it survives a power cut. Not for the event loop.
  /// - Throws: if the changes could not be written. The thread tries again.
  public func commit(_ text: StateText, as section: String) throws(StateError) {
    keep(text, as: section)
    try flush()
  }

  /// Writes all changes and blocks until they survive a power cut. Not for the event loop.
  /// - Throws: if the changes could not be written. The thread tries again.
  package func flush() throws(StateError) { try write(isLast: false) }

  /// Writes all changes.
  ///
  /// They are taken while the writer is locked. So two writers cannot write in the wrong order, and `flush` also waits for
  /// changes that the thread is writing.
  private func write(isLast: Bool) throws(StateError) {
    try writer.withLock { writer throws(StateError) in
      let (sections, changes) = shared.withLock { $0.takeChanges() }
      try writer.write(sections: sections, changes: changes, isLast: isLast)
    }
  }

  /// Renames a section with invalid values instead of deleting it.
  public func setAside(_ section: String) {
    guard let text = loaded[section] else { return }
    let other = "\(section).unreadable"
    logger.warning("The saved \(section) settings are invalid. They are kept as section \(other) of the state.")
    keep(text, as: other)
    keep(StateText(), as: section)
  }

  /// Writes the last changes and closes the database. Later changes are not written.
  public func shutdown() async {
    await withCheckedContinuation { continuation in
      let hasEnded = shared.update { shared in
        shared.schedule.end()
        if !shared.hasEnded { shared.waitingForEnd.append(continuation) }
        return shared.hasEnded
      }
      if hasEnded { continuation.resume() }
    }
  }

  // MARK: The thread

  private func run() {
    var report = WriteReport(of: "The state", logger: logger)
    while true {
      let step = shared.wait { shared -> WriteSchedule.Step? in
        let step = shared.schedule.step(now: .now)
        return step == .idle ? nil : step
      }
      switch step {
      case .wait(let moment):
        // Only shutdown wakes the thread earlier.
        let remaining = ContinuousClock.now.duration(to: moment)
        _ = shared.wait(timeout: remaining) { $0.schedule.step(now: .now) == .wait(until: moment) ? nil : () }
      case .write: report.note(writeOnSchedule())
      case .end: return end()
      case .idle, nil: break
      }
    }
  }

  /// - Returns: the error, if any.
  private func writeOnSchedule() -> StateError? {
    let isLast = shared.withLock { shared in
      shared.schedule.began(now: .now)
      return shared.schedule.step(now: .now) == .end
    }
    do throws(StateError) {
      try write(isLast: isLast)
      return nil
    } catch {
      shared.withLock { $0.schedule.failed(now: .now) }
      return error
    }
  }

  private func end() {
    writer.withLock { $0.close() }
    let waiting = shared.update { shared in
      shared.hasEnded = true
      defer { shared.waitingForEnd = [] }
      return shared.waitingForEnd
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// Logs the first failure of a series of writes, and the success after it.
package struct WriteReport {
  private let name: String
  private let logger: Logger
  private var isFailing = false

  /// - Parameter name: begins a sentence.
  package init(of name: String, logger: Logger) { (self.name, self.logger) = (name, logger) }

  /// - Parameter error: nil for a success.
  package mutating func note(_ error: StateError?) {
    if let error, !isFailing {
      logger.warning("\(error) A restart loses further changes until writing works again.")
    } else if error == nil, isFailing {
      logger.notice("\(name) can be written again.")
    }
    isFailing = error != nil
  }
}
