import CGStreamer
import Glibc
import PlaybackModel

/// Plays a stream of uncompressed samples that its server sends in real time: performs what `LiveDelay` decides.
final class LiveSource: SampleSource, @unchecked Sendable {
  // @unchecked Sendable is safe: only the feeder's thread uses the variables, in `pull`; the others are Sendable.
  private let decoder: DecoderPipeline
  private let target: Int64
  /// Silence with which the device usually starts: it starts with a full buffer.
  private let longestStart: Int64
  /// Sound that the output holds before the device takes it, at most; nil for as much as it takes.
  private let fill: Int64?
  /// How much decoded sound means that the server waits for the player.
  private let full: Duration
  private let report: @Sendable () -> Void

  private var live: LiveDelay?
  private var resampler: AdaptiveResampler?
  /// Samples that have been taken from the decoder and not been played yet.
  private var pending: SampleBuffer?
  /// The place of `pending` in the stream, in frames.
  private var place: Int64 = 0
  /// The last samples that were taken.
  private var last: SampleBuffer?
  /// Frames that are still to be skipped.
  private var skipped: Int64 = 0
  private var startSilence: Int64 = 0
  private var concealed: Int64 = 0
  private let started = ContinuousClock.now

  /// Silence is inserted in steps of this.
  private static let step: Int64 = 5_000_000
  /// A server that sends nothing for longer is treated like any other.
  private static let patience: Int64 = 1_000_000_000

  /// - Parameter report: called when it becomes known whether the server sends in real time.
  init(_ decoder: DecoderPipeline, settings: PlayerSettings, report: @escaping @Sendable () -> Void) {
    self.decoder = decoder
    self.report = report
    target = settings.liveDelay.nanoseconds
    let isPrompt = settings.isLivePrompt
    longestStart = isPrompt ? 100_000_000 : 300_000_000
    fill = isPrompt ? min(ClockedPlayout.fill, target / 4) : nil
    full = settings.sourceDepth * 0.8
  }

  func open() { decoder.open() }
  func end() { decoder.end() }

  func pull(timeout: Duration, lead: () -> ClockedPlayout.Lead?) -> SamplePull {
    let context = decoder.context
    let arrived = context.end.nanoseconds
    if live == nil {
      let time = (context.began?.duration(to: context.lastArrival) ?? .zero).nanoseconds
      live = LiveDelay(target: target, place: arrived, time: time)
    }
    live?.arrived(arrived, at: started.duration(to: context.lastArrival).nanoseconds, isFull: isFull)
    defer { if context.setLiveDelay(live?.delay, isPaced: live?.isPaced == true) { report() } }
    guard live?.isLive == true else { return pass(timeout: timeout) }
    return pullLive(timeout: timeout, lead: lead())
  }

  /// Silence takes the place of what is missing when the output holds less.
  private var leastFill: Int64 { (fill ?? ClockedPlayout.fill) / 2 }

  private var isFull: Bool {
    let held = decoder.context.held
    return held.duration >= full || held.bytes >= decoder.context.settings.bufferBytes / 10 * 8
  }

  /// Plays samples as they come.
  private func pass(timeout: Duration) -> SamplePull {
    if let pending {
      self.pending = nil
      return .samples(pending)
    }
    if let rest = resampler?.finish() {
      resampler = nil
      return .samples(rest)
    }
    let pulled = decoder.pull(timeout: timeout)
    if case .samples(let samples) = pulled {
      locate(samples)
      place += samples.frames
    }
    return pulled
  }

  private func pullLive(timeout: Duration, lead: ClockedPlayout.Lead?) -> SamplePull {
    if let lead, let fill, lead.taken > fill {
      usleep(useconds_t(min(timeout.nanoseconds, lead.taken - fill + Self.step) / 1000))
      return .early
    }
    if pending == nil {
      let wait = lead.map { min(timeout, .nanoseconds(max(0, $0.taken - leastFill))) }
      switch decoder.pull(timeout: wait ?? timeout) {
      case .samples(let samples):
        locate(samples)
        pending = samples
        concealed = 0
      case .nothing, .early: return conceal(lead)
      case .end: return resampler?.finish().map { .samples($0) } ?? .end
      }
    }
    guard let samples = pending else { return .nothing }
    if skipped > 0 {
      let frames = min(samples.frames, skipped)
      (place, skipped) = (place + frames, skipped - frames)
      pending = samples.dropping(frames)
      return .early
    }
    if resampler?.format != samples.format {
      let rest = resampler?.finish()
      resampler = AdaptiveResampler(format: samples.format)
      if let rest { return .samples(rest) }
    }
    guard let resampler else { return pass(timeout: timeout) }
    guard let lead else { return start(samples) }
    startSilence = 0
    let format = samples.format
    let first = format.nanoseconds(frames: place - Int64(AdaptiveResampler.delay))
    let now = started.duration(to: .now).nanoseconds
    switch live?.next(first, heardAt: now + lead.heard, now: now) ?? .pass {
    case .pass: return pass(timeout: timeout)
    case .silence(let time): return silence(min(time, Self.patience), like: samples)
    case .skip(let time):
      skipped = max(1, format.frames(nanoseconds: time))
      return .early
    case .play(let ppm):
      pending = nil
      place += samples.frames
      resampler.setRatio(ppm: ppm)
      return resampler.process(samples).map { .samples($0) } ?? .early
    }
  }

  private func locate(_ samples: SampleBuffer) {
    if let time = samples.streamTime { place = samples.format.frames(nanoseconds: time) }
    last = samples
  }

  /// The device has not started. It may also have dropped silence that came too late, so more follows, in twice real time.
  private func start(_ samples: SampleBuffer) -> SamplePull {
    if startSilence >= longestStart { usleep(useconds_t(Self.step / 2000)) }
    startSilence += Self.step
    return silence(Self.step, like: samples)
  }

  /// The server has sent nothing. Keeps the output running for a while.
  private func conceal(_ lead: ClockedPlayout.Lead?) -> SamplePull {
    guard let lead, let last else { return .nothing }
    guard lead.taken < leastFill else { return .early }
    live?.interrupted()
    guard concealed < Self.patience else { return .nothing }
    concealed += Self.step
    return silence(Self.step, like: last)
  }

  private func silence(_ nanoseconds: Int64, like samples: SampleBuffer) -> SamplePull {
    let (format, caps) = (samples.format, samples.caps)
    let size = Int(max(1, format.frames(nanoseconds: nanoseconds))) * format.bytesPerFrame
    return swiftlet_silence(format.name, gsize(size)).flatMap { SampleBuffer(taking: $0, caps: caps) }
      .map { .samples($0) } ?? .nothing
  }
}
