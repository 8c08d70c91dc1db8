import Testing

@testable import ServiceXML

struct ServiceReaderTests {
  private func read(
    _ scpd: String, rules: String = "", name: String = "Test1", domain: String = "example-com"
  ) throws(ServiceXMLError) -> Service {
    try ServiceReader.read(scpd: scpd, rules: rules, fileName: name, domain: domain)
  }

  @Test func readsAService() throws {
    let scpd = SCPD.document(
      actions: SCPD.action("Set", "in Channel: A_ARG_TYPE_Channel", "in Wanted: Level")
        + SCPD.action("Get", "out Is: Mode"),
      variables: SCPD.variable("Level", "ui2", range: ("0", "100"))
        + SCPD.variable("Mode", evented: "yes", values: ["A", "B"], initial: "B")
        + SCPD.variable("A_ARG_TYPE_Channel", values: ["Master"]))
    let service = try read(scpd, rules: "fault *.Channel 703 No", name: "Dimming12", domain: "schemas-upnp-org")
    #expect(service.name == "Dimming")
    #expect(service.version == 12)
    #expect(service.typeName == "Dimming12")
    #expect(service.serviceID == "urn:upnp-org:serviceId:Dimming")
    #expect(service.source == scpd)
    #expect(service.variables.map(\.name) == ["Level", "Mode", "A_ARG_TYPE_Channel"])
    #expect(service.variables[0].range == 0...100)
    #expect(service.variables[1].allowedValues == ["A", "B"])
    #expect(service.variables.map(\.defaultValue) == [nil, "B", nil])
    #expect(service.actions.map(\.name) == ["Set", "Get"])
    #expect(service.actions[0].inputs.map(\.name) == ["Channel", "Wanted"])
    #expect(service.actions[0].inputs[0].fault == .init(code: 703, name: "No"))
    #expect(service.actions[0].inputs[1].fault == nil)
    #expect(service.actions[1].outputs.map(\.variable.name) == ["Mode"])
    #expect(service.eventedVariables.map(\.name) == ["Mode"])
    #expect(service.channels(of: service.variables[0]) == ["Master"])
    #expect(service.channels(of: service.variables[1]) == nil)
  }

  @Test func lastChangeCarriesWhatIsStateAndHasNoEventsOfItsOwn() throws {
    let variables = ["A", "B", "A_ARG_TYPE_C"].map { SCPD.variable($0) }.joined()
    let service = try read(
      SCPD.document(variables: variables + SCPD.variable("LastChange", evented: "yes")),
      rules: "lastChange urn:x\nunevented B")
    #expect(service.eventedVariables.map(\.name) == ["A"])
    #expect(service.serviceID == "urn:example-com:serviceId:Test")
  }

  private static func defaultValueProblem(_ type: String) -> String {
    "the default value of A is not a valid \(type), not in its range or not allowed"
  }

  private static let a = SCPD.variable("A")
  private static let evented = SCPD.variable("LastChange", evented: "yes")

