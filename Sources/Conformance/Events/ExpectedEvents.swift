import ControlPoint
import UPnP

extension CheckContext {
  /// Waits until an event after the initial one has a value of a variable.
  /// - Parameter what: the end of a sentence, such as "with the volume 5".
  func expectEvent(
    of variable: String, in subscription: EventSubscription, _ what: String,
    where isWanted: @Sendable (String) -> Bool
  ) async throws(Finding) {
    let seen = await subscription.wait(times.event) { events in
      let variables = events.dropFirst().flatMap { (try? EventReader.read($0.body).variables) ?? [] }
      return variables.contains { $0.name == variable && isWanted($0.value) } ? true : nil
    }
    try expect(seen == true, "an event of \(variable) \(what)", got: "none within \(times.event)")
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

  /// The values of a variable in the events so far, in their order.
  func values(of variable: String, in subscription: EventSubscription) async throws(Finding) -> [String] {
    let events = await subscription.wait(.zero) { $0 } ?? []
    var values: [String] = []
    for event in events { values += try variables(event).filter { $0.name == variable }.map(\.value) }
    return values
  }
}
