import Logging

/// Keeps things in the state folder while the program runs: `keep` returns at once, and a thread of the keeper's own
/// writes. What has changed is on the disk a second later at most, and written once a second at most.
///
/// One keeper serves everything that is kept; each thing has a file of its own:
///
///     let keeper = StateKeeper(folder: folder, logger: logger)
///     var volume = keeper.load("sound")?.value("volume") ?? 50      // at the start
///     …
///     var text = StateText()                                        // whenever it changes
///     text.add("volume", volume)
///     keeper.keep(text, as: "sound")
///     …
///     await keeper.shutdown()                                       // the last change is written
///
/// A disk that is full or broken stops nothing: it is said once, the files stay as they were, and what was to be kept is
/// written when that works again.
public final class StateKeeper: Sendable {
  private struct Shared {
    var schedule: WriteSchedule
    /// By file.
    var texts: [String: Kept] = [:]
    /// Files that make no sense and could not be set aside.
    var inTheWay: Set<String> = []
    /// What is written in a way of its own.
    var works: [any StateWork] = []
    var hasEnded = false
    var waitingForEnd: [CheckedContinuation<Void, Never>] = []
  }

  private struct Kept {
    var text: String
    var isWritten: Bool
  }

  let folder: StateFolder
  let logger: Logger
  private let shared: Monitor<Shared>

  public convenience init(folder: StateFolder, logger: Logger) {
    self.init(folder: folder, schedule: WriteSchedule(), logger: logger)
  }

  init(folder: StateFolder, schedule: WriteSchedule, logger: Logger) {
    self.folder = folder
    self.logger = logger
    shared = Monitor(Shared(schedule: schedule))
    NamedThread.start("state") { [self] in run() }
  }

  /// What was kept as the name; nil where there is nothing. A file of a later version, or one that is damaged, is set
  /// aside and said. Reads the disk: for the start, before the event loop runs.
  /// - Parameter version: the newest that the caller understands.
  public func load(_ name: String, version: Int = 1) -> StateText? {
    do throws(StateError) {
      guard let written = try folder.read(name) else { return nil }
      do throws(StateTextError) {
        let text = try StateText(written, of: name, version: version)
        shared.withLock { $0.texts[name] = Kept(text: written, isWritten: true) }
        return text
      } catch {
        setAside(name, because: error == .laterVersion ? Self.laterVersion : Self.damaged)
      }
    } catch {
      setAside(name, because: Self.unreadable)
    }
    return nil
  }

  /// Keeps a text as the name, in place of what was kept so before; nothing is written if that is the same. Returns at
  /// once, on any thread.
  /// - Parameter name: of the file; a word without a space.
  public func keep(_ text: StateText, as name: String, version: Int = 1) {
    let text = text.text(of: name, version: version)
    shared.update { shared in
      guard shared.texts[name]?.text != text, !shared.inTheWay.contains(name) else { return }
      shared.texts[name] = Kept(text: text, isWritten: false)
      shared.schedule.changed()
    }
  }

  /// For a file that could be loaded and makes no sense to whom it belongs: it gets another name, which is said.
  public func setAside(_ name: String) { setAside(name, because: Self.damaged) }

  static let laterVersion = "was written by a later version of this program"
  static let damaged = "is damaged"
  static let unreadable = "cannot be read"

  /// - Returns: whether it is out of the way. If not, nothing is written in its place.
  @discardableResult
  func setAside(_ name: String, because reason: String) -> Bool {
    shared.withLock { $0.texts[name] = nil }
    do throws(StateError) {
      let other = try folder.setAside(name)
      logger.warning("\(folder.path)/\(name) \(reason): it is kept as \(other), and what it held begins anew.")
      return true
    } catch {
      shared.withLock { _ = $0.inTheWay.insert(name) }
      logger.warning("\(folder.path)/\(name) \(reason), and cannot be set aside: nothing is kept there. \(error)")
      return false
    }
  }

  /// Writes what has changed last. What is kept afterwards is not written any more.
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

  // MARK: Longer works

  /// Gives something a place on the keeper's thread, until the end.
  func attach(_ work: any StateWork) { shared.update { $0.works.append(work) } }

  /// One of the works has something to write.
  func changed() { shared.update { $0.schedule.changed() } }

  // MARK: The thread

  private func run() {
    var complaints = Complaints(logger: logger)
    while true {
      let step = shared.wait { shared -> WriteSchedule.Step? in
        let step = shared.schedule.step(now: .now)
        return step == .idle ? nil : step
      }
      switch step {
      case .wait(let moment):
        // Nothing but the end makes it earlier.
        let rest = ContinuousClock.now.duration(to: moment)
        _ = shared.wait(timeout: rest) { $0.schedule.step(now: .now) == .wait(until: moment) ? nil : () }
      case .write: complaints.note(write())
      case .goOn: complaints.note(goOn())
      case .end: return end()
      case .idle, nil: break
      }
    }
  }

  /// - Returns: what went wrong; nil if nothing did.
  private func write() -> StateError? {
    let (texts, works, isLast) = shared.withLock { shared in
      shared.schedule.began(now: .now)
      let texts = shared.texts.filter { !$0.value.isWritten }.mapValues(\.text)
      for name in texts.keys { shared.texts[name]?.isWritten = true }
      return (texts, shared.works, shared.schedule.step(now: .now) == .end)
    }
    var firstError: StateError?
    for (name, text) in texts {
      do throws(StateError) {
        try folder.write(text, to: name)
      } catch {
        firstError = firstError ?? error
        shared.withLock { $0.texts[name]?.isWritten = false }
      }
    }
    return perform(works, before: firstError) { work throws(StateError) in try work.write(isLast: isLast) }
  }

  private func goOn() -> StateError? {
    perform(shared.withLock { $0.works }, before: nil) { work throws(StateError) in try work.goOn() }
  }

  /// One step of every work, and what follows for the schedule.
  private func perform(
    _ works: [any StateWork], before: StateError?, _ step: (any StateWork) throws(StateError) -> Bool
  ) -> StateError? {
    var firstError = before
    var hasLongerWork = false
    for work in works {
      do throws(StateError) {
        if try step(work) { hasLongerWork = true }
      } catch {
        firstError = firstError ?? error
      }
    }
    shared.withLock { [firstError, hasLongerWork] shared in
      if firstError == nil {
        shared.schedule.succeeded(hasLongerWork: hasLongerWork)
      } else {
        shared.schedule.failed(now: .now)
      }
    }
    return firstError
  }

  private func end() {
    let waiting = shared.update { shared in
      shared.hasEnded = true
      defer { shared.waitingForEnd = [] }
      return shared.waitingForEnd
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Says when writing begins to fail, and when it works again.
  private struct Complaints {
    let logger: Logger
    private var isFailing = false

    init(logger: Logger) { self.logger = logger }

    mutating func note(_ error: StateError?) {
      if let error, !isFailing {
        logger.warning("\(error) What changes from now on is lost with a restart, until that works again.")
      } else if error == nil, isFailing {
        logger.notice("What is kept over restarts can be written again.")
      }
      isFailing = error != nil
    }
  }
}

/// Something that is written in a way of its own, on the keeper's thread.
protocol StateWork: Sendable {
  /// Writes what has changed since the last time.
  /// - Parameter isLast: the program ends.
  /// - Returns: whether there is more to do, which `goOn` does when nothing else is to be written.
  func write(isLast: Bool) throws(StateError) -> Bool
  /// Does a further piece, of a few hundred milliseconds at most.
  /// - Returns: whether there is more to do.
  func goOn() throws(StateError) -> Bool
}
