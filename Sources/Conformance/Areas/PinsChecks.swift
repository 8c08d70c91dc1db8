import ControlPoint
import UPnP

/// OpenHome's Pins, without playing them. Only empty pins are changed.
enum PinsChecks {
  private static let service = "Pins"
  private static let wiki = OpenHomeWiki.pins
  private static let player = "openhome/ohPipeline: OpenHome/Av/Pins/Pins.cpp"
  private static let faults = "openhome/ohPipeline: OpenHome/Av/Pins/ProviderPins.cpp"
  private static let getIDs = Prerequisite.action(service, "GetIdArray")
  private static let readList = Prerequisite.action(service, "ReadList")
  private static let setDevice = Prerequisite.action(service, "SetDevice")
  private static let clear = Prerequisite.action(service, "Clear")
  private static let unknownID = 4_000_000_007

  static let all: [Check] = reads + changes + refusals

  // MARK: Reads

  private static let reads: [Check] = [
    Check(
      "oh/pins/id-array", .openHome, .must, "IdArray is a JSON array of DeviceMax + AccountMax numbers.",
      source: wiki, needs: [getIDs, .action(service, "GetDeviceMax"), .action(service, "GetAccountMax")],
      steps: "Compares GetIdArray with GetDeviceMax and GetAccountMax."
    ) { context async throws(Finding) in
      let count =
        try await context.integer("DeviceMax", of: "GetDeviceMax", service)
        + context.integer("AccountMax", of: "GetAccountMax", service)
      let ids = try await context.pinIDs()
      try context.expect(ids.count == count, "\(count) ids", got: "\(ids.count)")
    },
    Check(
      "oh/pins/ids-differ", .openHome, .must, "The ids of pins differ; an empty pin has the id 0.", source: wiki,
      needs: [getIDs], steps: "Reads GetIdArray."
    ) { context async throws(Finding) in
      let ids = try await context.pinIDs().filter { $0 != 0 }
      try context.expect(Set(ids).count == ids.count, "different ids", got: "\(ids)")
    },
    Check(
      "oh/pins/modes", .openHome, .must, "Modes is a JSON array of texts.", source: wiki,
      needs: [.action(service, "GetModes")], steps: "Reads GetModes."
    ) { context async throws(Finding) in
      _ = try await context.texts("Modes", of: "GetModes", service)
    },
    Check(
      "oh/pins/read-list", .openHome, .must,
      "ReadList returns a JSON array of pins, each with id, mode, type, uri, title, description, artworkUri and shuffle.",
      source: wiki, needs: [getIDs, readList], steps: "Calls ReadList with GetIdArray."
    ) { context async throws(Finding) in
      var problems: [String] = []
      for pin in try await context.pins(try await context.pinIDs()) {
        if pin["id"]?.integer == nil { problems.append("no number as id") }
        for name in ["mode", "type", "uri", "title", "description", "artworkUri"] where pin[name]?.string == nil {
          problems.append("no text as \(name)")
        }
        if pin["shuffle"]?.bool == nil { problems.append("no boolean as shuffle") }
      }
      try context.expectNone(problems, "all members of each pin")
    },
    Check(
      "oh/pins/read-list-order", .openHome, .practice, "ReadList returns a pin for each id of IdArray, in its order.",
      source: "bazwilliams/openhomedevice: device.py reads the pins by their place, with those that are empty",
      needs: [getIDs, readList], steps: "Calls ReadList with GetIdArray and compares the ids."
    ) { context async throws(Finding) in
      let ids = try await context.pinIDs()
      let found = try await context.pins(ids).compactMap { $0["id"]?.integer }
      try context.expect(found == ids, "the ids \(ids)", got: "\(found)")
    },
    Check(
      "oh/pins/read-list-unknown", .openHome, .practice, "ReadList leaves unknown ids out.", source: player,
      needs: [readList], steps: "Calls ReadList with an id that no pin has. Passes with an empty array."
    ) { context async throws(Finding) in
      let pins = try await context.pins([unknownID])
      try context.expect(pins.isEmpty, "no pins", got: "\(pins.count)")
    },
  ]

  // MARK: Changes

