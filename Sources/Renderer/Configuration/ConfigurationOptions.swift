import ArgumentParser

/// An option that was given: what it stands for, and its text.
struct ConfigurationOption: Sendable {
  let key: ConfigurationKey
  let text: String
}

/// The options of the command line: one for each key.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    name: .customLong("config"),
    help: ArgumentHelp(
      "The configuration file.",
      discussion: """
        Default: $XDG_CONFIG_HOME/swiftlet/swiftlet.toml, else /etc/swiftlet/swiftlet.toml, where there is one.
        """,
      valueName: "file"))
  var file: String?

  @Option(.name) var name: String?
  @Option(.room) var room: String?
  @Option(.openHomeSuffix) var openHomeSuffix: String?
  @Option(.output) var output: String?
  @Option(.mixer) var mixer: String?
  @Option(.startupVolume) var startupVolume: String?
  @Option(.maximumVolume) var maximumVolume: String?
  @Option(.fixedVolume) var fixedVolume: String?
  @Option(.buffer) var buffer: String?
  @Option(.deviceRelease) var deviceRelease: String?
  @Option(.replayGain) var replayGain: String?
  @Option(.replayGainPreamp) var replayGainPreamp: String?
  @Option(.replayGainFallback) var replayGainFallback: String?
  @Option(.presets) var presets: String?
  @Option(.interfaces) var interfaces: [String] = []
  @Option(.port) var port: String?
  @Option(.networks) var networks: [String] = []
  @Option(.hosts) var hosts: [String] = []
  @Option(.uuid) var uuid: String?
  @Option(.stateFolder) var stateFolder: String?
  @Option(.logLevel) var logLevel: String?
  @Option(.statusSocket) var statusSocket: String?
  @Option(.metrics) var metrics: String?
  @Option(.hooksPlay) var hooksPlay: String?
  @Option(.hooksPause) var hooksPause: String?
  @Option(.hooksStop) var hooksStop: String?
  @Option(.hooksTrack) var hooksTrack: String?
  @Option(.hooksVolume) var hooksVolume: String?
  @Option(.hooksStandby) var hooksStandby: String?
  @Option(.hooksTimeout) var hooksTimeout: String?

  /// Those that were given.
  var given: [ConfigurationOption] {
    let texts: [(ConfigurationKey, String?)] = [
      (.name, name), (.room, room), (.openHomeSuffix, openHomeSuffix), (.output, output), (.mixer, mixer),
      (.startupVolume, startupVolume),
      (.maximumVolume, maximumVolume), (.fixedVolume, fixedVolume), (.buffer, buffer), (.deviceRelease, deviceRelease),
      (.replayGain, replayGain), (.replayGainPreamp, replayGainPreamp), (.replayGainFallback, replayGainFallback),
      (.presets, presets), (.interfaces, interfaces.listText), (.port, port), (.networks, networks.listText),
      (.hosts, hosts.listText),
      (.uuid, uuid), (.stateFolder, stateFolder), (.logLevel, logLevel),
      (.statusSocket, statusSocket), (.metrics, metrics),
      (.hooksPlay, hooksPlay), (.hooksPause, hooksPause), (.hooksStop, hooksStop), (.hooksTrack, hooksTrack),
      (.hooksVolume, hooksVolume), (.hooksStandby, hooksStandby), (.hooksTimeout, hooksTimeout),
    ]
    return texts.compactMap { key, text in text.map { ConfigurationOption(key: key, text: $0) } }
  }

  func validate() throws {
    if file == "" { throw ValidationError("--config: It is empty.") }
    let mistakes = ConfigurationReading(options: given).mistakes
    if !mistakes.isEmpty { throw ValidationError(mistakes.map(\.description).joined(separator: "\n")) }
  }
}

extension Option where Value == String? {
  fileprivate init(_ key: ConfigurationKey) {
    // A number below zero is a value, not another option.
    let parsing: SingleValueParsingStrategy = key.example.hasPrefix("-") ? .unconditional : .next
    self.init(name: .customLong(key.option), parsing: parsing, help: key.help())
  }
}

extension Option where Value == [String] {
  fileprivate init(wrappedValue: [String], _ key: ConfigurationKey) {
    self.init(
      wrappedValue: wrappedValue, name: .customLong(key.option), help: key.help(more: " May be given more than once."))
  }
}

extension ConfigurationKey {
  /// What stands for the value in the help and the manual.
  var valueName: String {
    guard kind.hasPrefix("a number of ") else { return option }
    return kind.split(separator: " ").dropFirst(3).first.map(String.init) ?? option
  }

  fileprivate func help(more: String = "") -> ArgumentHelp {
    ArgumentHelp("\(summary)\(more)", discussion: takes, valueName: valueName)
  }
}

extension [String] {
  /// The occurrences of an option as one list; nil without any.
  fileprivate var listText: String? {
    if count == 1 { return first }
    return isEmpty ? nil : "[" + map(\.tomlText).joined(separator: ", ") + "]"
  }
}
