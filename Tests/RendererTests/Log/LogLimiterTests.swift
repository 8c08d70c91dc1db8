import Testing

@testable import Renderer

@Suite struct LogLimiterTests {
  private static let start = ContinuousClock.now
  private static let kind = LogLimiter.Kind(file: "Player.swift", line: 1)
  private static let other = LogLimiter.Kind(file: "Player.swift", line: 2)

  private static func line(_ text: String) -> LogLine { LogLine(level: .warning, text: text) }

  @Test func suppressesAndCountsExcessLines() {
    var limiter = LogLimiter()
    var written = 0
    for number in 1...100 {
      written += limiter.admit(Self.line("line \(number)"), of: Self.kind, now: Self.start).count
    }
    #expect(written == LogLimiter.maximum)
    #expect(limiter.admit(Self.line("other"), of: Self.other, now: Self.start + .seconds(59)) == [Self.line("other")])
    let later = limiter.admit(Self.line("line 101"), of: Self.kind, now: Self.start + .seconds(61))
    #expect(later == [Self.line("80 more like this in a minute: line 100"), Self.line("line 101")])
  }

  @Test func endSummarizesSuppressedLines() {
    var limiter = LogLimiter()
    for number in 1...21 { _ = limiter.admit(Self.line("line \(number)"), of: Self.kind, now: Self.start) }
    _ = limiter.admit(Self.line("other"), of: Self.other, now: Self.start)
    #expect(limiter.end() == [Self.line("1 more like this in a minute: line 21")])
    #expect(limiter.end() == [])
  }

  @Test func limitsApplyPerMinute() {
    var limiter = LogLimiter()
    for minute in 0..<3 {
      for number in 1...LogLimiter.maximum {
        let line = Self.line("\(minute) \(number)")
        #expect(limiter.admit(line, of: Self.kind, now: Self.start + .seconds(60 * minute)) == [line])
      }
    }
  }
}
