import ArgumentParser

/// An option that was given, with its text.
struct ConfigurationOption: Sendable {
  let key: any AnyConfigurationKey
  let text: String
}

/// The options of the command line: `--config`, and one for each key.
///
/// ArgumentParser reads the options of a type from its mirror, normally one for each property. This type has none: its
/// mirror and its decoder list the declared keys.
struct ConfigurationOptions: ParsableArguments, CustomReflectable {
  /// The file named with `--config`.
  let file: String?
  /// The other options that were given.
  let given: [ConfigurationOption]

  init() { (file, given) = (nil, []) }

  init(from decoder: any Decoder) throws {
    let options = try decoder.container(keyedBy: Label.self)
    file = try options.decodeIfPresent(String.self, forKey: Label(stringValue: Self.fileOption))
    given = try ConfigurationKeys.all.compactMap { key in
      let label = Label(stringValue: key.option)
      let text =
        try key.isList
        ? (options.decodeIfPresent([String].self, forKey: label) ?? []).listText
        : options.decodeIfPresent(String.self, forKey: label)
      return text.map { ConfigurationOption(key: key, text: $0) }
    }
  }

  var customMirror: Mirror {
    let file = Option<String?>(
      name: .customLong(Self.fileOption),
      help: ArgumentHelp(
        "The configuration file.",
        discussion: "Default: \(ConfigurationFile.defaultPlaces), the first that exists.",
        valueName: "file"))
    let options = ConfigurationKeys.all.map { (label: String?.some($0.option), value: $0.commandLineOption) }
    return Mirror(self, children: [(label: Self.fileOption, value: file as Any)] + options)
  }

  func validate() throws {
    if file == "" { throw ValidationError("--config needs the path of a file.") }
    let problems = ConfigurationReading(options: given).problems
    if !problems.isEmpty { throw ValidationError(problems.map(\.description).joined(separator: "\n")) }
  }

  /// The options together with the environment of the process.
  var sources: ConfigurationSources { ConfigurationSources(options: given, file: file) }

  private static let fileOption = "config"

  /// The name of an option, by which ArgumentParser finds its value.
  private struct Label: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }
}

extension AnyConfigurationKey {
  /// Placeholder for the value in help and manual.
  var valueName: String {
    guard kindName.hasPrefix("a number of ") else { return option }
    return kindName.split(separator: " ").dropFirst(3).first.map(String.init) ?? option
  }

  fileprivate var commandLineOption: Any {
    let name = NameSpecification.customLong(option)
    guard isList else {
      // Parse a negative number as a value, not as another option.
      let parsing: SingleValueParsingStrategy = example.hasPrefix("-") ? .unconditional : .next
      return Option<String?>(
        name: name, parsing: parsing, help: ArgumentHelp("\(summary)", discussion: takes, valueName: valueName))
    }
    return Option<[String]>(
      wrappedValue: [], name: name,
      help: ArgumentHelp("\(summary) May be given more than once.", discussion: takes, valueName: valueName))
  }
}

extension [String] {
  /// The occurrences of an option as one list; nil without any.
  fileprivate var listText: String? {
    if count == 1 { return first }
    return isEmpty ? nil : "[" + map(\.tomlText).joined(separator: ", ") + "]"
  }
}
