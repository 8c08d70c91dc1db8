import NIOCore
import Testing

@testable import DeviceStack

struct SearchRateLimiterTests {
  @Test func admitsTenInAnySecond() {
    var limiter = SearchRateLimiter()
    var admitted: [Int64] = []
    // Twenty a second for three seconds.
    let steps: [Int64] = Array(0..<60)
    for step in steps where limiter.admit("10.0.0.1", at: time(step * 50)) { admitted.append(step * 50) }
    let expected = steps.filter { $0 % 20 < 10 }.map { $0 * 50 }
    #expect(admitted == expected)
  }

  @Test func countsEachAskerForItself() {
    var limiter = SearchRateLimiter()
    let admitted = (0...SearchRateLimiter.limit).map { _ in limiter.admit("10.0.0.1", at: time(0)) }
    #expect(admitted == Array(repeating: true, count: SearchRateLimiter.limit) + [false])
    let other = limiter.admit("10.0.0.2", at: time(0))
    #expect(other)
  }

  @Test func remembersOnlySoMany() {
    var limiter = SearchRateLimiter()
    for number in 0..<5000 { _ = limiter.admit("asker \(number)", at: time(0)) }
    #expect(limiter.count == SearchRateLimiter.capacity)
    let early = limiter.admit("another", at: time(999))
    let late = limiter.admit("another", at: time(1000))
    #expect(!early)
    #expect(late)
    #expect(limiter.count == 1)
  }

  private func time(_ milliseconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .milliseconds(milliseconds) }
}
