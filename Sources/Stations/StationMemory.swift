/// Remembers answers of the directory for an hour, and clicks for a day. Pure.
struct StationMemory {
  static let answerLifetime = Duration.seconds(3600)
  /// The directory counts one click per station, address and day.
  static let clickInterval = Duration.seconds(24 * 3600)
  static let maximumAnswers = 16
  static let maximumClicks = 500

  typealias Time = ContinuousClock.Instant

  private struct Answer {
    let stations: [Station]
    let time: Time
  }

  private var answers: [StationQuery: Answer] = [:]
  private var clicks: [String: Time] = [:]

  /// The answer to a query; nil if it is unknown or too old.
  func answer(to query: StationQuery, at now: Time) -> [Station]? {
    answers[query].flatMap { now - $0.time < Self.answerLifetime ? $0.stations : nil }
  }

  mutating func store(_ stations: [Station], for query: StationQuery, at now: Time) {
    answers = answers.filter { now - $0.value.time < Self.answerLifetime }
    answers[query] = Answer(stations: stations, time: now)
    if answers.count > Self.maximumAnswers, let oldest = answers.min(by: { $0.value.time < $1.value.time })?.key {
      answers[oldest] = nil
    }
  }

  /// A station of an answer, however old.
  func station(_ id: String) -> Station? { answers.values.lazy.compactMap { $0.stations.first { $0.id == id } }.first }

  /// Notes that a station plays.
  /// - Returns: whether to report a click.
  mutating func clicked(_ id: String, at now: Time) -> Bool {
    clicks = clicks.filter { now - $0.value < Self.clickInterval }
    guard clicks[id] == nil, clicks.count < Self.maximumClicks else { return false }
    clicks[id] = now
    return true
  }
}
