import Logging
import Testing

@testable import Renderer

@Suite struct ConfigurationReadingTests {
  private static func reading(_ text: String) -> ConfigurationReading {
    ConfigurationReading(file: ConfigurationFile(path: "swiftlet.toml", text: text))
  }

  @Test(arguments: [
    // (file, message)
    ("nmae = \"Kitchen\"", "1: nmae: Unknown key; did you mean name?"),
    ("\nprot = 1", "2: prot: Unknown key; did you mean port?"),
    ("device-release = 1", "1: device-release: Unknown key; did you mean device_release?"),
    ("colour = \"red\"", "1: colour: Unknown key."),
    ("[network]\nx = 1", "1: network: Unknown key; did you mean networks?"),
    ("[replaygain]\nmode = \"album\"", "1: replaygain: Unknown key; did you mean replay_gain?"),
    ("volume = 30", "1: volume: Unknown key; did you mean startup_volume?"),
    ("[hooks]\nname = \"x\"", "2: hooks.name: name is not in the table hooks: move it up, before the first [table]."),
    (
      "replay_gain = \"album\"",
      "1: replay_gain: “album” is not a table; its keys are replay_gain.mode, replay_gain.preamp, replay_gain.fallback."
    ),
    ("port = 65536", "1: port: 65536 is not a whole number from 0 to 65535."),
    ("port = \"80\"", "1: port: “80” is text because of its quotes: remove them."),
    ("port = \"http\"", "1: port: “http” is not a whole number from 0 to 65535."),
    ("metrics = \"true\"", "1: metrics: “true” is text because of its quotes: remove them."),
    ("port = 80.5", "1: port: 80.5 is not a whole number from 0 to 65535."),
    ("name = 3", "1: name: 3 is not text: put it in quotes."),
    ("name = \" \"", "1: name: The value is empty."),
    ("buffer = nan", "1: buffer: nan is not a number of seconds from 1 to 60."),
    ("output = \"alsa:\"", "1: output: The output “alsa:” names no device: write alsa:DEVICE or alsa."),
    ("output = \"hw:0\"", "1: output: Invalid output “hw:0”: an ALSA device is written alsa:hw:0."),
    ("output = [\"alsa\"]", "1: output: A list is not an output."),
    ("uuid = \"kitchen\"", "1: uuid: “kitchen” is not 8-4-4-4-12 hexadecimal digits."),
    (
      "log_level = \"loud\"",
      "1: log_level: “loud” is not trace, debug, info, notice, warning, error or critical."
    ),
    ("interfaces = \"eth0\"", "1: interfaces: “eth0” is not a list: put it in brackets, [\"…\"]."),
    ("networks = [\"10.0.0.0/33\"]", "1: networks: “10.0.0.0/33” is not a network such as 192.168.2.0/24."),
    (
      "name = \"Kitchen\n",
      "1: name: The text that begins here does not end on its line, or has a control character: is a quote missing?"
    ),
    ("name = Kitchen", "1: name: There is no valid value after the =; put text in quotes."),
  ])
  func problemsNameLineAndKey(file: String, said: String) {
    let reading = Self.reading(file)
    #expect(reading.problems.map(\.description) == ["swiftlet.toml:" + said])
    #expect(reading.configuration == Configuration())
  }

  @Test(arguments: [
    ("startup_volume = 61\nmax_volume = 60", "1: startup_volume: 61 is more than max_volume, which is 60."),
    ("max_volume = 60\nstartup_volume = 60", nil), ("startup_volume = 100", nil), ("fixed_volume = true", nil),
    (
      "max_volume = 60\nfixed_volume = true",
      "2: fixed_volume: A fixed volume is 100, but max_volume is 60."
    ),
    ("max_volume = 60\nfixed_volume = false", nil),
  ])
  func contradictionsAreReported(file: String, said: String?) {
    #expect(Self.reading(file).problems.map(\.description) == [said].compactMap { $0.map { "swiftlet.toml:" + $0 } })
  }

  @Test func problemsAreInTheOrderOfTheFile() {
    let reading = Self.reading("prt = 1\nname = Kitchen\nport = \"x\"\ninterfaces = [1, \"\"]\nbuffer = 2\n")
    #expect(reading.problems.compactMap(\.key) == ["prt", "name", "port", "interfaces", "interfaces"])
    #expect(reading.configuration.buffer == .seconds(2))
  }

  @Test func optionOverridesEnvironmentOverridesFile() {
    let file = ConfigurationFile(path: "f", text: "name = \"file\"\nport = 1\nbuffer = 3")
    let environment = ["SWIFTLET_NAME": "environment", "SWIFTLET_PORT": "2", "SWIFTLET_UUID": ""]
    let option = ConfigurationOption(key: ConfigurationKeys.shared.name, text: "option")
    let reading = ConfigurationReading(file: file, environment: environment, options: [option])
    #expect(reading.problems == [])
    #expect(reading.configuration.name == "option")
    #expect(reading.configuration.port == 2)
    #expect(reading.configuration.buffer == .seconds(3))
    let origins = ConfigurationKeys.all.map { "\($0.name): \(reading.origins[$0.name] ?? .fallback)" }
    #expect(origins.contains("name: --name"))
    #expect(origins.contains("port: SWIFTLET_PORT"))
    #expect(origins.contains("buffer: f:3"))
    #expect(origins.contains("uuid: default"))
  }

  @Test(arguments: [
    ("eth0,wlan0", ["eth0", "wlan0"]), ("eth0, wlan0", ["eth0", "wlan0"]), ("eth0 wlan0", ["eth0", "wlan0"]),
    ("[\"eth 0\", 'wlan0']", ["eth 0", "wlan0"]),
  ])
  func listsInVariables(text: String, list: [String]) {
    let reading = ConfigurationReading(environment: ["SWIFTLET_INTERFACES": text])
    #expect(reading.problems == [])
    #expect(reading.configuration.interfaces == list)
  }

  @Test(arguments: [
    ("SWIFTLET_PORT", "http", "SWIFTLET_PORT: “http” is not a whole number from 0 to 65535."),
    (
      "SWIFTLET_LOG_LEVEL", "9",
      "SWIFTLET_LOG_LEVEL: “9” is not trace, debug, info, notice, warning, error or critical."
    ),
  ])
  func problemsInVariables(variable: String, text: String, said: String) {
    #expect(ConfigurationReading(environment: [variable: text]).problems.map(\.description) == [said])
  }

  @Test func unknownVariablesAreReported() {
    let environment = [
      "SWIFTLET_NAEM": "x", "SWIFTLET_NAME": "x", "SWIFTLET_CONFIG": "x", "SWIFTLETS": "x", "HOME": "/",
    ]
    #expect(
      ConfigurationReading.unknownVariables(in: environment).map(\.description)
        == ["SWIFTLET_NAEM: Unknown variable; did you mean SWIFTLET_NAME?"])
  }

  @Test func shownConfigurationCanBeReadAgain() {
    let text = """
      name = "Küche \\"1\\"\\u0001"
      output = "alsa:hw:0"
      buffer = 2.5
      interfaces = ["a", "b"]
      networks = ["10.0.0.0/8"]
      uuid = "4a6f2f0e-1c1f-4f6e-9d53-0f2b7a6c1d01"
      log_level = "debug"
      """
    let reading = Self.reading(text)
    #expect(reading.problems == [])
    let again = Self.reading(reading.shown)
    #expect(again.problems == [])
    #expect(again.configuration == reading.configuration)
    #expect(reading.shown.contains("# swiftlet.toml:3\n"))
  }
}
