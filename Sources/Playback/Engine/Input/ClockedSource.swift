import CGStreamer
import Glibc
import PlaybackModel

/// Plays a `ClockedInput` up to the next pause of its sender: performs what `ClockedPlayout` decides.
final class ClockedSource: SampleSource, @unchecked Sendable {
  // @unchecked Sendable is safe: only the feeder's thread uses the variables, in `pull`. `input` is Sendable.
  private let input: ClockedInput
  private var playout = ClockedPlayout(delay: AdaptiveResampler.delay)
  private var resampler: AdaptiveResampler?
  private var caps: UnsafeMutablePointer<GstCaps>?
  private var isOver = false

  init(_ input: ClockedInput) { self.input = input }

  deinit { if let caps { swiftlet_caps_unref(caps) } }

  func open() {}
  func end() {}

  func pull(timeout: Duration, lead: () -> ClockedPlayout.Lead?) -> SamplePull {
    if isOver { return .end }
    playout.add(input.take())
    switch playout.next(lead: lead(), now: Self.now) {
    case .wait(let time):
      input.wait(timeout: min(timeout, .nanoseconds(time)))
      return .early
    case .silence(let frames):
      guard let format = resampler?.format else { return .end }
      return buffer([Int32](repeating: 0, count: Int(frames) * format.channels)).map { .samples($0) } ?? .end
    case .play(let samples, let ppm):
      resampler?.setRatio(ppm: ppm)
      return buffer(samples).flatMap { resampler?.process($0) }.map { .samples($0) } ?? .early
    case .begin(let rate, let channels):
      let rest = resampler?.finish()
      begin(rate: rate, channels: channels)
      return rest.map { .samples($0) } ?? .early
    case .end:
      isOver = true
      return resampler?.finish().map { .samples($0) } ?? .end
    }
  }

  private func begin(rate: Int, channels: Int) {
    if let caps { swiftlet_caps_unref(caps) }
    caps = swiftlet_audio_caps("S32LE", gint(rate), gint(channels), nil)
    resampler = caps.flatMap { AudioFormat(caps: $0) }.flatMap { AdaptiveResampler(format: $0) }
  }

  private func buffer(_ samples: [Int32]) -> SampleBuffer? {
    guard let caps else { return nil }
    return samples.withUnsafeBytes { SampleBuffer(copying: $0, caps: caps) }
  }

  /// Nanoseconds of CLOCK_MONOTONIC.
  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
