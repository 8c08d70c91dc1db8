/// What a stream says about itself: the tags of a file, used where the item's metadata says nothing, or what a live
/// stream plays now.
public struct TrackTags: Sendable, Equatable {
  public private(set) var title: String?
  public private(set) var artist: String?
  public private(set) var album: String?
  /// Whether they describe what a live stream plays now, and so come before the item's metadata.
  public package(set) var isLive = false

  /// Maximum number of characters of a text. Longer ones are truncated.
  private static let longestText = 500

  package init(title: String? = nil, artist: String? = nil, album: String? = nil, isLive: Bool = false) {
    self.title = title.flatMap(Self.cleaned)
    self.artist = artist.flatMap(Self.cleaned)
    self.album = album.flatMap(Self.cleaned)
    self.isLive = isLive
  }

  package var isEmpty: Bool { title == nil && artist == nil && album == nil }

  /// Adds later tags.
  mutating func add(_ new: TrackTags) {
    title = new.title ?? title
    artist = new.artist ?? artist
    album = new.album ?? album
  }

  /// Without control characters and surrounding blanks; nil if nothing is left.
  private static func cleaned(_ text: String) -> String? {
    let printable = text.prefix(longestText).unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
    let kept = String(String.UnicodeScalarView(printable)).trimmingSpaces()
    return kept.isEmpty ? nil : kept
  }
}
