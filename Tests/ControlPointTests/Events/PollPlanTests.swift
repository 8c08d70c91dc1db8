import Testing

@testable import ControlPoint

@Suite struct PollPlanTests {
  private typealias Getter = (name: String, inputs: [String], outputs: [String])

  private static func scpd(evented: [String], silent: [String] = [], _ actions: [Getter]) -> ServiceDescription {
    func variable(_ name: String, _ isEvented: Bool) -> ServiceDescription.Variable {
      .init(name: name, dataType: "string", isEvented: isEvented, defaultValue: nil, allowedValues: [], range: nil)
    }
    return ServiceDescription(
      actions: actions.map { action in
        .init(
          name: action.name,
          arguments: action.inputs.map { .init(name: $0, isInput: true, variable: "A_ARG_TYPE_\($0)") }
            + action.outputs.map { .init(name: "Current\($0)", isInput: false, variable: $0) })
      },
      variables: evented.map { variable($0, true) } + silent.map { variable($0, false) }, deviations: [])
  }

  private static func plan(_ scpd: ServiceDescription) -> [String] {
    PollPlan(scpd).calls.map { call in
      let inputs = call.inputs.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
      let outputs = call.outputs.map { "\($0.name):\($0.variable)\($0.channel.map { "[\($0)]" } ?? "")" }
      return "\(call.action)(\(inputs)) \(outputs.joined(separator: " "))"
    }
  }

  @Test func callsTheFewestGetters() {
    let scpd = Self.scpd(
      evented: ["Id", "IdArray", "Mode"],
      [("Id", [], ["Id"]), ("All", [], ["Id", "IdArray"]), ("Mode", [], ["Mode"]), ("Reset", [], ["Mode"])])
    #expect(Self.plan(scpd) == ["All() CurrentId:Id CurrentIdArray:IdArray", "Mode() CurrentMode:Mode"])
  }

  @Test func pollsWhatLastChangeContains() {
    let scpd = Self.scpd(
      evented: ["LastChange"], silent: ["Volume", "Mute", "A_ARG_TYPE_Channel", "RelativeTimePosition"],
      [
        ("GetVolume", ["InstanceID", "Channel"], ["Volume"]), ("GetMute", ["InstanceID", "Channel"], ["Mute"]),
        ("GetPositionInfo", ["InstanceID"], ["RelativeTimePosition"]),
      ])
    #expect(
      Self.plan(scpd) == [
        "GetVolume(InstanceID=0,Channel=Master) CurrentVolume:Volume[Master]",
        "GetMute(InstanceID=0,Channel=Master) CurrentMute:Mute[Master]",
      ])
  }

  @Test(arguments: [
    ("SetMode", [], "Mode"), ("Next", [], "Mode"), ("GetMode", ["Key"], "Mode"), ("GetOther", [], "Other"),
  ])
  func callsNothingThatMayChangeSomethingOrNeedsArguments(name: String, inputs: [String], output: String) {
    #expect(Self.plan(Self.scpd(evented: ["Mode"], silent: ["Other"], [(name, inputs, [output])])) == [])
  }

  @Test func callsAnActionWhoseNameOnlyBeginsLikeAVerb() {
    #expect(Self.plan(Self.scpd(evented: ["Settings"], [("Settings", [], ["Settings"])])).count == 1)
  }

  @Test func boundsTheNumberOfCalls() {
    let names = (0..<100).map { "V\($0)" }
    let scpd = Self.scpd(evented: names, names.map { ("Get\($0)", [], [$0]) })
    #expect(Self.plan(scpd).count == PollPlan.maximumCalls)
  }
}
