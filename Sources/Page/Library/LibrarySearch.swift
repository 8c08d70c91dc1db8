import ControlPoint

extension MediaServer {
  /// UPnP's error for criteria that are not supported.
  private static let unsupportedCriteria = 708

  /// The tracks whose title, artist or album contain all words.
  ///
  /// MiniDLNA 1.3.0 (Debian 12) refuses the first search after it has read its folders with error 708, and answers the same search
  /// when it comes again. Without the second attempt, `test_all_servers_are_searched_at_once` fails. Gerbera 2.4 refuses searches
  /// for several words.
  /// - Returns: nil if the server cannot search.
  func tracks(
    _ search: TrackSearch, _ capabilities: MediaCapabilities, from start: Int, count: Int
  ) async throws(ControlPointError) -> MediaSlice? {
    guard let criteria = search.criteria(capabilities) else { return nil }
    do throws(ControlPointError) {
      return try await results(criteria: criteria, from: start, count: count)
    } catch {
      guard case .fault(let code, _) = error else { throw error }
      if let criteria = search.longestWord?.criteria(capabilities) {
        return try await results(search, byLongestWord: criteria, from: start, count: count)
      }
      guard code == Self.unsupportedCriteria else { throw error }
      return try await results(criteria: criteria, from: start, count: count)
    }
  }
}
