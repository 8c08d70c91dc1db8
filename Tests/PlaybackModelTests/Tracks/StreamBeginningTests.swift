import PlaybackTestKit
import Testing

@testable import PlaybackModel

@Suite struct StreamBeginningTests {
  private static let noise = Sound(seconds: 0.1, seed: 5).samples
  private static let other = Sound(seconds: 0.1, seed: 6).samples
  private static let silence = [UInt8](repeating: 0, count: 20_000)

  static let cases: [(first: [UInt8], second: [UInt8], isSame: Bool)] = [
    (noise, noise, true), (noise, Array(noise.prefix(5_000)), true), (Array(noise.prefix(5_000)), noise, true),
    (noise, other, false), (noise, Array(noise.prefix(4_000)), false), ([], noise, false), ([], [], false),
    (noise, Array(noise.dropLast()) + [noise[noise.count - 1] ^ 1], false),
    // A header and silence do not identify a stream.
    (Array(noise.prefix(44)) + silence, Array(noise.prefix(44)) + silence, false),
  ]

  @Test(arguments: cases) func aFileIsKnownAgain(_ first: [UInt8], _ second: [UInt8], isSame: Bool) {
    #expect(StreamBeginning(first).isSame(as: StreamBeginning(second)) == isSame)
  }

  @Test func anUndecidedBeginningMaySeekButNotContinue() {
    let (noise, other, silence) = (Self.noise, Self.other, Self.silence)
    let cases: [(first: [UInt8], second: [UInt8], seek: StreamNature.Reopening, continuation: StreamNature.Reopening)] =
      [
        (noise, noise, .same, .same), (noise, other, .other, .other), (silence, silence, .undecided, .other),
        (noise, [], .undecided, .other),
      ]
    for (first, second, seek, continuation) in cases {
      let (former, present) = (StreamBeginning(first), StreamBeginning(second))
      #expect(present.comparison(with: former, isContinuation: false) == seek)
      #expect(present.comparison(with: former, isContinuation: true) == continuation)
    }
  }
}
