import Glibc

/// The state cannot be read or written. The description is one sentence for people.
public struct StateError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  /// - Parameter verb: what was tried; the reason is `errno`.
  init(doing verb: String, path: String) {
    description = "Cannot \(verb) \(path): \(String(cString: strerror(errno)).lowercased())."
  }

  init(doing verb: String, path: String, _ error: DatabaseError) {
    description = "Cannot \(verb) \(path): \(error)."
  }

  /// - Parameter process: nil if it is not known.
  init(taken path: String, by process: Int?) {
    description = "Another program keeps its state in \(path)\(process.map { ", process \($0)" } ?? "")."
  }
}
