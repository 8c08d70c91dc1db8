import SpeakerCore

/// The action that a companion performs when a person presses a button, arrives or leaves.
package enum CompanionAction: Sendable, Equatable {
  case command(SpeakerCommand)
  /// A program and its arguments.
  case hook([String])

  /// - Parameters:
  ///   - origin: the companion.
  ///   - variables: added to the environment of a hook.
  ///   - reply: called once, with nil for success. A hook has succeeded when it has been started.
  package func perform(
    in context: CompanionContext, from origin: CommandOrigin, variables: [String: String] = [:],
    _ reply: @escaping @CompanionActor @Sendable (CommandError?) -> Void = { _ in }
  ) {
    switch self {
    case .command(let command): context.link.send(command, from: origin, reply)
    case .hook(let words):
      context.runHook(words, variables)
      Task { @CompanionActor in reply(nil) }
    }
  }
}

/// The text for messages and logs: a hook without its arguments.
extension CompanionAction: CustomStringConvertible {
  package var description: String {
    switch self {
    case .command(let command): command.description
    case .hook(let words): words.first ?? ""
    }
  }
}
