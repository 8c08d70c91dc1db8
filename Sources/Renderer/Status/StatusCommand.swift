import ArgumentParser

/// `swiftlet status`: what the one that runs is doing.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Tell what the swiftlet that runs on this machine is doing.",
    discussion: "Exit status 69 if none answers.")

  @Flag(help: "As JSON.")
  var json = false

  @OptionGroup var options: ConfigurationOptions

  func run() throws {
    var sources = options.sources
    // Whoever has just broken the file wants to know all the more how the one that runs is.
    let reading = sources.read()
    let named = reading.configuration.statusSocket
    let places = named.map { [$0] } ?? StatusSocket.places(sources.environment)
    for place in places {
      guard let bytes = StatusSocket.read(place) else { continue }
      guard let report = StatusReport(json: bytes) else {
        throw RendererError("What answers on \(place) is not a swiftlet like this one.").reported()
      }
      print(json ? String(decoding: bytes, as: UTF8.self) : report.text, terminator: "")
      return
    }
    _ = RendererError.reported(reading.problems)
    let place = places.joined(separator: " or ")
    throw RendererError("No swiftlet answers on \(place): none runs, or it has a status_socket of its own.").reported()
  }
}
