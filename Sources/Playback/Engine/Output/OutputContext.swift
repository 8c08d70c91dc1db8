import CGStreamer
import PlaybackModel

/// State shared with the output's streaming threads.
final class OutputContext: Sendable {
  let mailbox: Mailbox
  private let state: Monitor<State>

  private struct State {
    var run = RunID()
    var isHeld = false
    var beginning = ContinuousClock.now
    var end: UInt64 = 0
    var watch = UnderrunWatch()
  }

  init(mailbox: Mailbox) {
    self.mailbox = mailbox
    state = Monitor(State())
  }

  func post(_ event: OutputEvent) {
    mailbox.post(.output(state.withLock(\.run), event))
  }

  func setRun(_ run: RunID, isHeld: Bool = false) {
    state.update { state in
      state.run = run
      state.isHeld = isHeld
      state.beginning = .now
      state.end = 0
      state.watch.reset()
    }
  }

  /// Waits until a buffer that ends after this running time has reached the sink.
  /// - Returns: false if the run has ended.
  func awaitArrival(beyond time: Int64, in run: RunID) -> Bool {
    state.wait { state in
      if state.run != run { return false }
      return Int64(clamping: state.end) > time ? true : nil
    } ?? false
  }

  /// End of the last buffer that reached the sink, in running time.
  var end: UInt64 { state.withLock(\.end) }

  /// Time since the current run began.
  var age: Duration { state.withLock(\.beginning).duration(to: .now) }

  /// Whether the output is paused by the user, or waits for the source. Its clock then stands still. Set only by
  /// `OutputChain`.
  var isHeld: Bool { state.withLock(\.isHeld) }

  /// Whether the clock runs: the output is in its state PLAYING.
  var isPlaying: Bool { state.withLock { !$0.isHeld && $0.watch.isOn } }

  func setHeld(_ isHeld: Bool) { state.withLock { $0.isHeld = isHeld } }

  /// A buffer has reached the sink.
  /// - Parameter ahead: end of the buffer minus the device's position, in nanoseconds; nil while the device does not
  ///   run.
  func arrived(start: UInt64, end: UInt64, ahead: Int64?) {
    let hasRunDry = state.update { state in
      let isNext = start == state.end
      state.end = end
      guard let ahead else {
        state.watch.reset()
        return false
      }
      return state.watch.arrived(isNext: isNext, ahead: ahead, now: .now)
    }
    if hasRunDry { post(.xrun) }
  }

  /// Sets whether the device is playing, so that a late buffer counts as an underrun.
  func watch(_ isOn: Bool) { state.withLock { $0.watch.isOn = isOn } }

  /// Prepares for a planned interruption: the next buffer does not count as late.
  func ignoreUnderrun() { state.withLock { $0.watch.reset() } }
}
