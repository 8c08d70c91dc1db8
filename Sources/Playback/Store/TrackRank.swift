/// Places a track between its neighbours by one number, so that an insert writes one row however long the list is.
enum TrackRank {
  /// Distance between the ranks of tracks that are appended. Half of it is left after each insert at the same place.
  static let gap: Int64 = 1 << 32

  /// A rank between two neighbours; nil at either end of the list means that there is none on that side.
  /// - Returns: nil if no number is left between them: all tracks need new ranks.
  static func between(_ lower: Int64?, _ upper: Int64?) -> Int64? {
    switch (lower, upper) {
    case (nil, nil): return 0
    case (let lower?, nil): return lower > .max - gap ? nil : lower + gap
    case (nil, let upper?): return upper < .min + gap ? nil : upper - gap
    case (let lower?, let upper?):
      // The difference of two ranks of different signs may not fit an Int64.
      let rank = lower &+ Int64(bitPattern: (UInt64(bitPattern: upper) &- UInt64(bitPattern: lower)) / 2)
      return rank > lower && rank < upper ? rank : nil
    }
  }
}
