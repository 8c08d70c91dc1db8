/// Which output the player plays to, and how one is found while there is none.
public struct OutputChoice: Sendable {
  /// The one to begin with; nil where there is none yet.
  public let output: OutputDescription?
  /// Finds one that can be opened; nil where no other will do.
  package let find: (@Sendable () throws(OutputError) -> OutputDescription)?

  /// This one. Whether it is there shows when something is to be played.
  public static func fixed(_ output: OutputDescription) -> OutputChoice { .init(output: output, find: nil) }

  /// The one that the body finds.
  /// - Parameters:
  ///   - output: what it has found already.
  ///   - find: called on a thread of the player's own, every few seconds while there is no device. One that goes is looked
  ///     for anew: it may come back under another name.
  public static func found(
    _ output: OutputDescription?, find: @escaping @Sendable () throws(OutputError) -> OutputDescription
  ) -> OutputChoice { .init(output: output, find: find) }
}
