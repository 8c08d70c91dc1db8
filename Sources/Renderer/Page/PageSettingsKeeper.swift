import Page
import PlaybackEngine

/// Shows the live settings to the page, and changes them.
final class PageSettingsKeeper: SettingsKeeper {
  private let settings: LiveSettings
  private let outputs = OutputNames()

  init(_ settings: LiveSettings) { self.settings = settings }

  func entries() async -> [SettingEntry] {
    let outputs = await outputs.list()
    return settings.entries.map { SettingEntry($0, outputs: outputs) }
  }

  func set(_ name: String, to value: SettingValue?) async -> Result<SettingEntry, SettingRefusal> {
    guard let present = settings.entries.first(where: { $0.key.name == name }) else { return .failure(.unknown) }
    if let reason = present.whyNotEditable { return .failure(.notEditable(reason)) }
    let isOutput = present.key.control == .output
    let outputs = isOutput ? await outputs.list() : []
    if isOutput, case .text(let text)? = value, !outputs.contains(where: { $0.value == text }) {
      return .failure(.wrong("“\(text)” is not an output of this speaker."))
    }
    do throws(ValueProblem) {
      return .success(SettingEntry(try settings.set(present.key, to: value?.ofConfiguration), outputs: outputs))
    } catch {
      return .failure(.wrong(error.reasons.map(\.sentence).joined(separator: " ")))
    }
  }
}

/// The outputs of the machine, searched for at most every few seconds, one search at a time.
private actor OutputNames {
  private static let age = Duration.seconds(5)

  private var last: (time: ContinuousClock.Instant, outputs: [SettingEntry.Choice])?

  /// Blocks a thread of Swift's pool while GStreamer searches.
  func list() -> [SettingEntry.Choice] {
    if let last, last.time + Self.age > .now { return last.outputs }
    let outputs = Outputs.names().map { SettingEntry.Choice(value: $0.description, name: $0.name) }
    last = (.now, outputs)
    return outputs
  }
}

extension LiveSettings.Entry {
  fileprivate var whyNotEditable: String? {
    switch origin {
    case .fallback, .file, .page: nil
    case .environment(let variable): "The environment variable \(variable) sets it."
    case .option(let option): "The option --\(option) sets it."
    }
  }
}

extension SettingEntry {
  fileprivate init(_ entry: LiveSettings.Entry, outputs: [Choice]) {
    let control = entry.key.control ?? .text
    let fallback = entry.key.value(in: Configuration())
    self.init(
      key: entry.key.name, label: entry.key.summary, kind: control.kind, choices: control.choices(outputs),
      minimum: control.range?.lowerBound, maximum: control.range?.upperBound,
      value: entry.value.flatMap { control.shown($0, outputs) }, default: fallback.flatMap(SettingValue.init),
      defaultText: entry.key.defaultText, origin: entry.origin.word, originName: entry.origin.name,
      whyNot: entry.whyNotEditable)
  }
}

extension ConfigurationControl {
  fileprivate var kind: String {
    switch self {
    case .text: "text"
    case .integer: "integer"
    case .seconds: "seconds"
    case .decibels: "decibels"
    case .bool: "bool"
    case .choice: "choice"
    case .output: "output"
    }
  }

  fileprivate var range: ClosedRange<Double>? {
    switch self {
    case .integer(let range), .decibels(let range): Double(range.lowerBound)...Double(range.upperBound)
    case .seconds(let range): range
    case .text, .bool, .choice, .output: nil
    }
  }

  fileprivate func choices(_ outputs: [SettingEntry.Choice]) -> [SettingEntry.Choice]? {
    switch self {
    case .choice(let names): names.map { SettingEntry.Choice(value: $0, name: $0) }
    case .output: outputs
    case .text, .integer, .seconds, .decibels, .bool: nil
    }
  }

  /// The owner's bin is not shown: it may contain passwords and paths.
  fileprivate func shown(_ value: ConfigurationValue, _ outputs: [SettingEntry.Choice]) -> SettingValue? {
    refusal(of: value) != nil && self == .output ? .text("bin") : SettingValue(value)
  }
}

extension ConfigurationOrigin {
  fileprivate var word: String {
    switch self {
    case .fallback: "default"
    case .file: "file"
    case .page: "page"
    case .environment: "environment"
    case .option: "command line"
    }
  }

  fileprivate var name: String? {
    switch self {
    case .fallback, .file, .page: nil
    case .environment(let variable): variable
    case .option(let option): "--\(option)"
    }
  }
}

extension SettingValue {
  fileprivate init?(_ value: ConfigurationValue) {
    switch value {
    case .text(let text): self = .text(text)
    case .integer(let integer): self = .integer(integer)
    case .number(let number): self = .number(number)
    case .bool(let bool): self = .bool(bool)
    case .list, .table, .date, .plain: return nil
    }
  }

  fileprivate var ofConfiguration: ConfigurationValue {
    switch self {
    case .text(let text): .text(text)
    case .integer(let integer): .integer(integer)
    case .number(let number): .number(number)
    case .bool(let bool): .bool(bool)
    }
  }
}
