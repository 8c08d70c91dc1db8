import ArgumentParser
import PlaybackEngine

/// `swiftlet outputs`: where the sound could go.
struct OutputsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outputs", abstract: "List the outputs and mixers that --output and --mixer take on this machine.")

  @Flag(help: "Only the one that is taken when none is named; exit status 69 when there is none.")
  var preferred = false

  func run() throws {
    guard preferred else { return list() }
    do throws(RendererError) {
      print(try Speaker.firstOutput())
    } catch {
      throw error.reported()
    }
  }

  private func list() {
    Self.show(Outputs.list())
    let mixers = Mixers.list()
    if !mixers.isEmpty {
      print("\nControls that --mixer takes, with their range:")
      Self.show(mixers)
    }
    print("\nAny other GStreamer bin description works too, such as “audioresample ! jackaudiosink”.")
  }

  private static func show(_ things: [(description: String, name: String)]) {
    let width = things.map(\.description.count).max() ?? 0
    for thing in things {
      print(thing.description + String(repeating: " ", count: width - thing.description.count) + "  " + thing.name)
    }
  }
}
