/// A track that a play list names.
public struct ListedTrack: Sendable, Equatable {
  /// Absolute, in what a player gives.
  public let address: String
  /// What the list calls it; nil where it does not, or in an encoding that cannot be told.
  public let title: String?

  /// As much of a title as is kept, in characters.
  private static let longestTitle = 500

  package init(address: String, title: String? = nil) {
    self.address = address
    self.title = title.flatMap { title in
      let kept = String(title.prefix(Self.longestTitle)).trimmingSpaces()
      return kept.isEmpty || kept.contains("\u{FFFD}") ? nil : kept
    }
  }

  package func titled(_ title: String?) -> ListedTrack { ListedTrack(address: address, title: title) }
}
