import Testing

@testable import ControlPoint

@Suite struct PlaybackWatchTests {
  typealias Finding = PlaybackWatch.Finding

  /// A row: seconds, state, current URI, position in seconds, error, findings.
  private typealias Row = (
    time: Int, state: PlaybackState, uri: String?, position: Int?, hasError: Bool, findings: [Finding]
  )

  @discardableResult
  private func check(
    _ rows: [Row], files: Bool = true, durations: [Int?] = [60, 60], beginsNow: Bool = true
  ) -> PlaybackWatch {
    let items = zip(["a", "b"], durations).map { uri, duration in
      PlaybackWatch.Item(uri: uri, duration: duration.map { .seconds($0) }, isFile: files)
    }
    var watch = PlaybackWatch(items, beginsNow: beginsNow)
    for (number, row) in rows.enumerated() {
      let observation = PlaybackWatch.Observation(
        state: row.state, uri: row.uri, position: row.position.map { .seconds($0) }, hasError: row.hasError)
      #expect(watch.observe(observation, at: .seconds(row.time)) == row.findings, "row \(number)")
    }
    return watch
  }

  @Test func hearsATrackWhosePositionMoves() {
    let watch = check([
      (0, .stopped, "old", 0, false, []), (1, .buffering, "a", 0, false, []), (2, .playing, "a", 0, false, []),
      (3, .playing, "a", 1, false, [.heard(0)]), (4, .playing, "a", 2, false, []),
    ])
    #expect(watch.isDecided && watch.failed.isEmpty)
  }

  @Test func aPausedTrackHasBegun() { check([(1, .paused, "a", 0, false, [.heard(0)])]) }

  @Test func aBrokenFileStopsWithAnError() {
    let watch = check(
      [
        (1, .stopped, nil, nil, true, []), (2, .stopped, "a", nil, true, []),
        (4, .stopped, "a", nil, true, [.failed(0, .error)]),
      ], durations: [nil])
    #expect(watch.isDecided && watch.isOver && watch.failed == [0])
  }

  @Test func aSpeakerThatStaysStoppedPlaysNothing() {
    let watch = check([
      (1, .stopped, "a", 0, false, []), (9, .stopped, "a", 0, false, []),
      (10, .stopped, "a", 0, false, [.failed(0, .stopped)]), (19, .stopped, "a", 0, false, []),
    ])
    #expect(watch.isOver)
  }

  @Test func aSpeakerThatOnlySaysThatItPlays() {
    check([
      (1, .playing, "a", 0, false, []), (16, .playing, "a", 0, false, []),
      (17, .playing, "a", 0, false, [.failed(0, .silent)]),
    ])
    check(
      [(1, .playing, "a", 0, false, []), (17, .playing, "a", 0, false, [.unproven(0)])], files: false, durations: [nil])
    check([(1, .playing, "a", nil, false, []), (3, .playing, "a", nil, false, [.unproven(0)])])
  }

  @Test func aBrokenFileIsSkipped() {
    let watch = check(
      [(1, .playing, "b", 0, false, [.failed(0, .skipped)]), (2, .playing, "b", 1, false, [.heard(1)])],
      durations: [nil, 60])
    #expect(watch.isDecided && !watch.isOver)
    check(
      [
        (1, .playing, "a", 0, false, []), (2, .playing, "a", 1, false, [.heard(0)]),
        (60, .buffering, "b", 0, false, []),
        (61, .playing, "other", 0, false, [.failed(1, .skipped)]),
      ], durations: [60, nil])
  }

  @Test func aQueueThatEndsWithABrokenFileMaySelectTheFirst() {
    let watch = check(
      [
        (1, .playing, "a", 1, false, []), (2, .playing, "a", 2, false, [.heard(0)]), (60, .stopped, "a", 0, true, []),
        (62, .stopped, "a", 0, true, [.failed(1, .error)]),
      ], durations: [60, nil])
    #expect(watch.isOver)
  }

  @Test func someoneStopsTheSpeaker() {
    let watch = check([
      (1, .playing, "a", 1, false, []), (2, .playing, "a", 2, false, [.heard(0)]), (3, .stopped, "a", 0, false, []),
      (30, .stopped, "a", 0, false, []),
    ])
    #expect(watch.failed.isEmpty)
  }

  @Test func aShortTrackMayPassUnseen() {
    check(
      [
        (1, .playing, "a", 0, false, []), (3, .playing, "b", 0, false, [.heard(0)]),
        (4, .stopped, nil, nil, false, [.heard(1)]),
      ],
      durations: [3, 2])
  }

  @Test func anItemThatIsNeverSelected() {
    let watch = check([(1, .playing, "old", 5, false, []), (11, .playing, "old", 15, false, [.failed(0, .ignored)])])
    #expect(watch.isOver)
  }

  @Test func anItemAtTheEndOfAQueueMayBeginLate() {
    check(
      [
        (1, .playing, "old", 5, false, []), (1000, .playing, "old", 15, false, []), (1001, .playing, "a", 0, false, []),
        (1002, .playing, "a", 1, false, [.heard(0)]),
      ], beginsNow: false)
  }

  @Test func loadingEndsOnce() {
    check([(1, .buffering, "a", 0, false, []), (62, .buffering, "a", 0, false, [.failed(0, .loading)])])
  }
}
