import Logging
import PlaybackStore
import SpeakerCore

/// The objects and functions that all companions share.
package struct CompanionContext: Sendable {
  package let link: SpeakerLink
  package let store: StateStore
  package let board: CompanionBoard
  /// Called around the machine's sleep.
  package let sleep: SleepActions
  /// The speaker's name at the start. `SpeakerState` has the present one.
  package let name: String
  package let identity: SpeakerIdentity
  package let logger: Logger
  /// Runs a hook: a program with its arguments, and variables for its environment.
  package let runHook: @Sendable ([String], [String: String]) -> Void

  package init(
    link: SpeakerLink, store: StateStore, board: CompanionBoard, sleep: SleepActions = SleepActions(), name: String,
    identity: SpeakerIdentity,
    logger: Logger,
    runHook: @escaping @Sendable ([String], [String: String]) -> Void
  ) {
    self.link = link
    self.store = store
    self.board = board
    self.sleep = sleep
    self.name = name
    self.identity = identity
    self.logger = logger
    self.runHook = runHook
  }
}

/// The speaker's identity for other programs, besides its name.
package struct SpeakerIdentity: Sendable {
  /// Lower case, with dashes; the same for the life of the speaker.
  package let uuid: String
  /// The UDN of the UPnP AV device, such as `uuid:4a6f2f0e-…`.
  package let udn: String
  /// The program's version.
  package let version: String
  /// The address of the speaker's page, with a slash at the end; nil without a page and until there is a network.
  package let page: @Sendable () -> String?

  package init(uuid: String, udn: String, version: String, page: @escaping @Sendable () -> String?) {
    self.uuid = uuid
    self.udn = udn
    self.version = version
    self.page = page
  }
}

/// A companion: controls or shows the speaker by other means than UPnP and OpenHome.
@CompanionActor package protocol CompanionFeature: AnyObject, Sendable {
  /// Starts the companion. A service that it needs may be missing or appear later: log that once, and retry.
  func start()
  /// Stops the companion within a second.
  func stop() async
}
