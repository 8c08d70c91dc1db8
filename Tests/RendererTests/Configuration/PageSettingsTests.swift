import Testing

@testable import Renderer

@Suite struct PageSettingsTests {
  private static let path = "/state/page.toml"

  private static func key(_ name: String) throws -> any AnyConfigurationKey {
    try #require(ConfigurationKeys.all.first { $0.name == name })
  }

  /// The page must not set keys that run programs, name files, open the network or protect the page.
  @Test func onlyHarmlessKeysAreOnThePage() {
    #expect(
      ConfigurationKeys.all.filter(\.isOnPage).map(\.name) == [
        "name", "room", "openhome_suffix", "output", "startup_volume", "max_volume", "buffer", "live_buffer",
        "device_release", "replay_gain.mode", "replay_gain.preamp", "replay_gain.fallback", "log_level",
      ])
  }

  @Test(arguments: ConfigurationKeys.all.filter(\.isOnPage).map(\.name))
  func aKeyOnThePageHasAControlAndItsExampleSurvivesTheFile(name: String) throws {
    let key = try Self.key(name)
    #expect(key.control != nil)
    var settings = PageSettings()
    let example = try #require(TOMLDocument("\(name) = \(key.example)").value(at: name))
    // The page accepts no level below info.
    let value = name == "log_level" ? ConfigurationValue.text("warning") : example
    try settings.set(key, to: ConfigurationNode(value: value))
    let file = PageFile(path: Self.path, text: settings.text)
    #expect(file.problems == [])
    #expect(file.settings == settings)
    settings.reset(key)
    #expect(settings == PageSettings())
  }

  /// Regression: 1.001 s became 1.000 s with every round trip, since 1.001 × 1000 is a little less than 1001.
  @Test func millisecondsSurviveTheFile() throws {
    let file = PageFile(path: Self.path, text: "buffer = 1.001")
    #expect(PageFile(path: Self.path, text: file.settings.text).settings == file.settings)
    var configuration = Configuration()
    file.settings.copy(try Self.key("buffer"), to: &configuration)
    #expect(configuration.buffer == .milliseconds(1001))
  }

  @Test(arguments: [
    ("name", ConfigurationValue.text(String(repeating: "x", count: 101)), "The text is longer than 100 characters."),
    ("name", .text("a\nb"), "The text has a control character."),
    ("name", .text(" "), "The value is empty."),
    ("name", .integer(3), "3 is not text: put it in quotes."),
    ("max_volume", .integer(101), "101 is not a whole number from 0 to 100."),
    ("max_volume", .text("80"), "“80” is text because of its quotes: remove them."),
    ("output", .text("filesink location=/tmp/x"), "A GStreamer bin can only be set in the configuration file."),
    ("log_level", .text("trace"), "“trace” can only be set in the configuration file."),
    ("state_dir", .text("/tmp"), "The page cannot change this setting."),
    ("hooks.play", .list([]), "The page cannot change this setting."),
    ("page", .text("on"), "The page cannot change this setting."),
  ])
  func valuesThatThePageMayNotSet(name: String, value: ConfigurationValue, reason: String) throws {
    let key = try Self.key(name)
    var settings = PageSettings()
    let problem = #expect(throws: ValueProblem.self) {
      try settings.set(key, to: ConfigurationNode(value: value))
    }
    #expect(problem?.reasons.map(\.sentence) == [reason])
    #expect(settings == PageSettings())
  }

  /// (file, page, environment, option, the value in force, its origin)
  @Test(
    arguments: [
      (nil, nil, nil, nil, 100, ConfigurationOrigin.fallback),
      (10, nil, nil, nil, 10, .file(path: "f", line: 1)),
      (nil, 20, nil, nil, 20, .page(path: path)),
      (10, 20, nil, nil, 20, .page(path: path)),
      (10, 20, 30, nil, 30, .environment(variable: "SWIFTLET_MAX_VOLUME")),
      (10, 20, 30, 40, 40, .option("max-volume")),
      (10, 20, nil, 40, 40, .option("max-volume")),
      (nil, 20, 30, nil, 30, .environment(variable: "SWIFTLET_MAX_VOLUME")),
    ] as [(Int?, Int?, Int?, Int?, Int, ConfigurationOrigin)])
  func precedence(
    file: Int?, page: Int?, environment: Int?, option: Int?, value: Int, origin: ConfigurationOrigin
  ) throws {
    let key = try Self.key("max_volume")
    let owner = ConfigurationReading(
      file: file.map { ConfigurationFile(path: "f", text: "max_volume = \($0)") },
      environment: environment.map { [key.variable: "\($0)"] } ?? [:],
      options: option.map { [ConfigurationOption(key: key, text: "\($0)")] } ?? [])
    let settings = PageFile(path: Self.path, text: page.map { "max_volume = \($0)" } ?? "").settings
    let reading = owner.adding(settings, path: Self.path)
    #expect(reading.problems == [])
    #expect(reading.configuration.maximumVolume == value)
    #expect(reading.origin(of: key) == origin)
  }

  /// (file, page, the keys of the page that are left out)
  @Test(arguments: [
    ("startup_volume = 60", "max_volume = 50", ["max_volume"]),
    ("max_volume = 50", "startup_volume = 60", ["startup_volume"]),
    ("", "startup_volume = 60\nmax_volume = 50", ["startup_volume", "max_volume"]),
    ("fixed_volume = true", "max_volume = 50\nname = \"Bath\"", ["max_volume"]),
    ("max_volume = 70", "startup_volume = 60", []),
  ])
  func contradictionsLeaveThePagesValuesOut(file: String, page: String, ignored: [String]) {
    let owner = ConfigurationReading(file: ConfigurationFile(path: "f", text: file))
    let reading = owner.adding(PageFile(path: Self.path, text: page).settings, path: Self.path)
    #expect(reading.problems == [])
    #expect(reading.ignored.map(\.key) == ignored)
    for key in ConfigurationKeys.all where ignored.contains(key.name) {
      #expect(key.isSame(reading.configuration, owner.configuration))
      #expect(reading.origin(of: key) == owner.origin(of: key))
    }
    #expect(reading.configuration.name == (page.contains("Bath") ? "Bath" : nil))
  }

  /// (the file's text, its problems, the settings that remain)
  @Test(arguments: [
    ("", [], []),
    ("name = \"A\"\nmax_volume = 300", ["2: max_volume: 300 is not a whole number from 0 to 100."], ["name"]),
    ("port = 80\nname = \"A\"", ["1: port: The page has no such setting."], ["name"]),
    ("[replay_gain]\nmode = \"album\"", [], ["replay_gain.mode"]),
    (
      "output = \"fakesink ! x\"", ["1: output: A GStreamer bin can only be set in the configuration file."], []
    ),
    ("name", ["1: This is not TOML"], []),
  ])
  func problemsOfTheFileKeepTheValidSettings(text: String, problems: [String], names: [String]) {
    let file = PageFile(path: Self.path, text: text)
    #expect(file.problems.count == problems.count)
    for (found, expected) in zip(file.problems, problems) {
      #expect(found.description.hasPrefix("\(Self.path):\(expected)"), "\(found)")
    }
    #expect(file.settings.keys.map(\.name) == names)
  }
}

extension TOMLDocument {
  /// The value at a path with dots.
  fileprivate func value(at path: String) -> ConfigurationValue? {
    path.split(separator: ".").reduce(ConfigurationValue.table(root)) { value, name in
      if case .table(let table)? = value { table[String(name)]?.value } else { nil }
    }
  }
}
