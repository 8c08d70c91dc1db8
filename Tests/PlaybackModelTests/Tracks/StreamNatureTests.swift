import Testing

@testable import PlaybackModel

/// Which streams have an end, how to seek in them, and what their end means.
@Suite struct StreamNatureTests {
  /// Facts about a stream, from which a `StreamNature` is made.
  enum Fact: String {
    /// `icy-name` without and with `icy-metaint`.
    case name, titles
    /// `Content-Length`, `Transfer-Encoding: chunked`. Without both, the body ends when the connection closes.
    case size, chunked
    case segmented, seekable
    /// A size in the head that means no end.
    case noEnd
    /// A duration in the head of the stream, and in the item.
    case duration, itemDuration
    case same, other, undecided
  }

  static func nature(_ facts: [Fact]) -> StreamNature {
    var nature = StreamNature()
    for fact in facts {
      switch fact {
      case .name: nature.hasStationHeaders = true
      case .titles: (nature.hasStationHeaders, nature.hasTitles) = (true, true)
      case .size: nature.hasSize = true
      case .chunked: nature.isChunked = true
      case .noEnd: nature.declaresNoEnd = true
      case .segmented: nature.isSegmented = true
      case .seekable: nature.isSeekable = true
      case .duration: nature.hasDuration = true
      case .itemDuration: nature.hasItemDuration = true
      case .same: nature.reopening = .same
      case .other: nature.reopening = .other
      case .undecided: nature.reopening = .undecided
      }
    }
    return nature
  }

  typealias Row = (facts: [Fact], kind: StreamNature.Kind, access: StreamNature.Access)

  static let kinds: [Row] = [
    ([], .unknown, .readThrough),
    ([.chunked], .unknown, .readThrough),
    ([.size, .seekable, .duration], .file, .seek),
    ([.size], .file, .readThrough),
    // A file generated on the fly, whose head or item declares a duration.
    ([.duration], .file, .readThrough), ([.chunked, .duration], .file, .readThrough),
    ([.itemDuration], .file, .readThrough), ([.chunked, .itemDuration], .file, .readThrough),
    // A station, even if its first frame declares a duration.
    ([.titles], .station, .none), ([.titles, .duration], .station, .none), ([.titles, .same], .station, .none),
    ([.titles, .chunked], .station, .none), ([.titles, .chunked, .duration], .station, .none),
    ([.name], .station, .none), ([.name, .duration], .station, .none),
    ([.name, .seekable, .duration], .station, .none),
    ([.name, .other], .station, .none), ([.name, .undecided], .station, .none),
    // Music Assistant: a track, an announcement or a queue. It ends, and after a pause it continues where it was.
    ([.name, .chunked], .unknown, .readThrough), ([.name, .chunked, .duration], .unknown, .readThrough),
    ([.name, .chunked, .itemDuration], .file, .readThrough),
    ([.titles, .chunked, .itemDuration], .file, .readThrough),
    ([.name, .chunked, .same], .file, .readThrough), ([.name, .chunked, .other], .unknown, .none),
    ([.name, .itemDuration], .file, .readThrough), ([.titles, .itemDuration], .file, .readThrough),
    ([.name, .same], .file, .readThrough),
    // A file on a server that sends a station's headers with everything.
    ([.name, .size, .seekable, .duration], .file, .seek), ([.name, .size], .file, .readThrough),
    ([.titles, .size], .file, .readThrough),
    ([.size, .segmented], .live, .none), ([.size, .segmented, .itemDuration], .live, .none),
    ([.size, .segmented, .seekable, .duration], .file, .seek),
    // A live stream whose head says that it has no end, or a file that was made on the fly.
    ([.noEnd], .live, .none), ([.noEnd, .chunked], .live, .none), ([.noEnd, .other], .live, .none),
    ([.noEnd, .undecided], .live, .none), ([.noEnd, .same], .file, .readThrough),
    ([.noEnd, .size], .file, .readThrough), ([.noEnd, .itemDuration], .file, .readThrough),
    ([.noEnd, .name, .chunked], .unknown, .readThrough),
    // Streams that were opened before.
    ([.same], .file, .readThrough), ([.undecided], .unknown, .readThrough), ([.other], .unknown, .none),
    ([.size, .other], .file, .readThrough),
  ]

  @Test func aStreamEndsOrDoesNot() {
    for row in Self.kinds {
      let nature = Self.nature(row.facts)
      #expect(nature.kind == row.kind, "\(row.facts)")
      #expect(nature.access == row.access, "\(row.facts)")
    }
  }

  /// For each end: whether a short stream and a long one continue on another connection.
  static let ends: [(facts: [Fact], closed: (short: Bool, long: Bool))] = [
    ([], (false, false)), ([.itemDuration], (false, false)), ([.duration], (false, false)), ([.other], (false, false)),
    ([.name], (false, true)), ([.name, .duration], (false, true)), ([.name, .other], (true, true)),
    ([.name, .undecided], (false, true)), ([.name, .same], (false, false)), ([.name, .itemDuration], (false, false)),
    ([.titles], (true, true)), ([.titles, .duration], (true, true)), ([.titles, .same], (true, true)),
    ([.titles, .itemDuration], (false, false)),
    ([.name, .size], (false, false)), ([.titles, .size], (false, false)),
    ([.segmented], (false, false)), ([.name, .segmented], (false, false)),
  ]

  @Test func anEndIsABreakOrIsNot() {
    let lengths: [(Duration, KeyPath<(short: Bool, long: Bool), Bool>)] = [
      (.seconds(3), \.short), (StreamNature.shortest - .nanoseconds(1), \.short), (StreamNature.shortest, \.long),
      (.seconds(10_000), \.long),
    ]
    for row in Self.ends {
      for (length, expected) in lengths {
        #expect(
          Self.nature(row.facts).isBroken(by: .closed, after: length) == row.closed[keyPath: expected],
          "\(row.facts) after \(length)")
        // Whatever the headers say, a body ends with its last byte or chunk, and not before.
        for facts in [row.facts, row.facts + [.chunked]] {
          #expect(!Self.nature(facts).isBroken(by: .marked, after: length), "\(facts) after \(length)")
        }
      }
    }
  }
}
