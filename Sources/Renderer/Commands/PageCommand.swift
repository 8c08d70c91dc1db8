import ArgumentParser

/// `swiftlet page`: commands for the page of the running swiftlet.
struct PageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page", abstract: "Unlock the page of the swiftlet that runs on this machine.",
    subcommands: [UnlockCommand.self])

  /// `swiftlet page unlock`: the way back for an owner who has forgotten the PIN, or did not set it.
  struct UnlockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "unlock", abstract: "Remove the party lock and its PIN.",
      discussion: "Any user of the machine may do this. Exit status 69 if no swiftlet answers.")

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
      let (places, problems) = StatusSocket.places(options)
      for place in places {
        guard let bytes = StatusSocket.read(StatusSocket.unlocking(beside: place)) else { continue }
        switch UnlockAnswer(rawValue: String(decoding: bytes, as: UTF8.self)) {
        case .unlocked: print("The page is unlocked, and everybody may set a new PIN.")
        case .notLocked: print("The page was not locked.")
        case .noPage: throw UserMessage.unavailable("This swiftlet has no page: its setting page is off.")
        case nil: throw UserMessage.unavailable("The answer on \(place) is not from a swiftlet of this version.")
        }
        return
      }
      _ = UserMessage.configurationProblems(problems)
      throw UserMessage.noAnswer(places)
    }
  }
}

extension StatusSocket {
  /// The paths to ask, in order, and the problems of the configuration. A running swiftlet still has the previous one.
  static func places(_ options: ConfigurationOptions) -> ([String], [ConfigurationProblem]) {
    var sources = options.sources
    let reading = sources.readOwner()
    let named = reading.configuration.statusSocket
    return (named.map { [$0] } ?? places(sources.environment), reading.problems)
  }
}

extension UserMessage {
  static func noAnswer(_ places: [String]) -> ExitCode {
    let place = places.joined(separator: " or ")
    return unavailable("No swiftlet answers on \(place): none runs, or it uses another status_socket.")
  }
}
