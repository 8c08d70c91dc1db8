import Testing

@testable import ServiceXML

struct VariablesEmitterTests {
  private func emit(variables: String, actions: String = "", rules: String = "") throws -> String {
    let service = try ServiceReader.read(
      scpd: SCPD.document(actions: actions, variables: variables), rules: rules, fileName: "Test1",
      domain: "example-com")
    var lines: [String] = []
    VariablesEmitter(service: service).emit { _, text in if !text.isEmpty { lines.append(text) } }
    return lines.joined(separator: "\n")
  }

  @Test func valuesAreAppliedTogether() throws {
    let text = try emit(
      variables: SCPD.variable("A", "ui4", evented: "yes") + SCPD.variable("B")
        + SCPD.variable("Repeat", evented: "yes", values: ["x"]))
    #expect(
      text == """
        /// The values of the evented variables. The defaults are those of the SCPD.
        public struct Values: Sendable, Equatable {
        public var a: UInt32
        public var `repeat`: Repeat
        public init(
        a: UInt32,
        `repeat`: Repeat
        ) {
        self.a = a
        self.repeat = `repeat`
        }
        }
        /// The evented variables and their subscribers.
        public struct Variables {
        public let store: VariableStore
        public init(_ values: Values) {
        store = VariableStore(
        form: .properties,
        initial: [
        (.init("A"), .text(values.a.upnpText)),
        (.init("Repeat"), .text(values.`repeat`.upnpText)),
        ])
        }
        /// Replaces all values and events those that changed.
        public func apply(_ values: Values) {
        store.set(0, to: values.a.upnpText)
        store.set(1, to: values.`repeat`.upnpText)
        }
        }
        """)
  }

  @Test(
    arguments: [
      ("string", [], "say \"no\"", #"String = "say \"no\"""#), ("string", [], "", #"String = """#),
      ("string", ["NOT_IMPLEMENTED", "in"], "NOT_IMPLEMENTED", "A = .notImplemented"),
      ("string", ["NOT_IMPLEMENTED", "in"], "in", "A = .`in`"), ("i2", [], "-4", "Int16 = -4"),
      ("ui4", [], "0", "UInt32 = 0"), ("boolean", [], "1", "Bool = true"), ("boolean", [], "no", "Bool = false"),
      ("bin.base64", [], "", "[UInt8] = []"), ("ui4", [], nil, "UInt32"),
    ] as [(String, [String], String?, String)])
  func defaultsComeFromTheSCPD(type: String, values: [String], value: String?, parameter: String) throws {
    let text = try emit(variables: SCPD.variable("A", type, evented: "yes", values: values, initial: value))
    #expect(text.contains("public init(\na: \(parameter)\n) {"))
  }

  @Test func lazyVariablesComeFromClosures() throws {
    let text = try emit(
      variables: SCPD.variable("B", "bin.base64", evented: "yes") + SCPD.variable("A", evented: "yes"), rules: "lazy B")
    #expect(text.contains("public init(_ values: Values, b: @escaping () -> [UInt8]) {"))
    #expect(text.contains(#"(.init("B"), .made { b().upnpText }),"#))
    #expect(text.contains("public func apply(_ values: Values) {\nstore.set(1, to: values.a.upnpText)\n}"))
    #expect(text.contains("public func touchB() {\nstore.touch(0)\n}"))
    #expect(!text.contains("var b"))
  }

  @Test func serviceOfLazyVariablesHasNoValues() throws {
    let text = try emit(variables: SCPD.variable("B", evented: "yes"), rules: "lazy B")
    #expect(text.contains("public init(b: @escaping () -> String) {"))
    #expect(!text.contains("Values"))
  }

  @Test func perChannelVariableHasValueForEachChannel() throws {
    let text = try emit(
      variables: SCPD.variable("LastChange", evented: "yes") + SCPD.variable("Volume", "ui2") + SCPD.variable("Mode")
        + SCPD.variable("A_ARG_TYPE_Channel", values: ["Master", "LF"]),
      actions: SCPD.action("Get", "in Channel: A_ARG_TYPE_Channel", "out Is: Volume"), rules: "lastChange urn:x")
    #expect(text.contains("masterVolume: UInt16,\nlfVolume: UInt16,\nmode: String\n"))
    #expect(
      text.contains(
        """
        form: .lastChange(namespace: "urn:x"),
        initial: [
        (.init("Volume", channel: "Master"), .text(values.masterVolume.upnpText)),
        (.init("Volume", channel: "LF"), .text(values.lfVolume.upnpText)),
        (.init("Mode"), .text(values.mode.upnpText)),
        ])
        """))
    #expect(text.contains("store.set(1, to: values.lfVolume.upnpText)\nstore.set(2, to: values.mode.upnpText)"))
  }

  @Test func serviceWithoutEventsHasNoVariables() throws {
    #expect(try emit(variables: SCPD.variable("A")).isEmpty)
  }
}
