/// Decides which part of a container to ask for next (ContentDirectory:1 §2.7.4), whatever the server answers.
///
/// A change of the content during reading is only reported. Starting again would repeat objects that the caller has
/// already seen, and would never end on a server that increases its UpdateID all the time.
struct PageMachine: Hashable {
  /// Bounds an endless server.
  static let maximumObjects = 1_000_000
  /// Consecutive pages without an object, although the server counts some.
  static let maximumEmptyPages = 10

  struct Answer: Hashable {
    /// Objects in the document, readable or not.
    var count: Int
    /// The id of the first object, to detect a server that ignores StartingIndex.
    var firstID: String?
    var numberReturned: UInt32
    /// 0 for unknown.
    var totalMatches: UInt32
    var updateID: UInt32
  }

  enum Event: Hashable {
    case answer(Answer)
    /// The device refused the action.
    case fault
  }

  enum Step: Hashable {
    case request(start: UInt32, count: UInt32)
    case end(End)
  }

  /// Why no further page is asked for.
  enum End: Hashable {
    case complete
    /// The server announced more than it returned.
    case short
    /// The server sent the same page again.
    case repeated
    case tooMany
    /// The server refused the action.
    case fault
  }

  let pageSize: UInt32
  private(set) var received = 0
  /// Nil until the server reports it.
  private(set) var total: Int?
  /// Whether the UpdateID changed, so objects may be missing or appear twice.
  private(set) var hasChanged = false
  private var updateID: UInt32?
  private var firstID: String?
  private var emptyPages = 0

  init(pageSize: UInt32) { self.pageSize = max(1, pageSize) }

  var first: Step { .request(start: 0, count: pageSize) }

  /// - Returns: what to do next, and whether the objects of the answer are new.
  mutating func handle(_ event: Event) -> (step: Step, isNew: Bool) {
    guard case .answer(let answer) = event else {
      // Some servers refuse a StartingIndex after the last object.
      return (.end(received > 0 && (total ?? received) <= received ? .complete : .fault), false)
    }
    if let updateID, updateID != answer.updateID { hasChanged = true }
    updateID = answer.updateID
    total = answer.totalMatches == 0 ? total : Int(answer.totalMatches)
    guard answer.count > 0 || answer.numberReturned > 0 else {
      return (.end(total.map { received < $0 } ?? false ? .short : .complete), false)
    }
    emptyPages = answer.count == 0 ? emptyPages + 1 : 0
    guard emptyPages <= Self.maximumEmptyPages else { return (.end(.short), false) }
    if received > 0, let firstID, answer.firstID == firstID { return (.end(.repeated), false) }
    firstID = answer.firstID
    received += max(answer.count, Int(answer.numberReturned))
    return (next(after: answer), true)
  }

  private func next(after answer: Answer) -> Step {
    guard received < Self.maximumObjects, let start = UInt32(exactly: received) else { return .end(.tooMany) }
    let more = Step.request(start: start, count: pageSize)
    guard let total else { return more }
    if received < total { return more }
    // Some servers send the size of the page as TotalMatches, so a full page may not be the last one.
    let isSizeOfPage = answer.totalMatches == answer.numberReturned && answer.numberReturned == pageSize
    return isSizeOfPage ? more : .end(.complete)
  }
}
