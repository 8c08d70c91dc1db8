import Synchronization

/// Events that a watcher has not taken yet, in bounded memory: a slow watcher gets changes merged per variable.
struct EventBacklog {
  static let maximumCount = 32
  /// Limit for all values together, in bytes.
  static let maximumSize = EventedVariables.maximumSize

  private var elements: [EventElement] = []
  private var size = 0

  var isEmpty: Bool { elements.isEmpty }

  mutating func append(_ element: EventElement) {
    elements.append(element)
    size += Self.size(element)
    if elements.count > Self.maximumCount || size > Self.maximumSize { compact() }
  }

  mutating func popFirst() -> EventElement? {
    guard !elements.isEmpty else { return nil }
    let element = elements.removeFirst()
    size -= Self.size(element)
    return element
  }

  /// Merges everything into the last lapse, the number of missed events, and one initial event or change, in this order.
  private mutating func compact() {
    var lapse: LapseReason?
    var missed = 0
    var isInitial = false
    var variables = EventedVariables()
    for element in elements {
      switch element {
      case .lapsed(let reason): lapse = reason
      case .missed(let count): missed += count
      case .initial(let all):
        isInitial = true
        variables = EventedVariables()
        if !Self.merge(all, into: &variables) { missed += 1 }
      case .change(let changes): if !Self.merge(changes, into: &variables) { missed += 1 }
      }
    }
    elements = lapse.map { [.lapsed($0)] } ?? []
    if missed > 0 { elements.append(.missed(missed)) }
    if isInitial || !variables.isEmpty {
      elements.append(isInitial ? .initial(Array(variables)) : .change(Array(variables)))
    }
    size = elements.reduce(0) { $0 + Self.size($1) }
  }

  /// - Returns: false if there is no room for some of them.
  private static func merge(_ variables: [EventedVariable], into merged: inout EventedVariables) -> Bool {
    variables.reduce(true) { merged.set($1) && $0 }
  }

  private static func size(_ element: EventElement) -> Int {
    switch element {
    case .initial(let variables), .change(let variables): variables.reduce(0) { $0 + $1.value.utf8.count }
    case .missed, .lapsed: 0
    }
  }
}

/// Passes events from the event loop to the task of one watcher.
final class EventMailbox: Sendable {
  private struct State {
    var backlog = EventBacklog()
    var waiter: CheckedContinuation<EventElement?, Never>?
    var isFinished = false
  }

  private let state = Mutex(State())

  var isFinished: Bool { state.withLock { $0.isFinished } }

  func send(_ element: EventElement) {
    let waiter = state.withLock { state -> CheckedContinuation<EventElement?, Never>? in
      guard !state.isFinished else { return nil }
      if let waiter = state.waiter {
        state.waiter = nil
        return waiter
      }
      state.backlog.append(element)
      return nil
    }
    waiter?.resume(returning: element)
  }

  /// Ends the sequence after the pending elements.
  func finish() {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      state.isFinished = true
      return state.waiter
    }
    waiter?.resume(returning: nil)
  }

  /// The next element; nil at the end. Only one task may wait.
  func next() async -> EventElement? {
    await withCheckedContinuation { continuation in
      let result = state.withLock { state -> EventElement?? in
        if let element = state.backlog.popFirst() { return .some(element) }
        // A second waiter is a programming error. It gets the end instead of waiting forever.
        if state.isFinished || state.waiter != nil { return .some(nil) }
        state.waiter = continuation
        return nil
      }
      if let result { continuation.resume(returning: result) }
    }
  }
}
