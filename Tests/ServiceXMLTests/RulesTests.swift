import Testing

@testable import ServiceXML

struct RulesTests {
  @Test func readsEveryRule() throws {
    let rules = try Rules(
      reading: """
        # A comment.
        instance InstanceID 718 Invalid InstanceID  # another

        \tfault Play.Speed 717 Play speed not supported
        fault *.Channel 703 Invalid Channel
        lastChange urn:x
        unevented A B
        unevented C
        moderation 200
        moderation 300 D E
        urgent D on
        urgent D off E
        lazy D F
        served K L
        later Play Stop
        nested G H
        default InstanceID 0
        default Filter
        optional I J
        """)
    #expect(rules.instance == .init(argument: "InstanceID", fault: .init(code: 718, name: "Invalid InstanceID")))
    #expect(rules.fault(action: "Play", argument: "Speed") == .init(code: 717, name: "Play speed not supported"))
    #expect(rules.fault(action: "Stop", argument: "Speed") == nil)
    #expect(rules.fault(action: "Any", argument: "Channel") == .init(code: 703, name: "Invalid Channel"))
    #expect(rules.lastChangeNamespace == "urn:x")
    #expect(rules.unevented == ["A", "B", "C"])
    #expect(rules.moderation == 200)
    #expect(rules.variableModeration == ["D": 300, "E": 300])
    #expect(rules.urgent == ["D": ["on", "off", "E"]])
    #expect(rules.lazy == ["D", "F"])
    #expect(rules.served == ["K", "L"])
    #expect(rules.later == ["Play", "Stop"])
    #expect(rules.nested == ["G", "H"])
    #expect(rules.defaults == ["InstanceID": "0", "Filter": ""])
    #expect(rules.optional == ["I", "J"])
  }

  @Test func faultOfOneActionOverridesFaultOfAll() throws {
    let rules = try Rules(reading: "fault *.A 1 one\nfault X.A 2 two")
    #expect(rules.fault(action: "X", argument: "A")?.code == 2)
    #expect(rules.fault(action: "Y", argument: "A")?.code == 1)
  }

  /// Regression: CR and LF are one Character, so a file with such line ends was read as one comment.
  @Test func windowsLineEnds() throws {
    #expect(try Rules(reading: "# A comment.\r\nmoderation 200\r\n").moderation == 200)
  }

  @Test(arguments: [
    "what ever", "instance InstanceID 718", "instance InstanceID many words", "fault Speed 717 No", "fault a.b.c 7 No",
    "lastChange", "lastChange a b", "unevented", "moderation", "moderation soon", "moderation -1", "moderation A 1",
    "urgent", "urgent A", "served", "lazy", "later", "nested", "default", "default A 1 2", "optional", "Moderation 1",
  ])
  func reportsLineOfInvalidRule(line: String) {
    #expect(throws: ServiceXMLError("invalid rule: \(line)", in: .rules, line: 3)) {
      try Rules(reading: "# one\nmoderation 1\n\(line)\n")
    }
  }
}
