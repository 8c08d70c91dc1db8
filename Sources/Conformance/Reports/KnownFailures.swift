/// A file with the ids of known failures: one per line, with `#` for comments.
public enum KnownFailures {
  /// Ids that no check has.
  public struct Unknown: Error, Hashable {
    public var ids: [String]
  }

  public static func read(_ text: String) throws(Unknown) -> Set<String> {
    let ids = text.split(whereSeparator: \.isNewline)
      .map { line in String(line.prefix { $0 != "#" }.filter { !$0.isWhitespace }) }
      .filter { !$0.isEmpty }
    let existing = Set(Check.all.map(\.id))
    let unknown = ids.filter { !existing.contains($0) }
    guard unknown.isEmpty else { throw Unknown(ids: unknown) }
    return Set(ids)
  }
}
