import ArgumentParser
import PlaybackEngine
import PlaybackModel

/// `swiftlet outputs`: lists outputs and mixers.
struct OutputsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outputs", abstract: "List the values that --output and --mixer take on this machine.")

  @Flag(help: "Print only the default output; exit status 69 if there is none.")
  var preferred = false

  func run() throws {
    guard preferred else { return list() }
    do throws(StartError) {
      print(try OutputDescription.first())
    } catch {
      throw UserMessage.unavailable(error.description)
    }
  }

  private func list() {
    Self.show(Outputs.list())
    let mixers = Mixers.list()
    if !mixers.isEmpty {
      print("\nMixers, with their range:")
      Self.show(mixers)
    }
    print("\nAny other GStreamer bin description is an output too, such as “audioresample ! jackaudiosink”.")
  }

  private static func show(_ things: [(description: String, name: String)]) {
    let width = things.map(\.description.count).max() ?? 0
    for thing in things {
      print(thing.description + String(repeating: " ", count: width - thing.description.count) + "  " + thing.name)
    }
  }
}
