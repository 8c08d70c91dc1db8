import Testing

@testable import ServiceXML

/// The essential parts of the emitted code. The services in Tests/DeviceStackTests/service-xml show that it compiles
/// and works.
struct EmitterTests {
  private func emit(actions: String = "", variables: String, rules: String = "") throws -> String {
    let scpd = SCPD.document(actions: actions, variables: variables)
    return try Emitter.emit(
      try ServiceReader.read(scpd: scpd, rules: rules, fileName: "Test2", domain: "example-com"))
  }

  private func contains(_ text: String, _ part: String) -> Bool { text.containsLines(part) }

  @Test func serviceDefinition() throws {
    let text = try emit(variables: SCPD.variable("A"), rules: "moderation 300")
    #expect(
      contains(
        text,
        """
        public enum Test2: ServiceDefinition {
        public static let serviceType = URN(
        domain: "example-com", kind: .service, name: "Test", version: 2)
        public static let serviceID = "urn:example-com:serviceId:Test"
        public static let moderation = Moderation(.milliseconds(300))
        """))
    #expect(!text.contains("Variables"))
  }

  @Test func moderationPerVariable() throws {
    let text = try emit(
      variables: SCPD.variable("A", evented: "yes") + SCPD.variable("B", evented: "yes"),
      rules: "moderation 1\nmoderation 30 B A\nurgent B x y")
    let variables = #"["A": .milliseconds(30), "B": .milliseconds(30)]"#
    let moderation = #"Moderation(.milliseconds(1), variables: \#(variables), urgent: ["B": ["x", "y"]])"#
    #expect(contains(text, "public static let moderation = \(moderation)"))
  }

  @Test func pathsBecomeURLs() throws {
    let text = try emit(
      actions: SCPD.action("Get", "out Url: A", "out Name: B"),
      variables: SCPD.variable("A", evented: "yes") + SCPD.variable("B", evented: "yes"), rules: "served A")
    #expect(contains(text, #"return [ActionResult("Url", path: output.url), ActionResult("Name", output.name)]"#))
    #expect(contains(text, #"], served: ["A"])"#))
  }

  @Test func scpdIsEmbeddedByteForByte() throws {
    let scpd = SCPD.document(variables: SCPD.variable("A"))
    #expect(try emit(variables: SCPD.variable("A")).contains("= #\"\"\"\n\(scpd)\n\"\"\"#\n"))
  }

  @Test func actionIsCheckedAndDispatched() throws {
    let text = try emit(
      actions: SCPD.action(
        "SetLevel", "in InstanceID: ID", "in Channel: A_ARG_TYPE_Channel", "in Wanted: Level", "out Was: Level"),
      variables: SCPD.variable("ID", "ui4") + SCPD.variable("A_ARG_TYPE_Channel", values: ["Master", "LF"])
        + SCPD.variable("Level", "ui2", range: ("0", "100")),
      rules: "instance InstanceID 702 No \"x\"\nfault *.Channel 703 Other")
    #expect(contains(text, "func setLevel(_ input: SetLevelInput) throws(ActionFault) -> SetLevelOutput"))
    #expect(
      contains(
        text,
        """
        public enum Channel: String, AllowedValue {
        case master = "Master"
        case lf = "LF"
        }
        """))
    #expect(
      contains(
        text,
        #"""
        case "SetLevel":
        try arguments.expect(["InstanceID": UInt32.self, "Channel": Channel.self, "Wanted": UInt16.self])
        try arguments.checkInstance("InstanceID", fault: ActionFault(702, "No \"x\""))
        let output = try provider.setLevel(SetLevelInput(channel: try arguments.value("Channel", fault: ActionFault(703, "Other")), wanted: try arguments.value("Wanted", in: 0...100)))
        return [ActionResult("Was", output.was)]
        """#))
  }

  @Test func actionAnsweredLater() throws {
    let text = try emit(
      actions: SCPD.action("Ask", "in What: A", "out Answer: A") + SCPD.action("Wait") + SCPD.action("Other"),
      variables: SCPD.variable("A"), rules: "later Ask Wait")
    #expect(
      contains(
        text,
        """
        func ask(_ input: AskInput, _ reply: @escaping (Result<AskOutput, ActionFault>) -> Void) throws(ActionFault)
        func wait(_ reply: @escaping (Result<Void, ActionFault>) -> Void) throws(ActionFault)
        func other() throws(ActionFault)
        """))
    #expect(
      contains(
        text,
        """
        case "Ask":
        try arguments.expect(["What": String.self])
        try provider.ask(AskInput(what: try arguments.value("What"))) { result in
        reply(result.map { output in [ActionResult("Answer", output.answer)] })
        }
        case "Wait":
        try provider.wait() { result in
        reply(result.map { [] })
        }
        default: return false
        """))
    #expect(
      contains(
        text,
        """
        switch action {
        case "Other":
        try provider.other()
        return []
        default: throw .invalidAction
        """))
  }

  @Test func nestedXMLResult() throws {
    let text = try emit(
      actions: SCPD.action("Read", "in Ids: A", "out List: B"), variables: SCPD.variable("A") + SCPD.variable("B"),
      rules: "nested B")
    #expect(contains(text, "public var list: NestedXML\n\npublic init(list: NestedXML) {"))
    #expect(contains(text, "return [ActionResult(\"List\", output.list)]"))
    #expect(contains(text, "public var ids: String"))
  }

  @Test func actionWithoutArguments() throws {
    let text = try emit(actions: SCPD.action("Repeat"), variables: SCPD.variable("A"))
    #expect(contains(text, "func `repeat`() throws(ActionFault)"))
    #expect(contains(text, "case \"Repeat\":\ntry provider.`repeat`()\nreturn []"))
    #expect(!text.contains("RepeatInput"))
  }

  @Test(arguments: [
    (SCPD.variable("A", values: ["A-B", "A_B"]), "", "two allowed values of A have the name aB in Swift"),
    (
      SCPD.variable("Mode", values: ["a"]) + SCPD.variable("A_ARG_TYPE_Mode", values: ["a"]), "",
      "two types have the name Mode in Swift"
    ),
    (SCPD.variable("Provider", values: ["a"]), "", "two types have the name Provider in Swift"),
    (SCPD.variable("Values", values: ["a"]), "", "two types have the name Values in Swift"),
    (
      SCPD.variable("AB", evented: "yes") + SCPD.variable("ab", evented: "yes"), "",
      "two evented variables have the name ab in Swift"
    ),
    (SCPD.variable("XInput", values: ["a"]), SCPD.action("X"), "two types have the name XInput in Swift"),
    (SCPD.variable("A"), SCPD.action("X", "in ID: A", "in Id: A"), "two inputs of X have the name id in Swift"),
    (SCPD.variable("A"), SCPD.action("Set") + SCPD.action("SET"), "two actions have the name set in Swift"),
  ])
  func collidingSwiftNamesAreRefused(variables: String, actions: String, message: String) {
    #expect(throws: ServiceXMLError(message)) { try emit(actions: actions, variables: variables) }
  }

  @Test(arguments: [
    ("", "LastChange is evented, but the rule lastChange with its namespace is missing"),
    ("lastChange urn:x", "with the rule lastChange, LastChange must be the only evented variable"),
  ])
  func lastChangeAndPropertiesTogetherAreRefused(rules: String, message: String) {
    let variables = ["LastChange", "B"].map { SCPD.variable($0, evented: "yes") }.joined()
    #expect(throws: ServiceXMLError(message, in: .rules)) { try emit(variables: variables, rules: rules) }
  }
}
