import Playback

/// Counts the tracks that have been the speaker's current one, for Info and Time alike: controllers read a track anew
/// when the count goes up.
public final class TrackCounter {
  private var trackID = 0
  private(set) var count: UInt32 = 0

  public init() {}

  /// - Returns: the count, with the deck's track in it.
  func count(_ deck: Deck) -> UInt32 {
    if deck.trackID != trackID {
      trackID = deck.trackID
      count &+= 1
    }
    return count
  }
}
