import ArgumentParser
import ControlPoint
import Glibc

/// `swiftlet-control announce`
struct AnnounceCommand: APICommand {
  static let configuration = CommandConfiguration(
    commandName: "announce", abstract: "Play a file or an address over what plays.",
    discussion: """
      Examples:
        swiftlet-control announce Kitchen bell.mp3 --chime
        swiftlet-control announce Kitchen --chime
        swiftlet-control announce Kitchen http://192.0.2.1/rain.ogg --volume +10
        swiftlet-control announce Kitchen dinner.wav --mode pause --until-heard
      Afterwards everything continues as before. The command serves a file itself until the speaker has read it. \
      The speaker is a Swiftlet; others have no announcements.
      """)

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(help: ArgumentHelp("A file of this machine, or a URL.", valueName: "file"), completion: .file())
  var file: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("0 to 100; with + or - relative to the speaker's volume.", valueName: "volume"),
    transform: { text in
      guard let value = RelativeValue.number(text), (value.isRelative ? -100 : 0)...100 ~= value.amount else {
        throw ValidationError("\"\(text)\" is not a volume. It is 0 to 100, or a change such as +5 or -5.")
      }
      return value
    })
  var volume: RelativeValue?
  @Option(help: "Whether the music goes on, softer, or pauses: duck or pause.") var mode = Mode.duck
  @Flag(help: "A chime precedes the announcement, or is all of it.") var chime = false
  @Flag(help: "The rooms that receive the speaker's sound hear it too.") var group = false
  @Option(help: ArgumentHelp("Cut it off after this time, of 1 to 300.", valueName: "seconds")) var seconds: Int?
  @Flag(help: "End when the announcement has been heard.") var untilHeard = false
  @OptionGroup var access: APIOptions
  @OptionGroup var options: NetworkOptions

  enum Mode: String, ExpressibleByArgument, CaseIterable, Encodable { case duck, pause }

  private struct Body: Encodable {
    let uri: String?
    let volume: Int?
    let change: Int?
    let mode: Mode
    let chime: Bool
    let group: Bool
    let seconds: Int?
    let wait: Bool
  }

  func validate() throws {
    guard file != nil || chime else { throw ValidationError("Name a file or a URL, or pass --chime.") }
    if let seconds, !(1...300).contains(seconds) { throw ValidationError("The seconds must be between 1 and 300.") }
  }

  func run(_ api: SpeakerAPI, _ speaker: RemoteSpeaker, _ session: Session) async throws {
    let playable = try await playable(for: speaker, session)
    let isRelative = volume?.isRelative == true
    let body = Body(
      uri: playable.items.first?.uri, volume: isRelative ? nil : volume?.amount,
      change: isRelative ? volume?.amount : nil, mode: mode,
      chime: chime, group: group, seconds: seconds, wait: untilHeard)
    // The speaker reads all of it before it answers, and others may be heard first.
    let limit = Int64(seconds ?? 60)
    let patience = untilHeard ? 10 * (limit + 60) : limit + 60
    try await playable.whileServing { try await api.post("announce", body, patience: .seconds(patience)) }
    try report(["done": "announce"])
  }

  /// The file or address; nothing for the chime alone.
  private func playable(for speaker: RemoteSpeaker, _ session: Session) async throws -> PlayableItems {
    guard let file else { return PlayableItems() }
    let isPath = !file.contains("://") && !["/", "./", "../"].contains { file.hasPrefix($0) }
    let playable = try await PlayableItems.resolve([isPath ? "./" + file : file], for: speaker, session)
    guard playable.items.count == 1 else {
      Terminal.complain("\(file) is not a single file.")
      throw ExitCode(EX_NOINPUT)
    }
    return playable
  }
}
