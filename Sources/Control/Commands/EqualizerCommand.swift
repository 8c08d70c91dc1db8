import ArgumentParser
import ControlPoint
import Glibc

/// `swiftlet-control equalizer`
struct EqualizerCommand: APICommand {
  static let configuration = CommandConfiguration(
    commandName: "equalizer", abstract: "Show the equalizer of a Swiftlet, switch it, or change its presets.",
    usage: "swiftlet-control equalizer <device> [<action>] [<values>] [<options>]",
    discussion: """
      Actions:
        show                the settings, which is also what no action does
        on, off, toggle     switches the equalizer
        PRESET              switches it on with this preset; "select PRESET" if its name is one of these words
        presets             lists the presets
        import FILE         reads a text file of Room EQ Wizard, AutoEQ or Equalizer APO; - for standard input
        export [PRESET]     prints the settings, or those of a preset, for Equalizer APO
        save NAME           saves the settings as a preset
        rename NAME NEW     renames a preset
        remove NAME         removes a preset
      Examples:
        swiftlet-control equalizer Kitchen "Late night"
        swiftlet-control equalizer Kitchen import ParametricEQ.txt --name Headphones
        swiftlet-control equalizer Kitchen off
      """)

  enum Action: String, CaseIterable {
    case show, on, off, toggle, select, presets, `import`, export, save, rename, remove

    /// The number of values after it.
    fileprivate var counts: ClosedRange<Int> {
      switch self {
      case .show, .on, .off, .toggle, .presets: 0...0
      case .select, .import, .save, .remove: 1...1
      case .export: 0...1
      case .rename: 2...2
      }
    }
  }

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(
    help: ArgumentHelp("What to do, or the name of a preset.", valueName: "action"),
    completion: .list(Action.allCases.map(\.rawValue)))
  var action: String?
  @Argument(help: ArgumentHelp("A file or the names of presets.", valueName: "values"), completion: .file())
  var values: [String] = []
  @Option(help: ArgumentHelp("Also saves imported settings as a preset with this name.", valueName: "name"))
  var name: String?
  @OptionGroup var access: APIOptions
  @OptionGroup var options: NetworkOptions

  /// The action; `select` for the name of a preset, which may have several words.
  private var request: (action: Action, values: [String]) {
    guard let action else { return (.show, []) }
    if let known = Action(rawValue: action) { return (known, values) }
    return (.select, [([action] + values).joined(separator: " ")])
  }

  func validate() throws {
    let (action, values) = request
    guard action.counts.contains(values.count) else {
      throw ValidationError("\"\(action)\" needs \(["no value", "one value", "two values"][action.counts.upperBound]).")
    }
    if name != nil, action != .import { throw ValidationError("--name belongs to import.") }
  }

  func run(_ api: SpeakerAPI, _ speaker: RemoteSpeaker, _ session: Session) async throws {
    let (action, values) = request
    switch action {
    case .show: try show(try await api.get("equalizer"))
    case .on, .off: try report(try await api.post("equalizer", ["on": action == .on]) as Document)
    case .toggle:
      let before: Document = try await api.get("equalizer")
      let after: Document = try await api.post("equalizer", ["on": !before.on])
      try report(after, Switch(after.on).rawValue)
    case .select, .save, .remove: try report(try await api.post("equalizer/\(action)", ["name": values[0]]) as Document)
    case .rename:
      try report(try await api.post("equalizer/rename", ["name": values[0], "to": values[1]]) as Document)
    case .presets: try list(try await api.get("equalizer"))
    case .import: try await read(values[0], api)
    case .export: try await export(values.first, api)
    }
  }

  private func read(_ path: String, _ api: SpeakerAPI) async throws {
    var body = ["text": try SmallFile.read(path)]
    body["name"] = name
    try show(try await api.post("equalizer/import", body))
  }

  private func export(_ preset: String?, _ api: SpeakerAPI) async throws {
    let query = preset.map { "?preset=" + SpeakerAPI.encoded($0) } ?? ""
    let text = try await api.text("equalizer/export" + query)
    if options.json { return try Terminal.json(["text": text]) }
    for line in text.split(separator: "\n") { Terminal.print(String(line)) }
  }

  // MARK: Output

  /// The answer of the speaker, which is also the output with `--json`.
  private struct Document: Codable {
    struct Band: Codable {
      let kind, channel: String
      let on: Bool
      let frequency, gain, q: Double
    }

    let on, changed, automaticPreamp: Bool
    let preset: String?
    let presets: [String]
    let bands: [Band]
    let preamp, preampInForce, boost: Double
  }

  private func list(_ equalizer: Document) throws {
    if equalizer.presets.isEmpty, !options.json { return Terminal.complain("The equalizer has no presets.") }
    for preset in equalizer.presets {
      let line = Line(preset: preset, current: equalizer.on && preset == equalizer.preset)
      if options.json { try Terminal.json(line) } else { Terminal.entry(preset, isCurrent: line.current) }
    }
  }

  private struct Line: Encodable {
    var preset: String
    var current: Bool
  }

  private func show(_ equalizer: Document) throws {
    if options.json { return try Terminal.json(equalizer) }
    let preset = equalizer.preset.map { ", \($0)" + (equalizer.changed ? " (changed)" : "") } ?? ""
    Terminal.heading(Switch(equalizer.on).rawValue + preset)
    Terminal.details([
      ("Preamp", "\(equalizer.preampInForce) dB" + (equalizer.automaticPreamp ? " (automatic)" : "")),
      ("Largest boost", "\(equalizer.boost) dB"),
    ])
    guard !equalizer.bands.isEmpty else { return }
    Terminal.table(
      [["#", "BAND", "CHANNEL", "HZ", "DB", "Q", ""]]
        + equalizer.bands.enumerated().map { index, band in
          [
            "\(index + 1)", band.kind.replacing("_", with: " "), band.channel, "\(band.frequency)", "\(band.gain)",
            "\(band.q)", band.on ? "" : "off",
          ]
        })
  }
}

/// A short text from a file or from standard input.
enum SmallFile {
  /// The longest text that the speaker accepts, and one byte more, so that it refuses a longer one.
  private static let limit = (64 << 10) + 1

  /// - Parameter path: `-` for standard input.
  /// - Throws: `ExitCode`, after a message, if the file cannot be read.
  static func read(_ path: String) throws -> String {
    let file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY)
    defer { if file > STDIN_FILENO { close(file) } }
    var bytes = [UInt8](repeating: 0, count: limit)
    var count = 0
    while file >= 0, count < limit {
      let read = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress?.advanced(by: count), limit - count) }
      if read == 0 { return String(decoding: bytes[..<count], as: UTF8.self) }
      guard read > 0 else { break }
      count += read
    }
    if count == limit { return String(decoding: bytes, as: UTF8.self) }
    Terminal.complain("Cannot read \(path): \(String(cString: strerror(errno))).")
    throw ExitCode(EX_NOINPUT)
  }
}
