import ArgumentParser

/// `swiftlet status`: prints the status of the running swiftlet.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Print what the swiftlet that runs on this machine is doing.",
    discussion: "Exit status 69 if none answers.")

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var options: ConfigurationOptions

  func run() throws {
    let (places, problems) = StatusSocket.places(options)
    for place in places {
      guard let bytes = StatusSocket.read(place) else { continue }
      guard let report = StatusReport(json: bytes) else {
        throw UserMessage.unavailable("The answer on \(place) is not from a swiftlet of this version.")
      }
      print(json ? String(decoding: bytes, as: UTF8.self) : report.text, terminator: "")
      return
    }
    _ = UserMessage.configurationProblems(problems)
    throw UserMessage.noAnswer(places)
  }
}
