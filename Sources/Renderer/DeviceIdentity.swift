import Logging
import PlaybackStore
import Synchronization

/// The identity of this device, kept in the state database.
final class DeviceIdentity: Sendable {
  private static let section = "device"

  private let store: StateStore
  private let state: Mutex<DeviceState>

  /// Begins a run: reads the identity of the last run and saves that of this one.
  /// - Throws: if the identity is new and cannot be saved: the device would be another one at every start.
  init(store: StateStore, logger: Logger) throws(StateError) {
    self.store = store
    var stored: DeviceState?
    if let text = store.load(Self.section) {
      stored = DeviceState(text)
      if stored == nil {
        store.setAside(Self.section)
        logger.warning("The device's identity is unreadable, so that it gets a new one.")
      }
    }
    let machine = MachineIdentity.current()
    let next = DeviceState.next(after: stored, on: machine)
    if let stored, stored.seed != next.seed {
      logger.notice("The state was copied from another machine, so that this device gets an identity of its own.")
    }
    do throws(StateError) {
      try store.commit(next.text, as: Self.section)
    } catch {
      // With a full disk it is the same device as ever, and only this start is not counted. The store reports it.
      guard stored?.seed == next.seed else { throw error }
    }
    state = Mutex(next)
  }

  /// Of the AV device.
  var rendererUUID: UUID { state.withLock { $0.seed.derived("MediaRenderer") } }

  /// Of the OpenHome device.
  var sourceUUID: UUID { state.withLock { $0.seed.derived("Source") } }

  var bootID: Int { state.withLock { $0.bootID } }

  /// Where the HTTP server was last; nil on the first run.
  var port: Int? { state.withLock { $0.port } }

  /// Keeps the port for the next run.
  func keep(port: Int) { keep { $0.port = port } }

  /// Keeps BOOTID for the next run, when it has gone up within this one.
  func keep(bootID: Int) { keep { $0.bootID = bootID } }

  private func keep(_ change: (inout DeviceState) -> Void) {
    let (before, after) = state.withLock { state in
      let before = state
      change(&state)
      return (before, state)
    }
    if before != after { store.keep(after.text, as: Self.section) }
  }
}
