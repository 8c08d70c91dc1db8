import ControlPoint
import UPnP

extension EventSubscription {
  func count() async -> Int { await wait(.zero) { $0.count } ?? 0 }

  /// The last value of each variable in all events so far.
  /// - Parameter count: of earlier events, which are ignored.
  func folded(after count: Int = 0) async -> [String: String] {
    await wait(.zero) { events in
      events.dropFirst(count).flatMap { (try? EventReader.read($0.body).variables) ?? [] }
        .reduce(into: [:]) { $0[$1.name] = $1.value }
    } ?? [:]
  }
}

extension TransportDriver {
  /// Subscribes, waits for the initial event, runs the body, and unsubscribes.
  func withEvents<Value: Sendable>(
    _ body: (EventSubscription) async throws(Finding) -> Value
  ) async throws(Finding) -> Value {
    try await context.withSubscription(to: context.service(Self.service)) { events throws(Finding) in
      _ = try await context.initialEvent(events)
      return try await body(events)
    }
  }

  /// Waits for an event with one of the values.
  /// - Parameter count: of earlier events, which are ignored.
  func expect(
    _ events: EventSubscription, _ variable: String, _ values: [String], after count: Int
  ) async throws(Finding) {
    try await expect(events, variable, values.joined(separator: " or "), after: count) { values.contains($0) }
  }

  /// Waits for an event whose value matches.
  /// - Parameters:
  ///   - what: the values that match, for the report.
  ///   - count: of earlier events, which are ignored.
  func expect(
    _ events: EventSubscription, _ variable: String, _ what: String, after count: Int,
    where matches: @escaping @Sendable (String) -> Bool
  ) async throws(Finding) {
    let isSeen = await events.wait(context.times.event) { events in
      let variables = events.dropFirst(count).flatMap { (try? EventReader.read($0.body).variables) ?? [] }
      return variables.contains { $0.name == variable && matches($0.value) } ? true : nil
    }
    let last = await events.folded()[variable]
    try context.expect(
      isSeen == true, "an event with \(variable) \(what)",
      got: last.map { "\"\($0.prefix(200))\" in the last event that has it" } ?? "no event that has it")
  }

  /// Waits for the event about the end of the media. Those before PLAYING are about an earlier state, unless a slow
  /// device has merged PLAYING with the end.
  func expectEndEvent(_ events: EventSubscription) async throws(Finding) {
    let ends = ["STOPPED", "NO_MEDIA_PRESENT"]
    let isSeen = await events.wait(context.times.event) { events in
      let variables = events.flatMap { (try? EventReader.read($0.body).variables) ?? [] }
      let states = variables.filter { $0.name == "TransportState" }.map(\.value)
      let start = states.lastIndex(of: "PLAYING").map { $0 + 1 } ?? min(1, states.count)
      return states[start...].contains(where: ends.contains) ? true : nil
    }
    let last = await events.folded()["TransportState"]
    try context.expect(
      isSeen == true, "an event with TransportState \(ends.joined(separator: " or "))",
      got: last.map { "\"\($0)\" in the last event that has it" } ?? "no event that has it")
  }

  /// CurrentTransportActions.
  func actions() async throws(Finding) -> Set<String> {
    Self.actions(try await call("GetCurrentTransportActions")["Actions"] ?? "")
  }

  /// The entries of CurrentTransportActions.
  static func actions(_ list: String) -> Set<String> { Set(CSVList.entries(list).map { String($0.trimmingBlanks) }) }

  /// Checks that all events, including those in transit, agree with the getters.
  func expectAgreement(_ events: EventSubscription) async throws(Finding) {
    let getters = [
      ("GetTransportInfo", ["CurrentTransportState": "TransportState", "CurrentTransportStatus": "TransportStatus"]),
      (
        "GetMediaInfo",
        [
          "CurrentURI": "AVTransportURI", "CurrentURIMetaData": "AVTransportURIMetaData", "NrTracks": "NumberOfTracks",
        ]
      ),
      ("GetCurrentTransportActions", ["Actions": "CurrentTransportActions"]),
    ]
    var expected: [String: String] = [:]
    for (action, names) in getters where context.missing(.action(Self.service, action)) == nil {
      let values = try await call(action)
      for (output, variable) in names { expected[variable] = values[output] }
    }
    _ = await events.wait(context.times.event) { [expected] events in
      let values = events.flatMap { (try? EventReader.read($0.body).variables) ?? [] }
        .reduce(into: [String: String]()) { $0[$1.name] = $1.value }
      return expected.allSatisfy { $1 == values[$0] } ? true : nil
    }
    let values = await events.folded()
    let differences = expected.filter { values[$0] != $1 }.keys.sorted().map { name in
      "\(name) is \"\(expected[name] ?? "")\" and was evented as \"\(values[name] ?? "")\""
    }
    try context.expectNone(differences, "events that agree with the getters")
  }
}
