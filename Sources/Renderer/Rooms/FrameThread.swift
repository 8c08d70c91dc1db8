import NIOCore
import PlaybackEngine
import PlaybackModel
import Songcast
import SpeakerCore
import Synchronization

/// Takes the sound out of the tap, and hands out its frames when they are due.
///
/// A thread of its own, because reading the output's clock may wait for a sound server.
final class FrameThread: Sendable {
  /// Pause between two looks at an output that has not started, or is paused.
  private static let idlePause = Duration.milliseconds(5)
  /// Longest time until a stop is noticed.
  private static let longestPause = Duration.milliseconds(5)

  private enum State {
    case new, running, stopped
  }

  private let tap: SoundTap
  private let latency: Duration
  private let onFrames: @Sendable ([AudioFrame]) -> Void
  private let state = Mutex(State.new)

  /// - Parameters:
  ///   - latency: from sending to hearing.
  ///   - onFrames: called on the thread.
  init(tap: SoundTap, latency: Duration, onFrames: @escaping @Sendable ([AudioFrame]) -> Void) {
    self.tap = tap
    self.latency = latency
    self.onFrames = onFrames
  }

  /// Turns the tap on or off. The thread starts when it is turned on for the first time.
  func setOn(_ isOn: Bool) {
    tap.setOn(isOn)
    let isFirst = state.withLock { state in
      defer { if isOn, state == .new { state = .running } }
      return isOn && state == .new
    }
    if isFirst { NamedThread.start("songcast", isRealTime: true) { [self] in run() } }
  }

  /// Ends the thread.
  func stop() {
    state.withLock { $0 = .stopped }
    tap.setOn(false)
  }

  private func run() {
    var pacer = FramePacer(latency: latency)
    var pause: Duration?
    while state.withLock({ $0 == .running }) {
      let sounds = tap.take(timeout: pause)
      pause = nil
      guard tap.isOn else {
        pacer = FramePacer(latency: latency)
        continue
      }
      for sound in sounds { pacer.add(OutgoingSound(sound)) }
      guard pacer.isSounding || !pacer.isEmpty else { continue }
      let moment = tap.moment.map { FramePacer.Moment(run: $0.run, time: $0.time) }
      let frames = pacer.due(moment)
      if !frames.isEmpty { onFrames(frames) }
      if let moment, let wait = pacer.wait(moment) {
        pause = min(.nanoseconds(wait), pacer.isSounding ? Self.longestPause : .seconds(1))
      } else if pacer.isSounding || !pacer.isEmpty {
        pause = Self.idlePause
      }
    }
  }
}

extension OutgoingSound {
  fileprivate init(_ sound: TappedSound) {
    let rate = UInt32(clamping: sound.form.rate)
    let format = AudioFormat(
      sampleRate: rate, bitDepth: UInt8(sound.form.bitDepth), channels: UInt8(sound.form.channels),
      codec: CodecName.of(sound.stream), isLossless: sound.stream?.lossless ?? false)
    let total = sound.duration.map { $0.nanoseconds / 1_000 * Int64(rate) / 1_000_000 }
    self.init(
      run: sound.run, begin: sound.begin, trackID: sound.trackID, position: UInt64(max(0, sound.position)),
      format: format, samplesTotal: UInt64(max(0, total ?? 0)),
      bitRate: UInt32(clamping: sound.stream?.bitRate ?? sound.form.rate * sound.form.bytesPerFrame * 8),
      pcm: ByteBuffer(bytes: sound.samples))
  }
}