  /// Changes an empty device pin, which the runner clears afterwards.
  private static func changing(
    _ id: String, _ level: Level, _ requirement: String, source: String, needs: [Prerequisite] = [], steps: String,
    _ body: @escaping @Sendable (CheckContext, _ index: Int) async throws(Finding) -> Void
  ) -> Check {
    Check(
      "oh/pins/\(id)", .openHome, level, requirement, source: source,
      needs: [getIDs, setDevice, clear, .action(service, "GetModes"), .action(service, "GetDeviceMax")] + needs,
      changes: [.pins], steps: steps
    ) { context async throws(Finding) in
      guard try await context.texts("Modes", of: "GetModes", service).contains("url") else {
        throw .skip("the device has no pins of the mode url")
      }
      try await body(context, try await context.emptyDevicePin())
    }
  }

  /// Texts with characters that XML and JSON escape.
  private static let pin: [(name: String, value: String)] = [
    ("Mode", "url"), ("Type", "stream"),
    ("Uri", "url://stream?version=1&path=http%3A%2F%2F192.0.2.1%2Fstream.flac"), ("Title", #"One & "two" <three> \ ü"#),
    ("Description", "Tests"), ("ArtworkUri", "http://192.0.2.1/artwork.png?a=1&b=2"), ("Shuffle", "0"),
  ]

  /// The arguments of SetDevice.
  static func arguments(
    _ index: Int, replacing name: String = "", with value: String = ""
  ) -> [(name: String, value: String)] {
    [("Index", "\(index)")] + pin.map { $0.name == name ? (name, value) : $0 }
  }

  private static func set(_ context: CheckContext, _ index: Int) async throws(Finding) {
    try await context.call(service, "SetDevice", arguments(index))
  }

  /// Waits until the place has another id.
  private static func newID(
    _ context: CheckContext, _ index: Int, not old: Int, after what: String
  ) async throws(Finding) -> Int {
    let deadline = context.clock.now + context.times.event
    while true {
      let ids = try await context.pinIDs()
      if ids.indices.contains(index), ids[index] != old { return ids[index] }
      guard context.clock.now < deadline, !Task.isCancelled else {
        context.noteLateness()
        throw .failure(expected: "another id than \(old) at \(index) after \(what)", got: "\(ids)")
      }
      await context.clock.sleep(real: .milliseconds(50))
    }
  }

  private static let changes: [Check] = [
    changing(
      "set", .must, "SetDevice gives an empty pin an id, and ReadList returns its texts.", source: wiki,
      needs: [readList],
      steps: "Sets an empty device pin with texts that need escaping, and reads it."
    ) { context, index async throws(Finding) in
      try await set(context, index)
      let id = try await newID(context, index, not: 0, after: "SetDevice")
      guard let found = try await context.pins([id]).first else {
        throw .failure(expected: "the pin \(id) in ReadList", got: "none")
      }
      let members = ["mode", "type", "uri", "title", "description", "artworkUri"]
      for (name, member) in zip(members, pin) {
        let text = found[name]?.string ?? ""
        try context.expect(text == member.value, "\(name) \"\(member.value)\"", got: "\"\(text)\"")
      }
      try context.expect(found["shuffle"]?.bool == false, "shuffle false", got: "another value")
    },
    changing(
      "set-again", .practice, "A pin that changes gets another id.", source: player,
      steps: "Sets an empty device pin, and then another title for it. Its id in GetIdArray changes."
    ) { context, index async throws(Finding) in
      try await set(context, index)
      let id = try await newID(context, index, not: 0, after: "SetDevice")
      try await context.call(service, "SetDevice", arguments(index, replacing: "Title", with: "Another"))
      _ = try await newID(context, index, not: id, after: "a change of the title")
    },
    changing(
      "clear", .must, "Clear empties a pin.", source: wiki,
      steps: "Sets an empty device pin and clears it. Its id in GetIdArray is 0 afterwards."
    ) { context, index async throws(Finding) in
      try await set(context, index)
      let id = try await newID(context, index, not: 0, after: "SetDevice")
      try await context.call(service, "Clear", [("Id", "\(id)")])
      let after = try await newID(context, index, not: id, after: "Clear")
      try context.expect(after == 0, "the id 0 at \(index)", got: "\(after)")
    },
    changing(
      "swap", .must, "Swap exchanges two pins.", source: wiki, needs: [.action(service, "Swap")],
      steps: "Sets an empty device pin and swaps it with its neighbour, and back. The ids in GetIdArray follow."
    ) { context, index async throws(Finding) in
      guard index > 0 else { throw .skip("there is only one pin") }
      try await set(context, index)
      let id = try await newID(context, index, not: 0, after: "SetDevice")
      let before = try await context.pinIDs()
      guard before.indices.contains(index - 1) else {
        throw .failure(expected: "at least \(index) ids in IdArray", got: "\(before.count)")
      }
      let other = before[index - 1]
      for expected in [(other, id), (id, other)] {
        try await context.call(service, "Swap", [("Index1", "\(index - 1)"), ("Index2", "\(index)")])
        _ = try await newID(context, index, not: expected.1, after: "Swap")
        let ids = try await context.pinIDs()
        try context.expect(
          ids.count > index && (ids[index], ids[index - 1]) == expected,
          "the ids \(expected.1), \(expected.0) from \(index - 1) on",
          got: "\(ids.dropFirst(index - 1).prefix(2))")
      }
    },
    changing(
      "event", .practice, "A change of the pins is evented.", source: "UDA 1.0 §4.2: the SCPD events IdArray",
      needs: [.eventsOf(service)], steps: "Subscribes to Pins, and sets an empty device pin."
    ) { context, index async throws(Finding) in
      let before = try await context.result("IdArray", of: "GetIdArray", service)
      try await context.expectEvent(service, "IdArray", "after SetDevice") {
        $0 != before
      } after: {
        () async throws(Finding) in
        try await set(context, index)
      }
    },
  ]

  // MARK: Refusals

  /// - Parameters:
  ///   - code: the error of OpenHome's own player. UDA's errors for a bad value pass, too.
  ///   - usesEmptyPin: whether the index is that of an empty pin, and not one beyond the last pin.
  private static func refusal(
    _ id: String, _ what: String, _ action: String, code: Int, usesEmptyPin: Bool = false,
    _ arguments: @escaping @Sendable (_ index: Int) -> [(name: String, value: String)]
  ) -> Check {
    Check(
      "oh/pins/\(id)", .openHome, .practice, "\(action) refuses \(what) with \(code).", source: faults,
      needs: [getIDs, .action(service, action)], changes: [.pins, .source, .standby],
      steps: "Calls \(action) with \(what). Passes with \(code), or 402, 600 or 601 of UDA."
    ) { context async throws(Finding) in
      let ids = try await context.pinIDs()
      guard let index = usesEmptyPin ? ids.lastIndex(of: 0) : ids.count else { throw .skip("no pin is empty") }
      let answer = try await context.answer(service, action, arguments(index))
      try context.expectFault([402, 600, 601, code], answer, to: what)
    }
  }

  private static let refusals: [Check] = [
    refusal("set-out-of-range", "an index beyond the last pin", "SetDevice", code: 801) {
      arguments($0)
    },
    refusal("set-unknown-mode", "an unknown mode", "SetDevice", code: 803, usesEmptyPin: true) {
      arguments($0, replacing: "Mode", with: "nosuchmode")
    },
    refusal("set-no-uri", "a pin without URI", "SetDevice", code: 806, usesEmptyPin: true) {
      arguments($0, replacing: "Uri", with: "")
    },
    refusal("swap-out-of-range", "an index beyond the last pin", "Swap", code: 801) {
      [("Index1", "0"), ("Index2", "\($0)")]
    },
    refusal("clear-unknown", "an unknown id", "Clear", code: 802) { _ in [("Id", "\(unknownID)")] },
    refusal("invoke-unknown-id", "an unknown id", "InvokeId", code: 802) { _ in [("Id", "\(unknownID)")] },
    refusal("invoke-out-of-range", "an index beyond the last pin", "InvokeIndex", code: 801) {
      [("Index", "\($0)")]
    },
    refusal("invoke-unknown-mode", "an unknown mode", "InvokeUri", code: 803) { _ in
      [("Mode", "nosuchmode"), ("Type", "stream"), ("Uri", "nosuchmode://stream?version=1"), ("Shuffle", "0")]
    },
  ]
}
