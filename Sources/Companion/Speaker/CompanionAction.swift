import Providers

/// What a companion does when a person presses a button, comes or leaves.
package enum CompanionAction: Sendable, Equatable {
  case command(RemoteCommand)
  /// A program and its arguments.
  case hook([String])

  /// - Parameters:
  ///   - variables: for the environment of a hook.
  ///   - reply: called once, with nil for success. A hook has succeeded when it has been started.
  package func perform(
    in context: CompanionContext, variables: [String: String] = [:],
    _ reply: @escaping @CompanionActor @Sendable (RemoteError?) -> Void = { _ in }
  ) {
    switch self {
    case .command(let command): context.link.send(command, reply)
    case .hook(let words):
      context.runHook(words, variables)
      Task { @CompanionActor in reply(nil) }
    }
  }
}

/// For messages and logs.
extension CompanionAction: CustomStringConvertible {
  package var description: String {
    switch self {
    case .command(let command): command.description
    case .hook(let words): words.first ?? ""
    }
  }
}
