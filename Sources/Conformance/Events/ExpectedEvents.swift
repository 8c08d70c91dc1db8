import ControlPoint
import UPnP

extension CheckContext {
  /// Waits until an event after the initial one has a value of a variable.
  /// - Parameter what: the end of a sentence, such as "with the volume 5".
  func expectEvent(
    of variable: String, in subscription: EventSubscription, _ what: String,
    where isWanted: @Sendable (String) -> Bool
  ) async throws(Finding) {
    try await expectEvent("of \(variable) \(what)", in: subscription) { $0 == variable && isWanted($1) }
  }

  /// Waits until an event after the initial one has a wanted variable.
  private func expectEvent(
    _ what: String, in subscription: EventSubscription,
    where isWanted: @Sendable (_ name: String, _ value: String) -> Bool
  ) async throws(Finding) {
    let seen = await subscription.wait(times.event) { events in
      let variables = events.dropFirst().flatMap { (try? EventReader.read($0.body).variables) ?? [] }
      return variables.contains { isWanted($0.name, $0.value) } ? true : nil
    }
    try expect(seen == true, "an event \(what)", got: "none within \(times.event)")
  }

  /// Subscribes to a service, makes a change, and waits for its event.
  func expectEvent(
    _ service: String, _ variable: String, _ what: String, where isWanted: @Sendable (String) -> Bool,
    after change: () async throws(Finding) -> Void
  ) async throws(Finding) {
    try await withSubscription(to: self.service(service)) { subscription throws(Finding) in
      _ = try await initialEvent(subscription)
      try await change()
      try await expectEvent(of: variable, in: subscription, what, where: isWanted)
    }
  }

  /// Subscribes to a service, makes a change, and waits for an event with any of these values.
  func expectEvent(
    _ service: String, withAny values: [(variable: String, value: String)],
    after change: () async throws(Finding) -> Void
  ) async throws(Finding) {
    let what = values.map { "of \($0.variable) with \($0.value)" }.joined(separator: " or ")
    try await withSubscription(to: self.service(service)) { subscription throws(Finding) in
      _ = try await initialEvent(subscription)
      try await change()
      try await expectEvent(what, in: subscription) { name, value in
        values.contains { $0.variable == name && $0.value == value }
      }
    }
  }

  /// The values of a variable in the events so far, in their order.
  func values(of variable: String, in subscription: EventSubscription) async throws(Finding) -> [String] {
    let events = await subscription.wait(.zero) { $0 } ?? []
    var values: [String] = []
    for event in events { values += try variables(event).filter { $0.name == variable }.map(\.value) }
    return values
  }
}
