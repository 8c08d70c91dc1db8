import Testing

@testable import ServiceXML

/// The descriptions in service-xml follow the rules of `DescriptionRules`.
struct DescriptionTests {
  @Test(arguments: ServiceFile.complete)
  func completeDescriptionsAreValid(file: ServiceFile) throws {
    let service = try file.read()
    #expect(try DescriptionRules.violations(service) == [])
    #expect(!service.actions.isEmpty)
  }

  @Test(arguments: ServiceFile.hosted)
  func hostedDescriptionsArePartsOfTheCompleteOnes(file: ServiceFile) throws {
    let hosted = try file.read()
    #expect(try DescriptionRules.violations(hosted) == [])
    let complete = try ServiceFile(set: "complete", domain: file.domain, name: file.name).read()
    #expect(DescriptionRules.differences(hosted: hosted, complete: complete) == [])
  }

  /// Each version of a service adds to the one before (UDA 1.1 §2.7).
  @Test(arguments: ServiceFile.complete)
  func olderVersionsArePartsOfNewerOnes(file: ServiceFile) throws {
    let newer = try file.read()
    let older = ServiceFile(set: "complete", domain: file.domain, name: "\(newer.name)\(newer.version - 1)")
    guard ServiceFile.complete.contains(where: { $0.path == older.path }) else { return }
    #expect(DescriptionRules.differences(hosted: try older.read(), complete: newer) == Self.exceptions[file.name] ?? [])
  }

  /// Published services that break this rule.
  private static let exceptions = ["Product4": ["other arguments of Product"]]

  @Test func everyHostedServiceIsSelected() throws {
    let selection = try Selection(reading: ServiceFile.text("Sources/Providers/service-xml.txt"))
    #expect(Set(selection.entries.map(\.path)) == Set(ServiceFile.hosted.map(\.path)))
  }

  @Test func everyCompleteServiceHasAClient() throws {
    let selection = try Selection(reading: ServiceFile.text("Sources/ControlPoint/service-xml.txt"))
    #expect(selection.entries.allSatisfy { $0.kind == .client })
    #expect(Set(selection.entries.map(\.path)) == Set(ServiceFile.complete.map(\.path)))
  }

  @Test(arguments: ["hosted", "complete"])
  func rulesBelongToADescription(set: String) {
    let described = ServiceFile.all(in: set, ending: ".xml").map(\.path)
    #expect(!described.isEmpty)
    #expect(ServiceFile.all(in: set, ending: ".rules").map(\.path).filter { !described.contains($0) } == [])
  }

  @Test func theReadmeNamesTheSourceOfEveryCompleteDescription() throws {
    let rows = try ServiceFile.text("service-xml/README.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
    let missing = ServiceFile.complete.filter { file in !rows.contains { $0.contains("`\(file.name)`") } }
    #expect(missing.map(\.path) == [])
  }

  // MARK: The rules themselves

  private func read(_ actions: String, _ variables: String) throws -> Service {
    try ServiceReader.read(
      scpd: SCPD.document(actions: actions, variables: variables), rules: "", fileName: "Test1", domain: "example-com")
  }

  private static let a = SCPD.variable("A")
  private static let level = SCPD.variable("Level", "ui1", range: ("0", "100"))

  @Test(arguments: [
    (SCPD.action("X", "in P: A"), a, []),
    ("", SCPD.variable("A", evented: "yes"), []),
    (SCPD.action("X", "in P: A"), a + level, ["Level is neither used nor evented"]),
    (SCPD.action("X", "in P: A", "out Q: A").replacing("<direction>out", with: "<retval/><direction>out"), a, []),
    (
      SCPD.action("X", "in P: A", "out Q: A").replacing("<direction>in", with: "<retval/><direction>in"), a,
      ["X has <retval/> elsewhere than on its first result"]
    ),
    (
      SCPD.action("X", "out P: A", "out Q: A").replacing("<direction>", with: "<retval/><direction>"), a,
      ["X has <retval/> elsewhere than on its first result"]
    ),
  ])
  func violations(actions: String, variables: String, expected: [String]) throws {
    #expect(try DescriptionRules.violations(read(actions, variables)) == expected)
  }

  private static let complete = (
    actions: SCPD.action("X", "in P: A", "in Q: Level", "out R: A") + SCPD.action("Y", "out P: Mode"),
    variables: a + level + SCPD.variable("Mode", values: ["on", "off"])
  )

  @Test(arguments: [
    (complete.actions, complete.variables, []),
    (SCPD.action("Y", "out P: Mode"), SCPD.variable("Mode", values: ["on"]), []),
    ("", SCPD.variable("Level", "ui1", range: ("1", "99")), []),
    ("", SCPD.variable("A", values: ["x"]), []),
    (SCPD.action("Z", "in P: A"), a, ["no action Z"]),
    (SCPD.action("X", "in Q: Level", "in P: A", "out R: A"), a + level, ["other arguments of X"]),
    (SCPD.action("X", "in P: A", "in Q: Level", "in R: A"), a + level, ["other arguments of X"]),
    (SCPD.action("X", "in P: A", "in Q: Level"), a + level, ["other arguments of X"]),
    (SCPD.action("X", "in P: A", "in S: Level", "out R: A"), a + level, ["other arguments of X"]),
    (
      SCPD.action("X", "in P: A", "in Q: Level", "out R: A"), a + SCPD.variable("Level", "i1", range: ("0", "9")),
      ["other arguments of X", "other type of Level"]
    ),
    ("", SCPD.variable("B"), ["no variable B"]),
    ("", SCPD.variable("A", evented: "yes"), ["other events of A"]),
    ("", SCPD.variable("Mode", values: ["on", "auto"]), ["more values of Mode"]),
    ("", SCPD.variable("Mode"), ["more values of Mode"]),
    ("", SCPD.variable("Level", "ui1", range: ("0", "101")), ["larger range of Level"]),
    ("", SCPD.variable("Level", "ui1"), ["larger range of Level"]),
  ])
  func differences(actions: String, variables: String, expected: [String]) throws {
    let complete = try read(Self.complete.actions, Self.complete.variables)
    #expect(DescriptionRules.differences(hosted: try read(actions, variables), complete: complete) == expected)
  }
}
