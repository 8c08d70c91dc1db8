import CSQLite

/// A connection to an SQLite database. It belongs to one thread at a time.
///
/// Statements are compiled once and kept until the connection is closed.
package final class Database {
  package enum Value: Sendable, Equatable {
    case null
    case integer(Int64)
    case text(String)

    package init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }
    package init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  }

  /// More compiled statements are discarded: searches have statements of their own.
  private static let maximumStatements = 128

  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]

  /// Opens the database, which is created if it does not exist.
  /// - Parameter isReadOnly: whether nothing is written or created.
  package init(path: String, isReadOnly: Bool = false) throws(DatabaseError) {
    var handle: OpaquePointer?
    let flags =
      (isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_NOMUTEX
    let result = sqlite3_open_v2(path, &handle, flags, nil)
    guard result == SQLITE_OK, let handle else {
      // A failed open may leave a handle, which describes the error.
      let error = DatabaseError(code: result, handle: handle)
      sqlite3_close_v2(handle)
      throw error
    }
    sqlite3_extended_result_codes(handle, 1)
    self.handle = handle
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Runs a statement and ignores its rows.
  package func run(_ sql: String, _ values: Value...) throws(DatabaseError) {
    try run(sql, values: values)
  }

  package func run(_ sql: String, values: [Value]) throws(DatabaseError) {
    try each(sql, values) { _ in }
  }

  /// The rows of a query, converted one by one.
  package func rows<T>(_ sql: String, _ values: Value..., convert: (Row) -> T) throws(DatabaseError) -> [T] {
    try rows(sql, values: values, convert: convert)
  }

  package func rows<T>(_ sql: String, values: [Value], convert: (Row) -> T) throws(DatabaseError) -> [T] {
    var result: [T] = []
    try each(sql, values) { result.append(convert($0)) }
    return result
  }

  /// Runs the body in a transaction, which is rolled back if the body or the commit throws.
  package func transaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
    try run("BEGIN IMMEDIATE")
    do throws(DatabaseError) {
      try body()
      try run("COMMIT")
    } catch {
      // Some errors, such as a full disk, roll back by themselves.
      if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  private func each(_ sql: String, _ values: [Value], _ body: (Row) -> Void) throws(DatabaseError) {
    let statement = try compiled(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() { try bind(value, to: Int32(index + 1), of: statement) }
    while true {
      let result = sqlite3_step(statement)
      if result == SQLITE_DONE { return }
      guard result == SQLITE_ROW else { throw DatabaseError(code: result, handle: handle) }
      body(Row(statement: statement))
    }
  }

  private func compiled(_ sql: String) throws(DatabaseError) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    let result = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard result == SQLITE_OK, let statement else { throw DatabaseError(code: result, handle: handle) }
    if statements.count >= Self.maximumStatements {
      for statement in statements.values { sqlite3_finalize(statement) }
      statements = [:]
    }
    statements[sql] = statement
    return statement
  }

  private func bind(_ value: Value, to index: Int32, of statement: OpaquePointer) throws(DatabaseError) {
    let result =
      switch value {
      case .null: sqlite3_bind_null(statement, index)
      case .integer(let number): sqlite3_bind_int64(statement, index, number)
      case .text(var text):
        text.withUTF8 { bytes in
          bytes.withMemoryRebound(to: CChar.self) {
            swiftlet_sqlite_bind_text(statement, index, $0.baseAddress, Int32($0.count))
          }
        }
      }
    guard result == SQLITE_OK else { throw DatabaseError(code: result, handle: handle) }
  }

  /// The row a statement has reached. Use it only inside the closure that receives it.
  package struct Row {
    fileprivate let statement: OpaquePointer

    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    /// Nil for NULL.
    package func number(_ column: Int32) -> Int? { isNull(column) ? nil : Int(integer(column)) }

    /// Empty for NULL.
    package func text(_ column: Int32) -> String {
      // Read the text before its length: reading it may convert the value, which changes the length.
      guard let bytes = sqlite3_column_text(statement, column) else { return "" }
      let count = Int(sqlite3_column_bytes(statement, column))
      return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
  }
}

/// An error of SQLite, with its extended result code (https://www.sqlite.org/rescode.html).
package struct DatabaseError: Error, Equatable, CustomStringConvertible {
  package let code: Int32
  /// Lower case, without a full stop.
  package let description: String

  fileprivate init(code: Int32, handle: OpaquePointer?) {
    self.code = code
    // "database or disk is full", but also "out of memory" for a handle that could not be allocated.
    description = String(cString: handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
  }

  private init(code: Int32, description: String) {
    self.code = code
    self.description = description
  }

  /// The schema is valid but the contents are inconsistent.
  package static func damaged(_ what: String) -> DatabaseError {
    DatabaseError(code: SQLITE_CORRUPT, description: what)
  }

  private var primaryCode: Int32 { code & 0xFF }

  /// The file is not a database, or is damaged.
  package var isCorruption: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

  package var isFullDisk: Bool { primaryCode == SQLITE_FULL }
}
