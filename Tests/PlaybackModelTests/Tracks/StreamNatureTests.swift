import Testing

@testable import PlaybackModel

/// Which streams have an end, and how to seek in them.
@Suite struct StreamNatureTests {
  typealias Row = (nature: StreamNature, kind: StreamNature.Kind, access: StreamNature.Access)

  static let table: [Row] = [
    (.init(), .unknown, .readThrough),
    (.init(hasSize: true, isSeekable: true, hasDuration: true), .file, .seek),
    (.init(hasSize: true), .file, .readThrough),
    // A file generated on the fly, whose head or item declares a duration.
    (.init(hasDuration: true), .file, .readThrough),
    // A station, even if its first frame declares a duration.
    (.init(hasStationHeaders: true), .station, .none),
    (.init(hasStationHeaders: true, isSeekable: true, hasDuration: true), .station, .none),
    // A file on a server that sends a station's headers with everything.
    (.init(hasStationHeaders: true, hasSize: true, isSeekable: true, hasDuration: true), .file, .seek),
    (.init(hasStationHeaders: true, hasSize: true), .file, .readThrough),
    (.init(hasSize: true, isSegmented: true), .liveList, .none),
    (.init(hasSize: true, isSegmented: true, isSeekable: true, hasDuration: true), .file, .seek),
    // Streams that were opened before.
    (.init(reopening: .same), .file, .readThrough), (.init(reopening: .undecided), .unknown, .readThrough),
    (.init(reopening: .other), .unknown, .none), (.init(hasSize: true, reopening: .other), .file, .readThrough),
    (.init(hasStationHeaders: true, reopening: .same), .station, .none),
  ]

  @Test func aStreamEndsOrDoesNot() {
    for row in Self.table {
      #expect(row.nature.kind == row.kind, "\(row.nature)")
      #expect(row.nature.access == row.access, "\(row.nature)")
    }
  }
}
