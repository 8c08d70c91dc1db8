import Testing

@testable import Renderer

/// Every message names its line, its key with the full path, and what is expected.
@Suite struct CompanionCheckTests {
  private static func lines(_ text: String, _ environment: [String: String] = [:]) -> [String] {
    let reading = ConfigurationReading(file: ConfigurationFile(path: "f", text: text), environment: environment)
    return
      (reading.problems + reading.companionProblems + reading.mqttProblems()
      + reading.missingPrograms(searching: "/nowhere:/bin")).map(\.description)
  }

  private static let ann = "\n[[presence.people]]\nname = \"Ann\"\ndevice = \"00:00:5E:00:53:01\"\n"

  private static let simpleKeysCases: [(String, String)] = [
    ("beacon = \"true\"", "f:1: beacon: “true” is text because of its quotes: remove them."),
    ("beacon = { power = 3 }", "f:1: beacon: A table is not true or false."),
    ("beacon_power = -50", "f:1: beacon_power: It has no effect without beacon = true."),
    ("beacon = true\nbeacon_power = 21", "f:2: beacon_power: 21 is not a whole number from -127 to 20."),
    ("mpris = true", "f:1: mpris: true is not off, session or system."),
    ("sleep = 5", "f:1: sleep: 5 is not true or false."),
    (
      "[pairing]\nwindow = 3",
      "f:1: pairing: Unknown key. Pairing needs no key: `swiftlet pair` and the speaker's page open a window for it."
    ),
  ]

