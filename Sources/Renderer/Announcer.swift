import DeviceStack
import Glibc

/// Tells the person at the terminal what matters: who this is, where it can be found, where the sound goes.
enum Announcer {
  static func begin(name: String, output: String) {
    say("\(Version.name) \(Version.number): “\(name)”, sound to \(output)")
  }

  /// - Parameter interfaces: the ones that were asked for; empty for any.
  static func waitingForNetwork(_ interfaces: [String]) {
    let what = interfaces.isEmpty ? "a network" : interfaces.joined(separator: " or ")
    say("Not on a network yet: waiting for \(what)")
  }

  /// Where it can be found, in a line.
  static func whereabouts(_ interfaces: [NetworkInterface]) -> String {
    guard !interfaces.isEmpty else { return "Waiting for a network" }
    return "On " + interfaces.map { "\($0.name) (\($0.address))" }.joined(separator: ", ")
  }

  static func say(_ change: InterfaceChange, host: DeviceHost) {
    switch change {
    case .appeared(let interface):
      for url in host.descriptionURLs(on: interface) { say("On \(interface.name): \(url)") }
    case .vanished(let interface, _): say("No longer on \(interface.name) (\(interface.address))")
    }
  }

  /// At once, even where the output is a pipe.
  private static func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}
