import Testing

@testable import PlaybackModel

/// Which streams end, and which can be sought in.
@Suite struct StreamNatureTests {
  typealias Row = (nature: StreamNature, kind: StreamNature.Kind, access: StreamNature.Access)

  static let table: [Row] = [
    (.init(), .unknown, .readThrough),
    (.init(hasSize: true, isSeekable: true, hasDuration: true), .file, .seek),
    (.init(hasSize: true), .file, .readThrough),
    // A file made on the fly, whose head or item says how long it is.
    (.init(hasDuration: true), .file, .readThrough),
    // A station, whatever its first frame says.
    (.init(hasStationHeaders: true), .station, .none),
    (.init(hasStationHeaders: true, isSeekable: true, hasDuration: true), .station, .none),
    // A file on a server that sends a station's headers with everything.
    (.init(hasStationHeaders: true, hasSize: true, isSeekable: true, hasDuration: true), .file, .seek),
    (.init(hasStationHeaders: true, hasSize: true), .file, .readThrough),
    (.init(hasSize: true, isSegmented: true), .liveList, .none),
    (.init(hasSize: true, isSegmented: true, isSeekable: true, hasDuration: true), .file, .seek),
    // Open for the second time.
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
