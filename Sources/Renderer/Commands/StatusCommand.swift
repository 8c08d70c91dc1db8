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
    var sources = options.sources
    // Ask even if the configuration has problems: a running swiftlet still has the previous one.
    let reading = sources.readOwner()
    let named = reading.configuration.statusSocket
    let places = named.map { [$0] } ?? StatusSocket.places(sources.environment)
    for place in places {
      guard let bytes = StatusSocket.read(place) else { continue }
      guard let report = StatusReport(json: bytes) else {
        throw UserMessage.unavailable("The answer on \(place) is not from a swiftlet of this version.")
      }
      print(json ? String(decoding: bytes, as: UTF8.self) : report.text, terminator: "")
      return
    }
    _ = UserMessage.configurationProblems(reading.problems)
    let place = places.joined(separator: " or ")
    throw UserMessage.unavailable("No swiftlet answers on \(place): none runs, or it uses another status_socket.")
  }
}
