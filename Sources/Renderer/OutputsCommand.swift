import ArgumentParser
import Playback

/// `swiftlet outputs`: where the sound could go.
struct OutputsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outputs", abstract: "List the outputs that --output takes on this machine.")

  func run() {
    let outputs = Outputs.list()
    let width = outputs.map(\.description.description.count).max() ?? 0
    for output in outputs {
      let description = output.description.description
      print(description + String(repeating: " ", count: width - description.count) + "  " + output.name)
    }
    print("\nAny other GStreamer bin description works too, such as “audioresample ! jackaudiosink”.")
  }
}
