import Logging
import PlaybackStore

/// What the companions share.
package struct CompanionContext: Sendable {
  package let link: SpeakerLink
  package let store: StateStore
  package let board: CompanionBoard
  /// The speaker's name, as controllers show it.
  package let name: String
  package let logger: Logger
  /// Runs a hook: a program with its arguments, and variables for its environment.
  package let runHook: @Sendable ([String], [String: String]) -> Void

  package init(
    link: SpeakerLink, store: StateStore, board: CompanionBoard, name: String, logger: Logger,
    runHook: @escaping @Sendable ([String], [String: String]) -> Void
  ) {
    self.link = link
    self.store = store
    self.board = board
    self.name = name
    self.logger = logger
    self.runHook = runHook
  }
}

/// A companion: something beside the network that controls or shows the speaker.
@CompanionActor package protocol CompanionFeature: AnyObject, Sendable {
  /// Begins. Whatever it needs may be missing or appear later; that is logged once and tried again.
  func start()
  /// Ends, within a second.
  func stop() async
}
