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

  @Test func eventedVariablesTravelAsProperties() throws {
    let text = try emit(
      variables: SCPD.variable("A", "ui4", evented: "yes") + SCPD.variable("B")
        + SCPD.variable("C", evented: "yes", values: ["x"]))
    #expect(
      text == """
        /// The evented variables; setting one that differs makes an event.
        public struct Variables {
        public let store: VariableStore
        public init(
        a: UInt32,
        c: C
        ) {
        store = VariableStore(
        form: .properties,
        initial: [
        (.init("A"), .text(a.upnpText)),
        (.init("C"), .text(c.upnpText)),
        ])
        }
        public func setA(_ value: UInt32) {
        store.set(0, to: value.upnpText)
        }
        public func setC(_ value: C) {
        store.set(1, to: value.upnpText)
        }
        }
        """)
  }

  @Test func lazyVariablesAreMadeByAClosure() throws {
    let text = try emit(
      variables: SCPD.variable("A", evented: "yes") + SCPD.variable("B", "bin.base64", evented: "yes"), rules: "lazy B")
    #expect(text.contains("a: String,\nb: @escaping () -> [UInt8]\n"))
    #expect(text.contains(#"(.init("B"), .made { b().upnpText }),"#))
    #expect(text.contains("public func touchB() {\nstore.touch(1)\n}"))
    #expect(!text.contains("setB"))
  }

  @Test func variablesOfAChannelAreKeptForEach() throws {
    let text = try emit(
      variables: SCPD.variable("LastChange", evented: "yes") + SCPD.variable("Volume", "ui2") + SCPD.variable("Mode")
        + SCPD.variable("A_ARG_TYPE_Channel", values: ["Master", "LF"]),
      actions: SCPD.action("Get", "in Channel: A_ARG_TYPE_Channel", "out Is: Volume"), rules: "lastChange urn:x")
    #expect(text.contains("volume: (Channel) -> UInt16,\nmode: String\n"))
    #expect(
      text.contains(
        """
        form: .lastChange(namespace: "urn:x"),
        initial: [
        (.init("Volume", channel: "Master"), .text(volume(.master).upnpText)),
        (.init("Volume", channel: "LF"), .text(volume(.lf).upnpText)),
        (.init("Mode"), .text(mode.upnpText)),
        ])
        """))
    #expect(text.contains("switch channel {\ncase .master: index = 0\ncase .lf: index = 1\n}"))
    #expect(text.contains("store.set(2, to: value.upnpText)"))
  }

  @Test func withoutEventsThereIsNothing() throws {
    #expect(try emit(variables: SCPD.variable("A")).isEmpty)
  }
}
