import ArgumentParser
import Playback

/// `swiftlet outputs`: where the sound could go.
struct OutputsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outputs", abstract: "List the outputs that --output takes on this machine.")

  @Flag(help: "Only the one that is taken when none is named; exit status 69 when there is none.")
  var preferred = false

  func run() throws {
    guard preferred else { return list() }
    do throws(RendererError) {
      print(try Renderer.firstOutput())
    } catch {
      throw error.reported()
    }
  }

  private func list() {
    let outputs = Outputs.list()
    let width = outputs.map(\.description.description.count).max() ?? 0
    for output in outputs {
      let description = output.description.description
      print(description + String(repeating: " ", count: width - description.count) + "  " + output.name)
    }
    print("\nAny other GStreamer bin description works too, such as “audioresample ! jackaudiosink”.")
  }
}
