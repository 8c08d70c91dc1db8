import Testing

@testable import MediaOrigin

@Suite struct BodyScriptTests {
  /// The steps of a body at the given times. The last time repeats.
  private func steps(
    _ range: Range<Int>, icy: Bool = false, at times: [Duration] = [.zero], limit: Int = 20,
    _ change: (inout Manners) -> Void
  ) -> [BodyScript.Step] {
    var script = BodyScript(range: range, manners: Manners(change), icy: icy)
    var steps: [BodyScript.Step] = []
    while steps.count < limit, steps.last != .end {
      steps.append(script.next(at: times[min(steps.count, times.count - 1)]))
      if case .breakOff = steps.last { break }
    }
    return steps
  }

  @Test func sendsRangeInPieces() {
    #expect(steps(10..<70_000) { _ in } == [.send(10..<65_546), .send(65_546..<70_000), .end])
    #expect(steps(5..<5) { _ in } == [.end])
  }

  @Test func waitsToKeepTheRate() {
    let found = steps(0..<200, at: [.zero, .zero, .milliseconds(50), .milliseconds(50), .seconds(9)]) { $0.rate = 2000 }
    #expect(found == [.send(0..<100), .wait(until: .milliseconds(50)), .send(100..<200), .end])
  }

  @Test func stallIsNotCaughtUp() {
    let times: [Duration] = [.zero, .milliseconds(50), .milliseconds(2050), .milliseconds(2060)]
    let found = steps(0..<300, at: times, limit: 4) {
      $0.rate = 2000
      $0.stall = .init(after: 100, for: .seconds(2))
    }
    #expect(
      found == [.send(0..<100), .stall(.seconds(2)), .send(100..<200), .wait(until: .milliseconds(2100))])
  }

  @Test func stallsOnce() {
    let found = steps(0..<100) { $0.stall = .init(after: 40, for: .seconds(3)) }
    #expect(found == [.send(0..<40), .stall(.seconds(3)), .send(40..<100), .end])
  }

  @Test func stallsForever() {
    #expect(steps(0..<100, limit: 2) { $0.stall = .init(after: 0) } == [.hold, .send(0..<100)])
  }

  @Test func closesEarly() {
    #expect(steps(50..<200) { $0.earlyClose = .init(after: 30) } == [.send(50..<80), .breakOff(reset: false)])
    #expect(steps(0..<9) { $0.earlyClose = .init(after: 0, reset: true) } == [.breakOff(reset: true)])
  }

  @Test func placesCountFromStartOfResource() {
    #expect(steps(50..<200) { $0.earlyClose = .init(at: 80) } == [.send(50..<80), .breakOff(reset: false)])
    #expect(steps(90..<200) { $0.earlyClose = .init(at: 80) } == [.breakOff(reset: false)])
    #expect(steps(50..<90, limit: 3) { $0.stall = .init(at: 80) } == [.send(50..<80), .hold, .send(80..<90)])
  }

  @Test func stallsBeforeClosingAtSamePlace() {
    let found = steps(0..<100) {
      $0.stall = .init(after: 10, for: .seconds(1))
      $0.earlyClose = .init(after: 10)
    }
    #expect(found == [.send(0..<10), .stall(.seconds(1)), .breakOff(reset: false)])
  }

  @Test func endlessBodyRepeats() {
    #expect(
      steps(0..<40_000, limit: 3) { $0.endless = true } == [.send(0..<40_000), .send(0..<40_000), .send(0..<40_000)])
  }

  @Test func titlesComeAtIntervals() {
    let found = steps(0..<25, icy: true) {
      $0.icy = ICY(interval: 10, titles: [.init(at: 0, "A"), .init(at: 15, "B")])
    }
    let expected: [BodyScript.Step] = [
      .send(0..<10), .insert(ICY.block(title: "A")), .send(10..<20), .insert(ICY.block(title: "B")), .send(20..<25),
      .end,
    ]
    #expect(found == expected)
  }

  @Test func unchangedTitleIsEmptyBlock() {
    let found = steps(0..<20, icy: true) { $0.icy = ICY(interval: 10, titles: [.init(at: 99, "later")]) }
    #expect(found == [.send(0..<10), .insert([0]), .send(10..<20), .insert([0]), .end])
  }

  @Test func titlesNeedARequest() {
    #expect(steps(0..<20) { $0.icy = ICY(interval: 10) } == [.send(0..<20), .end])
  }
}
