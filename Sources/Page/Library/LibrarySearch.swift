import ControlPoint

extension MediaServer {
  /// UPnP's error for criteria that are not supported.
  private static let unsupportedCriteria = 708
  /// Most albums or artists of a search for words.
  private static let maximumContainers = 200
  /// Most albums or artists of a list of all. A server may send fewer.
  private static let maximumOfAll = 1000

  /// A part of what a search finds.
  ///
  /// MiniDLNA 1.3.0 (Debian 12) answers the first search after a scan of its folders with error 708, and the second one properly.
  /// Without the second attempt, `test_all_servers_are_searched_at_once` fails. Gerbera 2.4 refuses searches for several words.
  /// - Returns: nil if the server cannot search for this kind.
  func found(
    _ search: MediaSearch, _ capabilities: MediaCapabilities, from start: Int, count: Int
  ) async throws(ControlPointError) -> MediaSlice? {
    guard search.kind != .track else {
      return try await results(search, capabilities, from: start, count: count)
    }
    // Servers list a container in several views. Read all results, to remove duplicates before the part is cut out.
    let most = search.words.isEmpty ? Self.maximumOfAll : Self.maximumContainers
    guard var slice = try await results(search, capabilities, from: 0, count: most) else {
      return nil
    }
    let all = search.unique(slice.objects)
    slice.objects = Array(all.dropFirst(start).prefix(count))
    slice.total = all.count
    return slice
  }

  private func results(
    _ search: MediaSearch, _ capabilities: MediaCapabilities, from start: Int, count: Int
  ) async throws(ControlPointError) -> MediaSlice? {
    guard let typed = search.criteria(capabilities), let spellings = search.criteria(capabilities, .spellings) else {
      return nil
    }
    var isRepeated = false
    var criteria = spellings
    while true {
      do throws(ControlPointError) {
        return try await results(criteria: criteria, from: start, count: count)
      } catch {
        guard case .fault(let code, _) = error else { throw error }
        if code == Self.unsupportedCriteria, !isRepeated {
          isRepeated = true
        } else if criteria != typed {
          criteria = typed
        } else if let criteria = search.longestWord?.criteria(capabilities) {
          return try await results(search, byLongestWord: criteria, from: start, count: count)
        } else {
          throw error
        }
      }
    }
  }
}
