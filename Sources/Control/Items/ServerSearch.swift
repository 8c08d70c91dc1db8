import ControlPoint
import Synchronization

/// Searches several media servers in parallel. A slow one delays the results at most until the time limit.
final class ServerSearch: Sendable {
  /// Calls its argument with each track.
  typealias Search = @Sendable (_ found: (MediaObject) -> Void) async throws -> Void

  struct Result {
    /// The tracks found.
    var selection: SearchSelection
    var error: (any Error)?
    /// Whether the limit ended the search.
    var isCutShort = false
  }

  private let results: Mutex<[Result]>

  private init(text: String, count: Int) {
    results = Mutex(Array(repeating: Result(selection: SearchSelection(text)), count: count))
  }

  /// - Returns: the results in the order of the searches.
  static func run(_ searches: [Search], text: String, limit: Duration) async -> [Result] {
    let all = ServerSearch(text: text, count: searches.count)
    await withTaskGroup(of: Bool.self) { group in
      for (index, search) in searches.enumerated() {
        group.addTask {
          await all.run(search, index)
          return false
        }
      }
      group.addTask {
        try? await Task.sleep(for: limit)
        return true
      }
      for _ in searches where await group.next() ?? true { break }
      group.cancelAll()
    }
    return all.results.withLock { $0 }
  }

  private func run(_ search: Search, _ index: Int) async {
    do {
      try await search { track in
        results.withLock { $0[index].selection.add(track) }
      }
    } catch {
      let isCutShort = Task.isCancelled
      results.withLock { results in
        results[index].error = error
        results[index].isCutShort = isCutShort
      }
    }
  }
}
