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

  @Test func lastChangeCarriesStateVariables() throws {
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
    (SCPD.action("X", "in P: B"), a, "", "X.P refers to the unknown variable B"),
    (SCPD.action("X", "out P: A", "in Q: A"), a, "", "the input X.Q comes after an output"),
    (SCPD.action("X", "by P: A"), a, "", "X.P has the unknown direction by"),
    (SCPD.action("X", "in P: A", "out P: A"), a, "", "the argument X.P occurs twice"),
    (SCPD.action("X") + SCPD.action("X"), a, "", "the action X occurs twice"),
    (SCPD.action("X-Y"), a, "", "the name X-Y is not a word of letters, digits and _"),
    (SCPD.action("1X"), a, "", "the name 1X is not a word of letters, digits and _"),
    ("<action></action>", a, "", "<action> has no <name>"),
    ("", a + a, "", "the state variable A occurs twice"),
    ("", SCPD.variable("A", "float"), "", "A has the unknown type float"),
    ("", SCPD.variable("A", evented: "maybe"), "", "A needs sendEvents=\"yes\" or \"no\""),
    (
      "", "<stateVariable><name>A</name><dataType>string</dataType></stateVariable>", "",
      "A needs sendEvents=\"yes\" or \"no\""
    ),
    ("", SCPD.variable("A", "ui4", values: ["1"]), "", "A has allowed values but is not a string"),
    ("", SCPD.variable("A", values: ["x", "y", "x"]), "", "A allows x twice"),
    ("", SCPD.variable("A", values: ["x"], initial: "z"), "", defaultValueProblem("string")),
    ("", SCPD.variable("A", "ui1", initial: "many"), "", defaultValueProblem("ui1")),
    ("", SCPD.variable("A", "ui1", initial: "256"), "", defaultValueProblem("ui1")),
    ("", SCPD.variable("A", "i4", range: ("0", "1"), initial: "2"), "", defaultValueProblem("i4")),
    ("", SCPD.variable("A", "boolean", initial: "on"), "", defaultValueProblem("boolean")),
    ("", SCPD.variable("A", "bin.base64", initial: "AA=="), "", defaultValueProblem("bin.base64")),
    ("", SCPD.variable("A", range: ("0", "1")), "", "A has a range but is not an integer"),
    ("", SCPD.variable("A", "ui1", range: ("0", "256")), "", "the range of A exceeds ui1"),
    ("", SCPD.variable("A", "ui4", range: ("-1", "1")), "", "the range of A exceeds ui4"),
    ("", SCPD.variable("A", "i4", range: ("2", "1")), "", "the range of A is invalid"),
    ("", SCPD.variable("A", "i4", range: ("0", "many")), "", "the range of A is invalid"),
    (
      "", SCPD.variable("A_ARG_TYPE_B", evented: "yes"), "",
      "A_ARG_TYPE_B declares an argument type and cannot be evented"
    ),
  ])
  func reportsProblemsOfSCPD(actions: String, variables: String, rules: String, message: String) {
    #expect(throws: ServiceXMLError(message, line: actions.isEmpty ? 3 : 2)) {
      try read(SCPD.document(actions: actions, variables: variables), rules: rules)
    }
  }

  @Test(arguments: [
    (a, "instance InstanceID 718 No", "no action has the input InstanceID of the rule instance"),
    (a, "later Play", "there is no action Play for the rule later"),
    (a, "nested Play", "Play is not a string variable used for results only"),
    (a, "nested A", "A is not a string variable used for results only"),
    (a, "fault X.Q 700 No", "there is no input X.Q for fault 700"),
    (a, "fault Y.P 700 No", "there is no input Y.P for fault 700"),
    (a, "fault *.Q 700 No", "there is no input *.Q for fault 700"),
    (a, "fault X.R 700 No", "there is no input X.R for fault 700"),
    (a, "lastChange urn:x", "the rule lastChange needs the evented variable LastChange"),
    (a + SCPD.variable("LastChange"), "lastChange urn:x", "the rule lastChange needs the evented variable LastChange"),
    (a, "unevented A", "the rule unevented needs the rule lastChange"),
    (a + evented, "lastChange urn:x\nunevented B", "there is no state variable B for the rule unevented"),
  ])
  func reportsProblemsOfRules(variables: String, rules: String, message: String) {
    #expect(throws: ServiceXMLError(message, in: .rules)) {
      try read(SCPD.document(actions: SCPD.action("X", "in P: A", "out R: A"), variables: variables), rules: rules)
    }
  }

  @Test(
    arguments: [
      ("Test", SCPD.document(), "the file name is not the name and version of a service", nil),
      ("1", SCPD.document(), "the file name is not the name and version of a service", nil),
      ("Test0", SCPD.document(), "the file name is not the name and version of a service", nil),
      ("Test1", "<scpd/>\n", "the root element is not <scpd> of urn:schemas-upnp-org:service-1-0", 1),
      (
        "Test1", "\n<root xmlns=\"urn:schemas-upnp-org:service-1-0\"/>\n",
        "the root element is not <scpd> of urn:schemas-upnp-org:service-1-0", 2
      ),
      ("Test1", String(SCPD.document().dropLast()), "the line end at the end of the file is missing", nil),
      // CR and LF together are one Character.
      (
        "Test1", SCPD.document().replacing("\n", with: "\r\n"),
        "there are carriage returns, which the embedded text would lose",
        nil
      ),
      (
        "Test1", SCPD.document().replacing("\n", with: "\r"),
        "there are carriage returns, which the embedded text would lose", nil
      ),
      (
        "Test1", SCPD.document(variables: (0...64).map { SCPD.variable("V\($0)", evented: "yes") }.joined()),
        "65 evented variables, more than the maximum of 64", nil
      ),
    ] as [(String, String, String, Int?)])
  func reportsProblemsOfFile(name: String, scpd: String, message: String, line: Int?) {
    #expect(throws: ServiceXMLError(message, line: line)) { try read(scpd, name: name) }
  }

  @Test func errorReportHasFileAndLine() {
    #expect(ServiceXMLError("no", line: 3).report(at: "/x/A1") == "/x/A1.xml:3: error: no")
    #expect(ServiceXMLError("no", in: .rules).report(at: "/x/A1") == "/x/A1.rules: error: no")
  }
}
