/// Why an output cannot be used, in one sentence for people.
public struct OutputError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
