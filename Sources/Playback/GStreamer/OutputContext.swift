import CGStreamer
import Synchronization

/// What the output's streaming threads may touch.
final class OutputContext: Sendable {
  let mailbox: Mailbox
  private let state: Mutex<State>

  private struct State {
    /// Which run of the output this is; what the last one still says is told from it.
    var epoch = 0
    /// Where the last buffer ends that reached the sink.
    var end: UInt64 = 0
  }

  init(mailbox: Mailbox) {
    self.mailbox = mailbox
    state = Mutex(State())
  }

  func post(_ event: OutputEvent) {
    mailbox.post(.output(epoch: state.withLock(\.epoch), event))
  }

  func setEpoch(_ epoch: Int) {
    state.withLock { state in
      state.epoch = epoch
      state.end = 0
    }
  }

  /// Where the last buffer that reached the sink ends, in running time.
  var end: UInt64 {
    get { state.withLock(\.end) }
    set { state.withLock { $0.end = newValue } }
  }
}
