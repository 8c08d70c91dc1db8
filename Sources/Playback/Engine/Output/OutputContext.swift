import CGStreamer
import PlaybackModel

/// What the output's streaming threads may touch.
final class OutputContext: Sendable {
  let mailbox: Mailbox
  private let state: Monitor<State>

  private struct State {
    /// Which run of the output this is; what the last one still says is told from it.
    var epoch = 0
    /// When this run began.
    var beginning = ContinuousClock.now
    /// Where the last buffer ends that reached the sink.
    var end: UInt64 = 0
    var watch = UnderrunWatch()
  }

  init(mailbox: Mailbox) {
    self.mailbox = mailbox
    state = Monitor(State())
  }

  func post(_ event: OutputEvent) {
    mailbox.post(.output(epoch: state.withLock(\.epoch), event))
  }

  func setEpoch(_ epoch: Int) {
    state.update { state in
      state.epoch = epoch
      state.beginning = .now
      state.end = 0
      state.watch.reset()
    }
  }

  /// Waits until sound beyond that running time has reached the sink.
  /// - Returns: false if that run of the output is over.
  func awaitArrival(beyond time: Int64, epoch: Int) -> Bool {
    state.wait { state in
      if state.epoch != epoch { return false }
      return Int64(clamping: state.end) > time ? true : nil
    } ?? false
  }

  /// Where the last buffer that reached the sink ends, in running time.
  var end: UInt64 { state.withLock(\.end) }

  /// How long ago this run began.
  var age: Duration { state.withLock(\.beginning).duration(to: .now) }

  /// Sound has reached the sink.
  /// - Parameter ahead: how far ahead of the device it ends, in nanoseconds; nil while the device does not run.
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

  /// Whether the device is playing, and has to be fed in time.
  func watch(_ isOn: Bool) { state.withLock { $0.watch.isOn = isOn } }

  /// The device has run dry because there was nothing for it, or was allowed to.
  func forgiveLapse() { state.withLock { $0.watch.reset() } }
}
