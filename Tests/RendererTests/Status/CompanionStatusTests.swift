import Testing

@testable import Companion
@testable import Renderer

struct CompanionStatusTests {
  private static var report: CompanionReport {
    var report = CompanionReport()
    report.bluetooth = BluetoothReport(isReady: false, problem: "There is no Bluetooth adapter.")
    report.beacon = BeaconReport(
      uuid: "318fdeaa-64dd-4448-88b4-2cd462cf68be", major: 7, minor: 75, isAdvertised: false,
      problem: "The adapter is busy.")
    report.presence = PresenceReport(
      people: [
        PresenceReport.Person(name: "Ann", state: .present, isNear: true),
        PresenceReport.Person(name: "Ben \"B\"", state: .absent, isNear: false),
      ], isWatching: false, hasPaused: false)
    report.phones = PhonesReport(registered: 3, inReach: 2)
    report.buttons = ButtonsReport(
      devices: [
        ButtonsReport.Device(name: "Knob*", isConnected: true),
        ButtonsReport.Device(name: "Wall Button", isConnected: false, problem: "may not be read"),
      ], count: 12)
    report.mqtt = MQTTReport(broker: "192.0.2.1:1883", prefix: "swiftlet/kitchen")
    report.mqtt?.problem = "The broker refuses the password."
    report.mpris = MPRISReport(bus: "session bus", name: "org.mpris.MediaPlayer2.swiftlet")
    report.sleep = SleepReport(problem: "logind is not running.")
    return report
  }

  private static func lines(_ report: CompanionReport) -> [String] { report.rows.map { "\($0): \($1)" } }

  @Test func theStatusHasALineForEach() {
    #expect(
      Self.lines(Self.report) == [
        "Bluetooth: There is no Bluetooth adapter.",
        "Beacon: 318fdeaa-64dd-4448-88b4-2cd462cf68be, session 7, not advertised: The adapter is busy.",
        "Presence: Ann present, Ben \"B\" absent, not watching",
        "Buttons: Knob* connected, Wall Button may not be read",
        "Phones: 2 of 3 in reach",
        "MQTT: 192.0.2.1:1883, not connected: The broker refuses the password.",
        "MPRIS: connected to the session bus",
        "Sleep: logind is not running.",
      ])
    #expect(Self.lines(CompanionReport()).isEmpty)
  }

  @Test func programsFindTheNamesOfThosePresent() {
    func names(_ people: [(String, PresenceReport.State)]) -> String {
      let people = people.map { PresenceReport.Person(name: $0, state: $1, isNear: true) }
      return PresenceReport(people: people, isWatching: true, hasPaused: false).presentNames
    }
    #expect(names([("Ann", .present), ("Ben", .absent), ("Cid", .unknown), ("Dan", .present)]) == "Ann,Dan")
    #expect(names([("Ann", .absent)]).isEmpty)
  }

  @Test func theStatusSaysWhatIsTried() {
    var report = CompanionReport()
    report.mpris = MPRISReport(bus: "system bus")
    report.sleep = SleepReport()
    #expect(Self.lines(report) == ["MPRIS: connecting to the system bus", "Sleep: asking logind"])
    report.mpris?.problem = "No connection to the system bus: it is not there. Swiftlet tries again."
    report.sleep?.isReady = true
    #expect(
      Self.lines(report) == [
        "MPRIS: No connection to the system bus: it is not there. Swiftlet tries again.", "Sleep: ready",
      ])
  }

  @Test func theStatusSaysWhyNobodyIsWatched() {
    var report = CompanionReport()
    report.presence = PresenceReport(
      people: [PresenceReport.Person(name: "Ann", state: .present, isNear: true)], isWatching: false, hasPaused: false,
      problem: "BlueZ does not scan.")
    #expect(Self.lines(report) == ["Presence: Ann present, not watching: BlueZ does not scan."])
  }

  /// A label with a name or an address would make as many series as there are people.
  @Test func metricsHaveNoLabels() {
    var metrics = MetricsText()
    metrics.add(Self.report)
    let values = metrics.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(
      values == [
        "swiftlet_bluetooth_ready 0", "swiftlet_beacon_advertised 0", "swiftlet_presence_people 2",
        "swiftlet_presence_present 1", "swiftlet_presence_watching 0", "swiftlet_buttons_connected 1",
        "swiftlet_button_triggers_total 12", "swiftlet_mqtt_connected 0", "swiftlet_mpris_connected 1",
        "swiftlet_sleep_ready 0", "swiftlet_phones 3", "swiftlet_phones_in_reach 2",
      ])
    var none = MetricsText()
    none.add(CompanionReport())
    #expect(none.text.isEmpty)
  }
}
