import SQLite

/// The thread of queries and its connection to the database.
final class QueryReader: Sendable {
  /// Belongs to the thread of `worker`.
  private final class Connection: @unchecked Sendable {
    // @unchecked Sendable is safe: only work on the one thread of `worker` uses it, one after another.
    var database: Database?
    var generation = 0
  }

  private let path: String
  private let state: LibraryState
  private let worker = LibraryWorker("library-query")
  private let connection = Connection()

  /// - Parameter path: of the database.
  init(path: String, state: LibraryState) {
    self.path = path
    self.state = state
  }

  /// Runs a query.
  /// - Throws: what the body throws, and `failed` while there is no index.
  func run<T: Sendable>(
    _ body: @escaping @Sendable (LibraryReader) throws(LibraryError) -> T
  ) async throws(LibraryError) -> T {
    try await worker.run { [path, state, connection] () throws(LibraryError) in
      let generation = state.generation
      guard generation > 0 else { throw .failed("the library is being opened") }
      if connection.database == nil || connection.generation != generation {
        connection.database = nil
        do throws(DatabaseError) {
          connection.database = try LibraryDatabase.openReader(path: path)
        } catch {
          throw .failed("\(error)")
        }
        connection.generation = generation
      }
      guard let database = connection.database else { throw .failed("there is no index") }
      return try body(LibraryReader(database: database, systemUpdateID: state.systemUpdateID))
    }
  }

  func stop() { worker.stop() }
}
