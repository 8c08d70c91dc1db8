import Logging
import Playback
import Synchronization

/// Who this device is, kept in the state folder.
final class DeviceIdentity: Sendable {
  private static let file = "device"

  private let folder: StateFolder
  private let logger: Logger
  private let state: Mutex<DeviceState>

  /// Begins a run: reads what the last one left and writes what this one is.
  init(folder: StateFolder, logger: Logger) throws(StateError) {
    self.folder = folder
    self.logger = logger
    var stored: DeviceState?
    if let text = try folder.read(Self.file) {
      stored = DeviceState(text: text)
      if stored == nil {
        let name = try folder.setAside(Self.file)
        logger.warning("The device's identity could not be read: it has a new one, the old file is \(name)")
      }
    }
    let machine = MachineIdentity.current()
    let next = DeviceState.next(after: stored, on: machine)
    if let stored, stored.seed != next.seed {
      logger.notice("This is another machine than the one before: it has an identity of its own now")
    }
    do throws(StateError) {
      try folder.write(next.text, to: Self.file)
    } catch {
      // On a full disk it is the same device as ever, and only its starts are not counted. A new one would be another at
      // every start.
      guard stored?.seed == next.seed else { throw error }
      logger.warning("\(error)")
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
    guard before != after else { return }
    do {
      try folder.write(after.text, to: Self.file)
    } catch {
      logger.warning("\(error)")
    }
  }
}
