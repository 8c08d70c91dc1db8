import ArgumentParser
import ControlPoint
import Glibc

/// `swiftlet-control source`
struct SourceCommand: DeviceCommand {
  static let configuration = CommandConfiguration(
    commandName: "source", abstract: "Choose a source of an OpenHome speaker, or list its sources.")

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(help: "The source's name or number; without it, the sources are listed.", completion: .sources) var source:
    String?
  @OptionGroup var options: NetworkOptions

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    let sources = try await speaker.sources()
    guard let source else {
      let current = try await speaker.currentSource()
      for source in sources where source.isVisible {
        try show(source, of: sources.count, isCurrent: source == current)
      }
      return
    }
    let chosen = try choose(source, among: sources)
    try await speaker.select(chosen)
    try report(Line(chosen, isCurrent: true))
  }

  private func choose(_ text: String, among sources: [SpeakerSource]) throws -> SpeakerSource {
    let visible = sources.filter(\.isVisible)
    if let number = Int(text), let found = visible.first(where: { $0.index + 1 == number }) { return found }
    do {
      return try DeviceSelector.select(text, among: visible).candidate
    } catch .none {
      Terminal.complain("There is no source \"\(text)\". The sources are \(names(visible)).")
      throw ExitCode(EX_NOHOST)
    } catch .several(let names) {
      Terminal.complain("\"\(text)\" means several sources: \(names.joined(separator: ", ")).")
      throw ExitCode(EX_USAGE)
    }
  }

  private func names(_ sources: [SpeakerSource]) -> String { sources.map(\.name).joined(separator: ", ") }

  private func show(_ source: SpeakerSource, of count: Int, isCurrent: Bool) throws {
    guard !options.json else { return try Terminal.json(Line(source, isCurrent: isCurrent)) }
    Terminal.entry(TrackText.numbered(source.index + 1, of: count, source.name, isCurrent), isCurrent: isCurrent)
  }

  private struct Line: Encodable {
    /// From 1.
    var number: Int
    var name, type: String
    var current: Bool

    init(_ source: SpeakerSource, isCurrent: Bool) {
      number = source.index + 1
      name = source.name
      type = source.type
      current = isCurrent
    }
  }
}

extension SpeakerSource: Selectable {
  var names: [String] { [name] }
  var identifiers: [String] { [systemName, type].filter { !$0.isEmpty } }
  var label: String { name }
}
