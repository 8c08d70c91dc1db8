import Testing

@testable import ServiceXML

/// The essential parts of the emitted clients. ControlPoint's own tests show that they compile and work.
struct ClientEmitterTests {
  private func emit(
    actions: String = "", variables: String, rules: String = "", for module: String = "ControlPoint"
  ) throws -> String {
    let service = try ServiceReader.read(
      scpd: SCPD.document(actions: actions, variables: variables), rules: rules, fileName: "Test2",
      domain: "example-com")
    return try ClientEmitter.emit(service, for: module)
  }

  @Test func definition() throws {
    let text = try emit(variables: SCPD.variable("A"))
    #expect(
      text.containsLines(
        """
        public struct Test2Client: ServiceClient {
        public static let serviceType = URN(
        domain: "example-com", kind: .service, name: "Test", version: 2)
        public let service: RemoteService
        public init(_ service: RemoteService) { self.service = service }
        """))
    #expect(!text.contains("lastChangeNamespace"))
  }

  @Test(arguments: [
    ("ControlPoint", "\nimport UPnP\n"), ("Other", "\nimport ControlPoint\nimport UPnP\n"),
  ])
  func moduleDoesNotImportItself(module: String, imports: String) throws {
    let text = try emit(variables: SCPD.variable("A"), for: module)
    #expect(text.contains(".xml; edit that file instead.\(imports)\n"))
  }

  @Test func actionWithoutResults() throws {
    let text = try emit(
      actions: SCPD.action("SetLevel", "in ID: ID", "in Repeat: Flag", "in Wanted: Level") + SCPD.action("Repeat"),
      variables: SCPD.variable("ID", "ui4") + SCPD.variable("Flag", "boolean") + SCPD.variable("Level", "i2"))
    #expect(
      text.containsLines(
        """
        /// Calls `SetLevel` of Test:2.
        public func setLevel(id: UInt32, `repeat`: Bool, wanted: Int16) async throws(ControlPointError) {
        _ = try await service.call("SetLevel", [("ID", id.upnpText), ("Repeat", `repeat`.upnpText), ("Wanted", wanted.upnpText)])
        }
        /// Calls `Repeat` of Test:2.
        public func `repeat`() async throws(ControlPointError) {
        _ = try await service.call("Repeat")
        }
        """))
  }

  @Test func inputsWithDefaults() throws {
    let text = try emit(
      actions: SCPD.action("Read", "in ID: ID", "in Mode: Mode", "in Filter: A", "in Sort: A"),
      variables: SCPD.variable("ID", "ui4") + SCPD.variable("A") + SCPD.variable("Mode", values: ["ALL", "ONE"]),
      rules: "default ID 0\ndefault Mode ONE\ndefault Filter *\ndefault Sort")
    #expect(text.contains(#"func read(id: UInt32 = 0, mode: Mode = .one, filter: String = "*", sort: String = "")"#))
  }

  @Test func singleResultIsReturnedAsItIs() throws {
    let text = try emit(
      actions: SCPD.action("GetLevel", "out Level: Level"), variables: SCPD.variable("Level", "ui2"))
    #expect(
      text.containsLines(
        """
        public func getLevel() async throws(ControlPointError) -> UInt16 {
        try await service.call("GetLevel").value("Level")
        }
        """))
    #expect(!text.contains("GetLevelOutput"))
  }

  @Test func severalResultsAreAStruct() throws {
    let text = try emit(
      actions: SCPD.action("Get_Ext", "out URI: A", "out Count: Count"),
      variables: SCPD.variable("A", "uri") + SCPD.variable("Count", "i4"), rules: "optional Count")
    #expect(
      text.containsLines(
        """
        public func getExt() async throws(ControlPointError) -> GetExtOutput {
        try GetExtOutput(await service.call("Get_Ext"))
        }
        """))
    #expect(
      text.containsLines(
        """
        public struct GetExtOutput: Sendable, Equatable {
        public var uri: String
        public var count: Int32?
        init(_ outputs: ActionOutputs) throws(ControlPointError) {
        self.uri = try outputs.value("URI")
        self.count = try outputs.optionalValue("Count")
        }
        }
        """))
  }

  @Test func enumKeepsUnknownValues() throws {
    let text = try emit(variables: SCPD.variable("A_ARG_TYPE_Mode", values: ["ABS_TIME", "in"]))
    #expect(
      text.containsLines(
        """
        public enum Mode: OpenEnum {
        case absTime
        case `in`
        /// A value that the specification does not list, as the device wrote it.
        case other(String)
        public static let specified: [Self] = [.absTime, .`in`]
        public var rawValue: String {
        switch self {
        case .absTime: "ABS_TIME"
        case .`in`: "in"
        case .other(let text): text
        }
        }
        }
        """))
  }

  @Test func valuesOfProperties() throws {
    let text = try emit(
      actions: SCPD.action("Trim", "in Channel: A", "out Is: Trim"),
      variables: SCPD.variable("A") + SCPD.variable("Trim", "i4", evented: "yes")
        + SCPD.variable("Repeat", "boolean", evented: "yes") + SCPD.variable("LastChange", evented: "yes"))
    #expect(
      text.containsLines(
        """
        public struct Values: EventedValues {
        public var trim: Int32?
        public var `repeat`: Bool?
        public var lastChange: String?
        public init() {}
        public mutating func set(_ variable: EventedVariable) -> Bool {
        switch variable.name {
        case "Trim": variable.read(into: &self.trim)
        case "Repeat": variable.read(into: &self.`repeat`)
        case "LastChange": variable.read(into: &self.lastChange)
        default: false
        }
        }
        }
        """))
  }

  @Test func valuesInAndBesideLastChange() throws {
    let text = try emit(
      actions: SCPD.action("Get", "in Channel: A_ARG_TYPE_Channel", "out Is: Volume"),
      variables: SCPD.variable("LastChange", evented: "yes") + SCPD.variable("Volume", "ui2")
        + SCPD.variable("A_ARG_TYPE_Channel") + SCPD.variable("State", evented: "yes") + SCPD.variable("Position"),
      rules: "lastChange urn:x\nunevented Position")
    #expect(text.containsLines(#"public static let lastChangeNamespace: String? = "urn:x""#))
    #expect(
      text.containsLines(
        """
        public struct Values: EventedValues {
        public var state: String?
        /// By channel, such as `Master`.
        public var volume: [String: UInt16] = [:]
        public init() {}
        """))
  }

  @Test func serviceWithoutEvents() throws {
    let text = try emit(variables: SCPD.variable("A"))
    #expect(
      text.containsLines(
        """
        public struct Values: EventedValues {
        public init() {}
        public mutating func set(_ variable: EventedVariable) -> Bool {
        false
        }
        """))
  }

  @Test(arguments: [
    (SCPD.variable("A", values: ["x", "OTHER"]), "", "two values of A, with other, have the name other in Swift"),
    (SCPD.variable("Values", values: ["x"]), "", "two types have the name Values in Swift"),
    (
      SCPD.variable("XOutput", values: ["x"]), SCPD.action("X", "out A: XOutput", "out B: XOutput"),
      "two types have the name XOutput in Swift"
    ),
    (SCPD.variable("A"), SCPD.action("Service"), "two actions have the name service in Swift"),
    (SCPD.variable("A"), SCPD.action("X", "in Service: A"), "two inputs of X have the name service in Swift"),
    (SCPD.variable("A"), SCPD.action("X", "out ID: A", "out Id: A"), "two outputs of X have the name id in Swift"),
    (
      SCPD.variable("AB", evented: "yes") + SCPD.variable("ab", evented: "yes"), "",
      "two evented variables have the name ab in Swift"
    ),
  ])
  func collidingSwiftNamesAreRefused(variables: String, actions: String, message: String) {
    #expect(throws: ServiceXMLError(message)) { try emit(actions: actions, variables: variables) }
  }

  @Test(arguments: [
    ("default B 0", "no action has the input B of the rule default"),
    ("default Level high", "the default high is no value of every input Level"),
    ("default Level 101", "the default 101 is no value of every input Level"),
    ("optional Nothing", "Nothing is not a number or boolean variable of a result"),
    ("optional Text", "Text is not a number or boolean variable of a result"),
    ("optional Level", "Level is not a number or boolean variable of a result"),
  ])
  func rulesThatApplyToNothingAreRefused(rule: String, message: String) {
    let actions = SCPD.action("X", "in Level: Level", "out Text: Text")
    let variables = SCPD.variable("Level", "ui2", range: ("0", "100")) + SCPD.variable("Text")
    #expect(throws: ServiceXMLError(message, in: .rules)) {
      try emit(actions: actions, variables: variables, rules: rule)
    }
  }
}
