import Testing

@testable import DeviceStack
@testable import UPnP

/// The code generated for a service compiles and works: types, dispatch, faults, description, evented variables.
struct GeneratedServiceTests {
  private let provider = AllTypesProvider()

  private static let good = [
    "InstanceID": "0", "InByte": "255", "InWord": "20", "InLong": "4294967295", "InSignedByte": "-100",
    "InSignedWord": "-32768", "InSignedLong": "-2147483648", "InText": " <a> ", "InFlag": "yes", "InData": "AAEC",
    "InMode": "REPEAT_ALL",
  ]

  private func invoke(_ action: String, _ arguments: [String: String]) throws(ActionFault) -> [String: String] {
    let results = try AllTypes2.invoke(action, ActionArguments(arguments.map { ($0, $1) }), on: provider)
    return Dictionary(
      uniqueKeysWithValues: results.map { result in
        if case .text(let text) = result.content { (result.name, text) } else { (result.name, "XML") }
      })
  }

  @Test func allTypesAreDecodedAndEncoded() throws {
    #expect(
      try invoke("Echo", Self.good) == [
        "OutByte": "255", "OutWord": "20", "OutLong": "4294967295", "OutSignedByte": "-100", "OutSignedWord": "-32768",
        "OutSignedLong": "-2147483648", "OutText": " <a> ", "OutFlag": "1", "OutData": "AAEC", "OutMode": "REPEAT_ALL",
      ])
  }

  @Test func resultsComeInTheirOrder() throws {
    let results = try AllTypes2.invoke("Echo", ActionArguments(Self.good.map { ($0, $1) }), on: provider)
    #expect(results.first?.name == "OutByte")
    #expect(results.last?.name == "OutMode")
    #expect(AllTypes2.Mode.allCases == [.normal, .repeatAll, .in, ._1])
  }

  /// InstanceID is checked before other arguments, and syntax before values (UDA 1.1 table 3-3).
  @Test(
    arguments: [
      (["InByte": "256"], 601), (["InByte": "-1"], 601), (["InByte": "x"], 402), (["InByte": ""], 402),
      (["InWord": "9"], 601), (["InWord": "21"], 601), (["InWord": "10"], nil), (["InSignedByte": "-101"], 601),
      (["InLong": "4294967296"], 601), (["InSignedLong": "99999999999999999999"], 601), (["InFlag": "2"], 402),
      (["InFlag": "True"], nil), (["InData": "A"], 402), (["InMode": "normal"], 712), (["InMode": ""], 712),
      (["InstanceID": "1"], 702), (["InstanceID": "-1"], 702), (["InstanceID": "zero"], 402),
      (["InstanceID": nil], 402),
      (["InText": nil], 402), (["InstanceID": "1", "InText": nil], 402), (["InstanceID": "1", "InByte": "x"], 402),
      (["InstanceID": "1", "InByte": "256"], 702), (["InstanceID": "1", "InMode": "none"], 702),
      (["InMode": "none", "InFlag": "2"], 402), (["Another": "1"], nil), (["InLong": " 7\n"], nil),
    ] as [([String: String?], Int?)])
  func faultsComeInTheirOrder(changes: [String: String?], code: Int?) {
    var arguments = Self.good
    for (name, text) in changes { arguments[name] = text }
    do throws(ActionFault) {
      _ = try invoke("Echo", arguments)
      #expect(code == nil)
    } catch {
      #expect(error.code == code)
    }
  }

  @Test(
    arguments: [
      ("Master", "100", nil), ("RF", "0", nil), ("Master", "101", 601), ("CENTER", "1", 703), ("CENTER", "101", 703),
      ("Master", "loud", 402), ("CENTER", "loud", 402),
    ] as [(String, String, Int?)])
  func channelsHaveTheirOwnFault(channel: String, level: String, code: Int?) throws {
    let arguments = ["InstanceID": "0", "Channel": channel, "DesiredLevel": level]
    guard let code else {
      #expect(try invoke("SetLevel", arguments).isEmpty)
      return #expect(try invoke("GetLevel", arguments) == ["CurrentLevel": level])
    }
    #expect { try invoke("SetLevel", arguments) } throws: { ($0 as? ActionFault)?.code == code }
  }

  @Test func unknownActionsAndThoseInAnotherCaseAre401() {
    for action in ["", "echo", "ECHO", "Ech\u{301}o", "GetTarget"] {
      #expect(throws: ActionFault.invalidAction) { try invoke(action, Self.good) }
    }
  }

  @Test func anArgumentGivenTwiceIs402() {
    let arguments = ActionArguments([("InstanceID", "0"), ("InstanceID", "0")])
    #expect(throws: ActionFault.invalidArgs) { try AllTypes2.invoke("Fail", arguments, on: provider) }
  }

  @Test func theProvidersFaultsAreForwarded() {
    #expect { try invoke("Fail", ["InstanceID": "0"]) } throws: { ($0 as? ActionFault)?.code == 799 }
  }

  @Test func anActionMayTakeNothing() throws {
    #expect(try invoke("Repeat", [:]).isEmpty)
    #expect(provider.repeats == 1)
  }

  @Test func theServicesDefinitionIsGenerated() {
    #expect(AllTypes2.serviceType.description == "urn:example-com:service:AllTypes:2")
    #expect(AllTypes2.serviceID == "urn:example-com:serviceId:AllTypes")
    #expect(
      AllTypes2.moderation
        == Moderation(.milliseconds(150), variables: ["Data": .milliseconds(250)], urgent: ["Mode": ["in"]]))
    #expect(SwitchPower1.serviceID == "urn:upnp-org:serviceId:SwitchPower")
    #expect(SwitchPower1.moderation == Moderation(.zero))
  }

  @Test func theDescriptionIsServedByteForByte() throws {
    let folder = String(#filePath).split(separator: "/").dropLast(2).joined(separator: "/")
    for (scpd, path) in [
      (AllTypes2.scpd, "example-com/AllTypes2.xml"), (SwitchPower1.scpd, "schemas-upnp-org/SwitchPower1.xml"),
    ] {
      let file = try TextFile.read("/\(folder)/service-xml/\(path)")
      #expect(scpd.withUTF8Buffer { Array($0) } == file, "\(path)")
    }
  }

  // MARK: Variables

  /// Counts how often its values are built.
  private final class Data {
    private(set) var count: UInt8 = 0

    func make() -> [UInt8] {
      count += 1
      return [count]
    }
  }

  @Test func lastChangeHasEveryVariableAndChannelFromTheStart() {
    let data = Data()
    var values = AllTypes2.Values(
      byte: 1, word: 10, signedByte: -4, signedWord: -5, signedLong: -6, text: "t", flag: true, masterLevel: 50,
      lfLevel: 49, rfLevel: 49)
    let variables = AllTypes2.Variables(values, data: { data.make() })
    let store = variables.store
    #expect(store.form == .lastChange(namespace: "urn:example-com:metadata-1-0/ALL/"))
    #expect(
      store.variables == [
        .init("Byte"), .init("Word"), .init("Long"), .init("SignedByte"), .init("SignedWord"), .init("SignedLong"),
        .init("Text"), .init("Flag"), .init("Data"), .init("Mode"), .init("Level", channel: "Master"),
        .init("Level", channel: "LF"), .init("Level", channel: "RF"),
      ])
    #expect(data.count == 0)
    #expect(
      store.all.indices.map(store.value) == [
        "1", "10", "3", "-4", "-5", "-6", "t", "1", "AQ==", "in", "50", "49", "49",
      ])
    values.flag = false
    values.mode = ._1
    values.rfLevel = 7
    variables.apply(values)
    #expect(Array(store.takeChanges(of: store.all).indices) == [7, 9, 12])
    #expect([7, 9, 12].map(store.value) == ["0", "1", "7"])
    variables.touchData()
    variables.touchData()
    #expect(Array(store.takeChanges(of: store.all).indices) == [8])
    #expect([store.value(of: 8), store.value(of: 8)] == ["Ag==", "Ag=="])
  }

  @Test func eventedVariablesArePropertiesOfTheirOwn() {
    let variables = SwitchPower1.Variables(.init(status: false))
    #expect(variables.store.form == .properties)
    #expect(variables.store.variables == [.init("Status")])
    variables.apply(.init(status: true))
    #expect(variables.store.value(of: 0) == "1")
  }
}
