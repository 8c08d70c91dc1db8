import Logging
import PlaybackStore

/// Which companions are on, and their settings.
package struct CompanionSettings: Sendable, Equatable {
  package init() {}

  /// Whether all are off. Then nothing of them is created.
  package var isEmpty: Bool { self == CompanionSettings() }
}

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

/// The companions that are on.
@CompanionActor package final class Companion {
  private let features: [any CompanionFeature]

  package init(_ settings: CompanionSettings, _ context: CompanionContext) {
    features = Self.features(settings, context)
  }

  /// One line for each.
  private static func features(
    _ settings: CompanionSettings, _ context: CompanionContext
  ) -> [any CompanionFeature] {
    let features: [(any CompanionFeature)?] = []
    return features.compactMap(\.self)
  }

  package func start() { for feature in features { feature.start() } }

  package func stop() async { for feature in features.reversed() { await feature.stop() } }
}
