extension String {
  /// The candidate that this text probably means: it differs by a typing error, or has the most words in common.
  func nearest(of candidates: [String]) -> String? { mistyped(of: candidates) ?? related(of: candidates) }

  private func related(of candidates: [String]) -> String? {
    let common = candidates.map { (name: $0, words: $0.words.intersection(words).count) }
    guard let most = common.map(\.words).max(), most > 0 else { return nil }
    return common.first { $0.words == most }?.name
  }

  /// Words of more than two letters.
  private var words: Set<Substring> { Set(split { "._-".contains($0) }.filter { $0.count > 2 }) }

  private func mistyped(of candidates: [String]) -> String? {
    let distances = candidates.map { (name: $0, distance: $0.distance(to: self)) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    // Allow two typing errors, or one for every three letters of a long name, but not a completely different text.
    return best.distance <= max(2, count / 3) && best.distance < max(count, best.name.count) ? best.name : nil
  }

  /// The number of insertions, deletions, substitutions and swaps of neighbours between two texts (optimal string
  /// alignment).
  private func distance(to other: String) -> Int {
    let (a, b) = (Array(self), Array(other))
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = Swift.min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = Swift.min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
