import PlaybackModel

/// The latest request for a playlist and its result.
struct ListRequest {
  private var number = 0
  private var result: Result<[ListedTrack], PlaybackError>?

  mutating func begin() -> Int {
    number += 1
    result = nil
    return number
  }

  /// - Returns: false for a request that a newer one has replaced.
  mutating func finish(_ number: Int, _ result: Result<[ListedTrack], PlaybackError>) -> Bool {
    guard number == self.number else { return false }
    self.result = result
    return true
  }

  mutating func take(_ number: Int) -> Result<[ListedTrack], PlaybackError>? {
    guard number == self.number else { return nil }
    defer { result = nil }
    return result
  }
}
