import Logging
import Playback

/// What the command line asks for, read and made whole.
struct RendererSettings {
  /// The friendlyName.
  var name: String
  /// Names of interfaces; empty for all that lead to people.
  var interfaces: [String]
  /// 0 for any, and the same as last time.
  var port: Int
  /// nil for the one that is kept.
  var uuid: UUID?
  var output: OutputDescription
  var stateFolder: String
  var logLevel: Logger.Level

  /// The output that was asked for, else the first audio device.
  /// - Throws: where there is none, or it cannot be read. Sound never goes nowhere unasked.
  static func output(_ text: String?) throws(RendererError) -> OutputDescription {
    do throws(OutputError) {
      if let text { return try OutputDescription(parsing: text) }
    } catch {
      throw RendererError(error.description)
    }
    guard let output = Outputs.preferred() else {
      throw RendererError(
        "There is no audio device: connect one, or name an output with --output (`swiftlet outputs` lists them).")
    }
    return output
  }
}
