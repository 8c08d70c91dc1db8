/// Reads the text files of Room EQ Wizard, AutoEQ (ParametricEQ.txt) and Equalizer APO.
///
///     Preamp: -6.1 dB
///     Filter 1: ON PK Fc 105 Hz Gain -3.2 dB Q 0.70
///     Channel: L
///     Filter 2: ON LSC Fc 80 Hz Gain 2 dB Q 0.71
///
/// Ignores empty lines, comments (`#`), filters of the type None, and the lines before the first filter of a file that begins
/// with “Filter Settings file”, as Room EQ Wizard's do. Any other line that the equalizer cannot represent is an error, so that
/// nothing is lost unnoticed.
public struct EqualizerText {
  /// In bytes. The longest useful file has a few kilobytes.
  public static let maximumBytes = 64 << 10

  private var settings = EqualizerSettings()
  private var channel = EqualizerBand.Channel.both
  /// Whether the lines are those before the filters of Room EQ Wizard.
  private var isInHead = false

  private init() {}

  /// - Returns: the settings. Without a preamp in the text, it is automatic.
  public static func read(_ text: String) throws(EqualizerError) -> EqualizerSettings {
    guard text.utf8.count <= maximumBytes else {
      throw .wrongValue("The text is longer than \(maximumBytes >> 10) KiB.")
    }
    var reader = EqualizerText()
    let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      do throws(LineProblem) {
        try reader.read(line)
      } catch {
        throw .line(index + 1, error.description)
      }
    }
    let settings = reader.settings
    guard !settings.bands.isEmpty || !settings.automaticPreamp else { throw .wrongValue("The text has no filters.") }
    try settings.check()
    return settings
  }

  private mutating func read(_ line: Substring) throws(LineProblem) {
    let line = line.trimmed
    guard !line.isEmpty, !line.hasPrefix("#") else { return }
    guard let colon = line.firstIndex(of: ":") else {
      if line.lowercased() == "filter settings file", settings == EqualizerSettings() {
        isInHead = true
      } else if !isInHead {
        throw LineProblem("“\(line.shown)” is not understood.")
      }
      return
    }
    let (key, value) = (line[..<colon].trimmed.lowercased(), line[line.index(after: colon)...].trimmed)
    if key.hasPrefix("filter"), key.dropFirst(6).allSatisfy({ $0.isWhitespace || $0.isNumber || $0 == "#" }) {
      isInHead = false
      if let band = try FilterLine.band(value, channel) { try append(band) }
    } else if isInHead {
      return
    } else if key == "preamp" {
      try addPreamp(value)
    } else if key == "channel" {
      channel = try Self.channel(value)
    } else {
      throw LineProblem("“\(line[..<colon].shown)” is not supported: only Preamp, Filter and Channel are.")
    }
  }

  private mutating func append(_ band: EqualizerBand) throws(LineProblem) {
    if let problem = band.problem { throw LineProblem(problem.prefix(1).uppercased() + problem.dropFirst()) }
    guard settings.bands.count < EqualizerSettings.maximumBands else {
      throw LineProblem("This is more than \(EqualizerSettings.maximumBands) filters.")
    }
    settings.bands.append(band)
  }

  /// Several preamps add up, as in Equalizer APO.
  private mutating func addPreamp(_ value: Substring) throws(LineProblem) {
    guard channel == .both else { throw LineProblem("A preamp for one channel is not supported.") }
    var words = Words(value)
    let gain = try words.number("the preamp", units: ["db"])
    try words.end()
    let sum = settings.automaticPreamp ? gain : settings.preamp + gain
    guard EqualizerSettings.preamps.contains(sum) else {
      throw LineProblem("The preamp must be between −60 and 24 dB.")
    }
    (settings.preamp, settings.automaticPreamp) = (sum, false)
  }

  private static func channel(_ value: Substring) throws(LineProblem) -> EqualizerBand.Channel {
    let names = Set(value.split(whereSeparator: { $0.isWhitespace || $0 == "," }).map { $0.lowercased() })
    switch names {
    case ["all"], ["l", "r"], ["1", "2"]: return .both
    case ["l"], ["1"]: return .left
    case ["r"], ["2"]: return .right
    default: throw LineProblem("The channels “\(value.shown)” are not supported: only all, L and R are.")
    }
  }
}

/// A sentence about a line that cannot be read.
struct LineProblem: Error, CustomStringConvertible {
  let description: String

  init(_ description: some StringProtocol) { self.description = String(description) }
}

// MARK: - Writing

extension EqualizerText {
  /// The settings as a text that Equalizer APO and `read` understand, with the preamp in force.
  /// - Parameter rate: the sample rate for an automatic preamp.
  public static func write(_ settings: EqualizerSettings, rate: Int) -> String {
    var lines = ["Preamp: \(round(settings.preampInForce(rate: rate))) dB"]
    var channel = EqualizerBand.Channel.both
    for (index, band) in settings.bands.enumerated() {
      if band.channel != channel {
        channel = band.channel
        lines.append("Channel: " + (channel == .both ? "all" : channel == .left ? "L" : "R"))
      }
      let gain = band.kind.hasGain ? " Gain \(round(band.gain)) dB" : ""
      lines.append(
        "Filter \(index + 1): \(band.isOn ? "ON" : "OFF") \(name(band.kind)) Fc \(round(band.frequency)) Hz\(gain)"
          + " Q \(band.quality.short)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// With two decimals: three would be read as thousands.
  private static func round(_ value: Double) -> String { ((value * 100).rounded() / 100).short }

  private static func name(_ kind: EqualizerBand.Kind) -> String {
    switch kind {
    case .peak: "PK"
    case .lowShelf: "LSC"
    case .highShelf: "HSC"
    case .lowPass: "LPQ"
    case .highPass: "HPQ"
    case .notch: "NO"
    }
  }
}
