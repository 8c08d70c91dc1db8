import Glibc

/// Something about the state folder that did not work, in one sentence.
public struct StateError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  /// - Parameter doing: what was tried, as a verb; the reason is `errno`.
  init(doing verb: String, path: String) {
    description = "Cannot \(verb) \(path): \(String(cString: strerror(errno)).lowercased())."
  }

  /// - Parameter process: nil where that cannot be told.
  init(taken path: String, by process: Int?) {
    description = "Another program keeps its state in \(path)\(process.map { ", process \($0)" } ?? "")."
  }
}
