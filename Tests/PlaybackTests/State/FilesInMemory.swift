import Glibc

@testable import Playback

/// A folder in memory that can be full, and stop for good before, after or in the middle of any step, as a program does
/// that is killed. What the disk would hold after a power cut is kept apart from what programs see.
final class FilesInMemory: StateFiles {
  struct Content: Equatable {
    var bytes: [UInt8] = []
    /// What is certain to survive a power cut.
    var synced: [UInt8] = []
  }

  /// One step, as it was asked for; a write with its length.
  enum Step: Equatable {
    case create(String)
    case write(String, Int)
    case truncate(String)
    case syncFile(String)
    case rename(String, String)
    case remove(String)
    case syncFolder
  }

  struct State {
    var contents: [Int: Content] = [:]
    var names: [String: Int] = [:]
    var syncedNames: [String: Int] = [:]
    var lastID = 0
    var steps: [Step] = []
    /// The step before which it stops, and how much of that step is done if it is a write.
    var stopsAt: (step: Int, written: Int)?
    /// Bytes of all files together.
    var capacity = Int.max
    /// Steps that fail as long as this says so.
    var fails: (@Sendable (Step) -> Bool)?

    var used: Int { names.values.reduce(0) { $0 + (contents[$1]?.bytes.count ?? 0) } }
  }

  let state: Monitor<State>

  init(_ state: sending State = State()) { self.state = Monitor(state) }

  convenience init(files: [String: [UInt8]]) {
    var state = State()
    for (name, bytes) in files {
      state.lastID += 1
      state.names[name] = state.lastID
      state.contents[state.lastID] = Content(bytes: bytes, synced: bytes)
    }
    state.syncedNames = state.names
    self.init(state)
  }

  func bytes(_ name: String) -> [UInt8]? {
    state.withLock { state in state.names[name].flatMap { state.contents[$0]?.bytes } }
  }

  var steps: [Step] { state.withLock(\.steps) }
  var names: [String] { state.withLock { $0.names.keys.sorted() } }

  /// What a program finds that is started after this one was killed.
  func afterKill() -> FilesInMemory {
    FilesInMemory(
      files: state.withLock { state in state.names.compactMapValues { state.contents[$0]?.bytes } })
  }

  /// What may be on the disk after a power cut.
  /// - Parameters:
  ///   - namesAreSynced: whether the last changes of names and lengths have reached it.
  ///   - tail: makes what lies on the disk of what was appended and not synced; it is given what was written.
  func afterPowerCut(namesAreSynced: Bool, _ tail: ([UInt8]) -> [UInt8]) -> FilesInMemory {
    FilesInMemory(
      files: state.withLock { state in
        (namesAreSynced ? state.names : state.syncedNames).compactMapValues { id in
          guard let content = state.contents[id] else { return nil }
          let appended = tail(Array(content.bytes.dropFirst(content.synced.count)))
          return (namesAreSynced ? content.synced.prefix(content.bytes.count) : content.synced[...]) + appended
        }
      })
  }

  /// Counts the step; throws if it is not to happen.
  fileprivate static func begin(_ step: Step, _ state: inout State) throws(StateError) {
    if let stop = state.stopsAt, state.steps.count >= stop.step {
      errno = EIO
      throw StateError(doing: "go on after", path: "the end")
    }
    if state.fails?(step) == true {
      errno = EIO
      throw StateError(doing: "do", path: "\(step)")
    }
    state.steps.append(step)
  }

  private func step<T: Sendable>(
    _ step: Step, _ body: @Sendable (inout State) throws(StateError) -> T
  ) throws(StateError) -> T {
    try state.update { state -> Result<T, StateError> in
      do throws(StateError) {
        try Self.begin(step, &state)
        return .success(try body(&state))
      } catch {
        return .failure(error)
      }
    }.get()
  }

  // MARK: StateFiles

  func open(_ name: String) throws(StateError) -> (any StateFile)? {
    state.withLock { $0.names[name] }.map { File(id: $0, files: self) }
  }

  func create(_ name: String) throws(StateError) -> any StateFile {
    let id = try step(.create(name)) { state in
      state.lastID += 1
      state.names[name] = state.lastID
      state.contents[state.lastID] = Content()
      return state.lastID
    }
    return File(id: id, files: self)
  }

  func rename(_ name: String, to other: String) throws(StateError) {
    try step(.rename(name, other)) { state in state.names[other] = state.names.removeValue(forKey: name) }
  }

  func remove(_ name: String) throws(StateError) {
    try step(.remove(name)) { state in state.names[name] = nil }
  }

  func exists(_ name: String) -> Bool { state.withLock { $0.names[name] != nil } }

  func sync() throws(StateError) {
    try step(.syncFolder) { state in state.syncedNames = state.names }
  }

  private final class File: StateFile {
    let id: Int
    let files: FilesInMemory
    /// The one it has now.
    var name: String { files.state.withLock { [id] in $0.names.first { $0.value == id }?.key ?? "" } }

    init(id: Int, files: FilesInMemory) {
      self.id = id
      self.files = files
    }

    func size() -> Int { files.state.withLock { [id] in $0.contents[id]?.bytes.count ?? 0 } }

    func read(_ count: Int, at offset: Int) -> [UInt8] {
      files.state.withLock { [id] in Array($0.contents[id]?.bytes.dropFirst(offset).prefix(count) ?? []) }
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(StateError) {
      let name = name
      let error = files.state.update { [id] state -> StateError? in
        var fitting = min(bytes.count, max(0, state.capacity - state.used + (self.size(in: state) - offset)))
        var error: StateError?
        if fitting < bytes.count {
          errno = ENOSPC
          error = StateError(doing: "write", path: name)
        }
        let stop = state.stopsAt.flatMap { $0.step == state.steps.count ? $0.written : nil }
        do throws(StateError) {
          try FilesInMemory.begin(.write(name, bytes.count), &state)
        } catch let stopped {
          error = stopped
          fitting = min(fitting, stop ?? 0)
        }
        guard fitting > 0, var content = state.contents[id] else { return error }
        if content.bytes.count < offset + fitting {
          content.bytes += [UInt8](repeating: 0, count: offset + fitting - content.bytes.count)
        }
        content.bytes.replaceSubrange(offset..<offset + fitting, with: bytes.prefix(fitting))
        state.contents[id] = content
        return error
      }
      if let error { throw error }
    }

    private func size(in state: State) -> Int { state.contents[id]?.bytes.count ?? 0 }

    func truncate(to size: Int) throws(StateError) {
      try files.step(.truncate(name)) { [id] state in
        guard var content = state.contents[id] else { return }
        content.bytes = Array(content.bytes.prefix(size))
        state.contents[id] = content
      }
    }

    func sync() throws(StateError) {
      try files.step(.syncFile(name)) { [id] state in
        let bytes = state.contents[id]?.bytes ?? []
        state.contents[id]?.synced = bytes
      }
    }
  }
}