  @Test(arguments: simpleKeysCases)
  func simpleKeys(text: String, message: String) { #expect(Self.lines(text) == [message]) }

  private static let presenceCases: [(String, String?)] = [
    ("presence.on_leave = \"pause\"", "f:1: presence.on_leave: It has no effect without presence.people."),
    ("[presence]\narrival = 3\npeople = []", "f:2: presence.arrival: It has no effect without presence.people."),
    (
      "presence.on_return = \"resume\"" + ann,
      "f:1: presence.on_return: “resume” plays only what presence has paused: set presence.on_leave = \"pause\"."
    ),
    (
      "presence.on_leave = \"stop\"\npresence.on_return = \"resume\"" + ann,
      "f:2: presence.on_return: “resume” plays only what presence has paused: set presence.on_leave = \"pause\"."
    ),
    ("presence.on_leave = \"pause\"\npresence.on_return = \"resume\"" + ann, nil),
    (
      "presence.on_return = \"resum\"" + ann, "f:1: presence.on_return: “resum” is not a command; did you mean resume?"
    ),
    ("presence.on_leave = \"volume +0\"" + ann, "f:1: presence.on_leave: “volume +0” changes nothing."),
    (
      "presence.on_change = [\"no such program\"]" + ann,
      "f:1: presence.on_change: “no such program” is not an executable file."
    ),
    ("presence.on_change = [\"sh\"]" + ann, nil),
    ("presence.on_leave = [\"/bin\"]" + ann, "f:1: presence.on_leave: “/bin” is not an executable file."),
    ("presence.rssi = 0" + ann, "f:1: presence.rssi: 0 is not a whole number from -120 to -20."),
    (
      "[[presence.people]]\nname = \"A, B\"\ndevice = \"00:00:5E:00:53:01\"",
      "f:2: presence.people.name: “A, B” has a comma or a line break, which separate names in SWIFTLET_PRESENCE."
    ),
    (
      "[[presence.people]]\nname = \"A\"\ndevice = \"00:00:00:00:00:00\"",
      "f:3: presence.people.device: No device has the address 00:00:00:00:00:00."
    ),
    (ann + ann.replacing("01", with: "02"), "f:7: presence.people.name: Two people are called “Ann”."),
    (
      ann + ann.replacing("Ann", with: "Bob"),
      "f:8: presence.people.device: “Ann” and “Bob” have the same device."
    ),
    (
      "[presence.people]\nname = \"A\"",
      "f:1: presence.people: One table is not a list of tables, each with name, device or ibeacon, and perhaps major, minor and rssi: "
        + "write its header in double brackets, [[…]]."
    ),
  ]

  @Test(arguments: presenceCases)
  func presence(text: String, message: String?) { #expect(Self.lines(text) == [message].compactMap(\.self)) }

  private static func button(_ members: String...) -> String {
    "[[buttons]]\n" + members.map { "\($0)\n" }.joined()
  }

  private static let device = "device = \"A\""
  private static let play = "action = \"play\""

  private static let buttonsCases: [(String, String?)] = [
    (button(device), "f:1: buttons.action: The key is missing."),
    (
      button(device, "action = \"preset 101\""),
      "f:3: buttons.action: “preset 101” is not a command; the form is preset 1…100."
    ),
    (button(device, "action = \"preset 100\""), nil),
    (button(device, "action = \"pin 7\""), "f:3: buttons.action: “pin 7” is not a command; the form is pin 1…6."),
    ("max_volume = 50\n" + button(device, "action = \"volume 50\""), nil),
    (
      "max_volume = 50\n" + button(device, "action = \"volume 51\""),
      "f:4: buttons.action: “volume 51” is more than max_volume, which is 50."
    ),
    (
      "fixed_volume = true\n" + button(device, "action = \"volume +2\""),
      "f:4: buttons.action: “volume +2” has no effect with fixed_volume = true."
    ),
    (button(device, "action = \"seek +0\""), "f:3: buttons.action: “seek +0” changes nothing."),
    (
      button(device, play) + button(device, "action = [\"/nowhere\"]"),
      "f:6: buttons.action: “/nowhere” is not an executable file."
    ),
    (
      button(device, play) + button(device, play),
      "f:6: buttons.action: The same binding exists already: the action would be performed twice."
    ),
    // Several actions of one key are allowed.
    (button(device, play) + button(device, "action = \"volume 30\""), nil),
    (
      button("device = \"/dev/input/event3\"", play),
      "f:2: buttons.device: Write the name or address of the device instead of its file; `swiftlet buttons` prints them."
    ),
    (
      button("device = \"00-00-5E-00-53-01\"", play),
      "f:2: buttons.device: “00-00-5E-00-53-01” is not a Bluetooth address such as 00:00:5E:00:53:01, with six groups "
        + "and colons."
    ),
    (
      button("device = \"00:00:5E:00:53\"", play),
      "f:2: buttons.device: “00:00:5E:00:53” is not a Bluetooth address such as 00:00:5E:00:53:01, with six groups "
        + "and colons."
    ),
    (button("device = \"00:00:5E:00:53:01\"", play), nil),
    (
      button(device, "key = -1", play), "f:3: buttons.key: -1 is not the code of a key: a whole number from 0 to 767."
    ),
    (
      button(device, "key = \"REL_DIAL\"", play),
      "f:3: buttons.key: “REL_DIAL” has two directions: write REL_DIAL+ or REL_DIAL-."
    ),
    (
      button(device, "key = \"REL_DAIL+\"", play),
      "f:3: buttons.key: “REL_DAIL+” is not a key; did you mean REL_DIAL+? `swiftlet buttons` prints the names."
    ),
    (
      "buttons = true",
      "f:1: buttons: true is not a list of tables, each with device, action and perhaps key and trigger."
    ),
  ]

  @Test(arguments: buttonsCases)
  func buttons(text: String, message: String?) { #expect(Self.lines(text) == [message].compactMap(\.self)) }

  @Test func aMissingLibraryIsNamed() {
    func lines(_ text: String) -> [String] {
      let reading = ConfigurationReading(file: ConfigurationFile(path: "f", text: text), environment: [:])
      return reading.mqttProblems(library: "libmissing.so.1").map(\.description)
    }
    let reason = "libmissing.so.1: cannot open shared object file: No such file or directory"
    let remedy = "Install it: apt install libmosquitto1"
    #expect(lines("mqtt.broker = \"mqtt://b\"") == ["f:1: mqtt.broker: libmosquitto is missing (\(reason)). \(remedy)"])
    #expect(lines("").isEmpty)
  }

  private static let mqttCases: [(String, String)] = [
    ("[mqtt]\nuser = \"u\"", "f:2: mqtt.user: It has no effect without mqtt.broker."),
    (
      "[mqtt]\nbroker = \"mqtt://b\"\nport = 1884",
      "f:3: mqtt.port: Unknown key. Write it in mqtt.broker: mqtt://HOST:PORT, or mqtts://HOST:PORT for TLS."
    ),
    (
      "[mqtt]\nbroker = \"mqtt://b\"\npassword = \"x\"",
      "f:3: mqtt.password: Unknown key. Write the password in a file, and its path in mqtt.password_file."
    ),
    (
      "[mqtt]\nbroker = \"mqtt://b\"\npasswrd_file = \"/x\"",
      "f:3: mqtt.passwrd_file: Unknown key; did you mean mqtt.password_file?"
    ),
    (
      "[mqtt]\nbroker = \"mqtt://b\"\npassword_file = \"/nowhere\"",
      "f:3: mqtt.password_file: “/nowhere” cannot be read: No such file or directory."
    ),
    ("[mqtt]\nbroker = \"mqtt://b\"\npassword_file = \"/etc\"", "f:3: mqtt.password_file: “/etc” is a folder."),
    (
      "[mqtt]\nbroker = \"mqtts://b\"\nca_file = \"/etc/passwd\"",
      "f:3: mqtt.ca_file: “/etc/passwd” is not a PEM file: it has no -----BEGIN line."
    ),
    (
      "[mqtt]\nbroker = \"mqtts://b\"\nclient_key = \"/nowhere.pem\"",
      "f:3: mqtt.client_key: “/nowhere.pem” cannot be read: No such file or directory.",
    ),
  ]

  @Test(arguments: mqttCases)
  func mqtt(text: String, message: String) { #expect(Self.lines(text).first == message) }

  @Test func aPasswordFileNeedsAPassword() throws {
    let folder = try TemporaryFolder()
    for (text, isFine) in [("", false), ("\nsecret\n", false), ("secret\n", true)] {
      folder.write(text, to: "password")
      let path = "\(folder.path)/password"
      let lines = Self.lines("[mqtt]\nbroker = \"mqtt://b\"\npassword_file = \"\(path)\"")
      #expect(lines == (isFine ? [] : ["f:3: mqtt.password_file: “\(path)” has no password in its first line."]))
    }
  }

  /// Environment variables have no line numbers, so the message names the member.
  @Test func variablesNameTheMember() {
    let lines = Self.lines("", ["SWIFTLET_BUTTONS": #"[{ device = "A" }, { device = "B", action = "togle" }]"#])
    #expect(
      lines == [
        "SWIFTLET_BUTTONS: action: The key is missing.",
        "SWIFTLET_BUTTONS: action: “togle” is not a command; did you mean toggle?",
      ])
  }
}
