import DeviceStack
import Glibc
import PlaybackModel
import UPnP

/// Prints name, addresses and audio device to standard output.
enum Announcer {
  static func begin(name: String, output: OutputDescription?) {
    say("\(Version.name) \(Version.number): “\(name)”, \(destination(output))")
  }

  /// The output has changed; nil if the device is gone.
  static func say(_ output: OutputDescription?) {
    say(output == nil ? "The audio device is gone: \(destination(output))" : "Now \(destination(output))")
  }

  /// - Parameter output: nil if there is none.
  private static func destination(_ output: OutputDescription?) -> String {
    output.map { "sound to \($0)" } ?? "waiting for an audio device"
  }

  /// - Parameter interfaces: the configured ones; empty for any.
  static func waitingForNetwork(_ interfaces: [String]) {
    let what = interfaces.isEmpty ? "a network" : interfaces.joined(separator: " or ")
    say("Not on a network yet: waiting for \(what)")
  }

  /// Networks and output in one line.
  static func status(_ interfaces: [NetworkInterface], _ output: OutputDescription?) -> String {
    let places = interfaces.map { "\($0.name) (\($0.address))" }.joined(separator: ", ")
    return (places.isEmpty ? "Waiting for a network" : "On \(places)") + ", " + destination(output)
  }

  /// - Parameter page: nil if the speaker has none.
  static func say(_ change: InterfaceChange, host: isolated DeviceHost, page: SpeakerPage?) {
    switch change {
    case .appeared(let interface):
      for url in host.descriptionURLs(on: interface) { say("On \(interface.name): \(url)") }
      if let page { say("Page on \(interface.name): \(page.address(on: interface, of: host))") }
    case .vanished(let interface, _): say("No longer on \(interface.name) (\(interface.address))")
    }
  }

  /// Waits for the last lines, at most one second.
  static func finish() { output.finish(within: 1) }

  private static let output = LineWriter(descriptor: STDOUT_FILENO)

  private static func say(_ line: String) { output.write(line) }
}
