import Testing

@testable import Conformance
@testable import ControlPoint

/// Merges events into a state, and compares it with the results of getters.
@Suite struct EventOracleTests {
  private static func variable(_ name: String, _ type: String, isEvented: Bool = true) -> ServiceDescription.Variable {
    .init(
      name: name, dataType: type, isEvented: isEvented, defaultValue: nil, allowedValues: [], range: nil)
  }

  private static let scpd = ServiceDescription(
    actions: [],
    variables: [
      variable("Volume", "ui4"), variable("Mute", "boolean"), variable("IdArray", "bin.base64"),
      variable("Uri", "string"), variable("State", "string", isEvented: false),
      variable("LastChange", "string"),
    ], deviations: [])

  private static func name(_ text: String) -> VariableName { VariableName(service: "S", name: text) }

  private static func disagreements(_ events: [[EventedVariable]], _ readings: [String: String]) -> [String] {
    var oracle = EventOracle([("S", scpd)])
    for event in events { oracle.receive(event, from: "S") }
    return oracle.disagreements(with: VariableValues(uniqueKeysWithValues: readings.map { (name($0), $1) }))
  }

  @Test(arguments: [
    (["Volume": "5"], []), (["Volume": "05"], []), (["Volume": "6"], [#"S.Volume "5" instead of "6""#]),
    (["Mute": "true"], []), (["Mute": "1"], []), (["Mute": "0"], [#"S.Mute "true" instead of "0""#]),
    (["IdArray": "AAAA AQ=="], []), (["IdArray": "AAAAAg=="], [#"S.IdArray "AAAAAQ==" instead of "AAAAAg==""#]),
    // Texts are compared byte for byte.
    (["Uri": " "], [#"S.Uri "" instead of " ""#]),
    // A variable in LastChange may be missing from it; one that is evented by itself may not.
    (["State": "Stopped"], []), (["LastChange": "x"], []),
    // Without a getter there is nothing to compare.
    ([:], []),
  ])
  func comparesByType(readings: [String: String], expected: [String]) {
    let event = [
      EventedVariable("Volume", "5"), EventedVariable("Mute", "true"), EventedVariable("IdArray", "AAAAAQ=="),
      EventedVariable("Uri", ""),
    ]
    #expect(Self.disagreements([event], readings) == expected)
  }

  @Test func aVariableThatIsNeverEventedIsReported() {
    #expect(Self.disagreements([], ["Volume": "5", "Mute": "0"]) == ["no S.Mute", "no S.Volume"])
  }

  @Test func laterEventsReplaceOnlyTheirVariables() {
    let events = [
      [EventedVariable("Volume", channel: "Master", "5"), EventedVariable("Mute", "0")],
      [EventedVariable("Volume", "7"), EventedVariable("Volume", channel: "LF", "3")],
    ]
    #expect(Self.disagreements(events, ["Volume": "7", "Mute": "0"]).isEmpty)
  }

  @Test func changesAreReadingsWithAnotherValue() {
    let oracle = EventOracle([("S", Self.scpd)])
    let old = [Self.name("Mute"): "0", Self.name("Volume"): "5"]
    let new = [Self.name("Mute"): "false", Self.name("Volume"): "6", Self.name("Uri"): "x"]
    #expect(oracle.changes(from: old, to: new) == [Self.name("Volume")])
  }

  @Test func aMarkForgetsWhichVariablesWereEvented() {
    var oracle = EventOracle([("S", Self.scpd)])
    oracle.receive([EventedVariable("Volume", "5")], from: "S")
    oracle.mark()
    oracle.receive([EventedVariable("Mute", "0")], from: "S")
    #expect(oracle.recent == [Self.name("Mute")])
    #expect(oracle.evented.count == 2)
  }
}
