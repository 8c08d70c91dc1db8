import Companion
import Testing

@testable import Renderer

@Suite struct PresenceKindsTests {
  private static let kind = ConfigurationKind<[PresenceSettings.Person]>.people

  private static func node(_ text: String) -> ConfigurationNode? { TOMLDocument("people = \(text)").root["people"] }

  @Test func readsAndWritesPeople() throws {
    let text = """
      [{ name = "Ann", device = "00:00:5e-00:53:01" }, \
      { name = "Bob", ibeacon = "318FDEAA-64DD-4448-88B4-2CD462CF68BE", rssi = -70 }, \
      { name = "Cid", ibeacon = "318FDEAA-64DD-4448-88B4-2CD462CF68BE", major = 1, minor = 65535 }, \
      { name = "Dan", ibeacon = "318FDEAA-64DD-4448-88B4-2CD462CF68BE", major = 1 }]
      """
    let people = try Self.kind.read(#require(Self.node(text)))
    let uuid = try #require(ProximityUUID("318fdeaa-64dd-4448-88b4-2cd462cf68be"))
    #expect(
      people == [
        .init(name: "Ann", device: .address("00:00:5E:00:53:01")),
        .init(name: "Bob", device: .beacon(.init(uuid: uuid)), threshold: -70),
        .init(name: "Cid", device: .beacon(.init(uuid: uuid, major: 1, minor: 65535))),
        .init(name: "Dan", device: .beacon(.init(uuid: uuid, major: 1))),
      ])
    let written = Self.kind.write(people)
    #expect(try Self.kind.read(#require(Self.node(written))) == people)
    #expect(written.hasPrefix(#"[{ name = "Ann", device = "00:00:5E:00:53:01" }"#))
  }

  @Test(arguments: [
    (#"[{ name = "Ann" }]"#, "Set device or ibeacon, so that Swiftlet can recognise the person."),
    (#"[{ device = "00:00:5E:00:53:01" }]"#, "The key is missing."),
    (
      #"[{ name = "Ann", device = "00:00:5E:00:53" }]"#,
      "“00:00:5E:00:53” is not a Bluetooth address such as 00:00:5E:00:53:01."
    ),
    (
      #"[{ name = "Ann", device = "00:00:5E:00:53:01", ibeacon = "318fdeaa-64dd-4448-88b4-2cd462cf68be" }]"#,
      "A person can have only one of device and ibeacon."
    ),
    (
      #"[{ name = "Ann", device = "00:00:5E:00:53:01", rssi = 10 }]"#, "10 is not a whole number from -120 to -20."
    ),
    (
      #"[{ name = "A", device = "00:00:5E:00:53:01" }, { name = "A", device = "00:00:5E:00:53:02" }]"#,
      "Two people are called “A”."
    ),
    (
      #"[{ name = "A", device = "00:00:5E:00:53:01" }, { name = "B", device = "00:00:5e:00:53:01" }]"#,
      "“A” and “B” have the same device."
    ),
    (#"[{ name = "Ann", device = "00:00:5E:00:53:01", major = 1 }]"#, "Only an ibeacon has it."),
    (#"[{ name = "Ann", ibeacon = "318fdeaa-64dd-4448-88b4-2cd462cf68be", minor = 1 }]"#, "It needs major."),
    (
      #"[{ name = "Ann", ibeacon = "318fdeaa-64dd-4448-88b4-2cd462cf68be", major = 65536 }]"#,
      "65536 is not a whole number from 0 to 65535."
    ),
    (
      #"["Ann"]"#,
      "“Ann” is not a table: the value is a list of tables, each with name, device or ibeacon, and perhaps major, minor and rssi."
    ),
    (
      #"{ name = "Ann" }"#,
      "One table is not a list of tables, each with name, device or ibeacon, and perhaps major, minor and rssi: write its header in "
        + "double brackets, [[…]]."
    ),
  ])
  func namesMistakes(_ text: String, _ sentence: String) throws {
    let node = try #require(Self.node(text))
    let error = #expect(throws: ValueProblem.self) { try Self.kind.read(node) }
    #expect(error?.reasons.map(\.sentence) == [sentence])
  }

  @Test func resumeIsAnActionOnReturnOnly() throws {
    let kind = ConfigurationKind<PresenceAction>.presenceAction
    #expect(try kind.read(#require(Self.node(#""resume""#))) == .resume)
    #expect(try kind.read(ConfigurationNode(value: .plain("resume"))) == .resume)
    #expect(try kind.read(#require(Self.node(#""standby off""#))) == .action(.command(.standby(false))))
    #expect(kind.write(.resume) == #""resume""#)
    let node = try #require(Self.node(#""resume""#))
    #expect(throws: ValueProblem.self) { try ConfigurationKind<CompanionAction>.action.read(node) }
  }

  @Test func settingsFollowTheConfiguration() {
    var configuration = Configuration()
    #expect(CompanionSettings(configuration).isEmpty)
    configuration.presenceThreshold = -70
    configuration.beaconPower = -50
    // These two keys alone switch nothing on.
    #expect(CompanionSettings(configuration).isEmpty)
    configuration.presencePeople = [.init(name: "Ann", device: .address("00:00:5E:00:53:01"))]
    configuration.beacon = true
    let settings = CompanionSettings(configuration)
    #expect(settings.presence?.threshold == -70 && settings.presence?.people.count == 1)
    #expect(settings.beacon?.power == -50)
  }
}
