import Playback

/// TrackCount of Info and Time: the number of tracks that have been current. Controllers read a track again when it
/// changes.
public final class TrackCounter {
  private var trackID = 0
  private(set) var count: UInt32 = 0

  public init() {}

  /// - Returns: the count including the deck's current track.
  func count(_ deck: Deck) -> UInt32 {
    if deck.trackID != trackID {
      trackID = deck.trackID
      count &+= 1
    }
    return count
  }
}