  @Test(arguments: [
    (SCPD.action("X", "in P: B"), a, "", "X.P is of the undeclared B"),
    (SCPD.action("X", "out P: A", "in Q: A"), a, "", "X.Q goes in and comes after what goes out"),
    (SCPD.action("X", "by P: A"), a, "", "X.P has the direction by"),
    (SCPD.action("X", "in P: A", "out P: A"), a, "", "the argument X.P stands twice"),
    (SCPD.action("X") + SCPD.action("X"), a, "", "the action X stands twice"),
    (SCPD.action("X-Y"), a, "", "the name X-Y is no word of letters and digits"),
    (SCPD.action("1X"), a, "", "the name 1X is no word of letters and digits"),
    ("<action></action>", a, "", "<action> has no <name>"),
    ("", a + a, "", "the state variable A stands twice"),
    ("", SCPD.variable("A", "float"), "", "A has the unknown type float"),
    ("", SCPD.variable("A", evented: "maybe"), "", "A does not say whether it is evented"),
    (
      "", "<stateVariable><name>A</name><dataType>string</dataType></stateVariable>", "",
      "A does not say whether it is evented"
    ),
    ("", SCPD.variable("A", "ui4", values: ["1"]), "", "A has allowed values and is no string"),
    ("", SCPD.variable("A", values: ["x", "y", "x"]), "", "A allows x twice"),
    ("", SCPD.variable("A", values: ["x"], initial: "z"), "", defaultValueProblem("string")),
    ("", SCPD.variable("A", "ui1", initial: "many"), "", defaultValueProblem("ui1")),
    ("", SCPD.variable("A", "ui1", initial: "256"), "", defaultValueProblem("ui1")),
    ("", SCPD.variable("A", "i4", range: ("0", "1"), initial: "2"), "", defaultValueProblem("i4")),
    ("", SCPD.variable("A", "boolean", initial: "on"), "", defaultValueProblem("boolean")),
    ("", SCPD.variable("A", "bin.base64", initial: "AA=="), "", defaultValueProblem("bin.base64")),
    ("", SCPD.variable("A", range: ("0", "1")), "", "A has a range and is no integer"),
    ("", SCPD.variable("A", "ui1", range: ("0", "256")), "", "the range of A goes beyond ui1"),
    ("", SCPD.variable("A", "ui4", range: ("-1", "1")), "", "the range of A goes beyond ui4"),
    ("", SCPD.variable("A", "i4", range: ("2", "1")), "", "the range of A is none"),
    ("", SCPD.variable("A", "i4", range: ("0", "many")), "", "the range of A is none"),
    ("", SCPD.variable("A_ARG_TYPE_B", evented: "yes"), "", "A_ARG_TYPE_B is only a type and never evented"),
  ])
  func saysWhatIsWrongInTheDescription(actions: String, variables: String, rules: String, message: String) {
    #expect(throws: ServiceXMLError(message, line: actions.isEmpty ? 3 : 2)) {
      try read(SCPD.document(actions: actions, variables: variables), rules: rules)
    }
  }

  @Test(arguments: [
    (a, "instance InstanceID 718 No", "no action takes the instance InstanceID"),
    (a, "later Play", "no action Play to be answered later"),
    (a, "nested Play", "Play is no text that is a result and nothing else"),
    (a, "nested A", "A is no text that is a result and nothing else"),
    (a, "fault X.Q 700 No", "no input X.Q for fault 700"),
    (a, "fault Y.P 700 No", "no input Y.P for fault 700"),
    (a, "fault *.Q 700 No", "no input *.Q for fault 700"),
    (a, "fault X.R 700 No", "no input X.R for fault 700"),
    (a, "lastChange urn:x", "beside lastChange the SCPD has to event LastChange and nothing else"),
    (
      a + evented + SCPD.variable("B", evented: "yes"), "lastChange urn:x",
      "beside lastChange the SCPD has to event LastChange and nothing else"
    ),
    (a + evented, "", "LastChange is evented and there is no rule lastChange with its namespace"),
    (a, "unevented A", "A is to stay out of LastChange, which there is none of"),
    (a + evented, "lastChange urn:x\nunevented B", "no state variable B to leave out of LastChange"),
  ])
  func saysWhatIsWrongInTheRules(variables: String, rules: String, message: String) {
    #expect(throws: ServiceXMLError(message, in: .rules)) {
      try read(SCPD.document(actions: SCPD.action("X", "in P: A", "out R: A"), variables: variables), rules: rules)
    }
  }

  @Test(
    arguments: [
      ("Test", SCPD.document(), "the file name is not a service's name and version", nil),
      ("1", SCPD.document(), "the file name is not a service's name and version", nil),
      ("Test0", SCPD.document(), "the file name is not a service's name and version", nil),
      ("Test1", "<scpd/>\n", "no <scpd> of urn:schemas-upnp-org:service-1-0", 1),
      (
        "Test1", "\n<root xmlns=\"urn:schemas-upnp-org:service-1-0\"/>\n",
        "no <scpd> of urn:schemas-upnp-org:service-1-0", 2
      ),
      ("Test1", String(SCPD.document().dropLast()), "no line end at the end of the file", nil),
      // CR and LF together are one character, and not CR.
      (
        "Test1", SCPD.document().replacing("\n", with: "\r\n"), "carriage returns, which an embedded text would lose",
        nil
      ),
      (
        "Test1", SCPD.document().replacing("\n", with: "\r"), "carriage returns, which an embedded text would lose", nil
      ),
      (
        "Test1", SCPD.document(variables: (0...64).map { SCPD.variable("V\($0)", evented: "yes") }.joined()),
        "65 evented variables, more than the 64 that a store has room for", nil
      ),
    ] as [(String, String, String, Int?)])
  func saysWhatIsWrongWithTheFile(name: String, scpd: String, message: String, line: Int?) {
    #expect(throws: ServiceXMLError(message, line: line)) { try read(scpd, name: name) }
  }

  @Test func anErrorIsReportedAtItsPlace() {
    #expect(ServiceXMLError("no", line: 3).report(at: "/x/A1") == "/x/A1.xml:3: error: no")
    #expect(ServiceXMLError("no", in: .rules).report(at: "/x/A1") == "/x/A1.rules: error: no")
  }
}
