import ControlPoint
import UPnP

/// Subscriptions to several services of a device, and what their events and getters have shown so far.
struct EventObservation: Sendable {
  let context: CheckContext
  let services: [Target.Service]
  private let subscriptions: [EventSubscription]
  private(set) var oracle: EventOracle
  /// The number of events folded so far, per subscription.
  private var folded: [Int]
  /// What the getters returned when the device was last at rest.
  private(set) var readings: VariableValues = [:]

  init(_ context: CheckContext, _ services: [Target.Service], _ subscriptions: [EventSubscription]) {
    self.context = context
    self.services = services
    self.subscriptions = subscriptions
    oracle = EventOracle(services.compactMap { service in service.scpd.map { (service.name, $0) } })
    folded = subscriptions.map { _ in 0 }
  }

  /// Folds the events that have arrived.
  private mutating func fold() async throws(Finding) {
    for (index, subscription) in subscriptions.enumerated() {
      let events = await subscription.wait(.zero) { $0 } ?? []
      for event in events.dropFirst(folded[index]) {
        oracle.receive(try context.variables(event), from: services[index].name)
      }
      folded[index] = max(folded[index], events.count)
    }
  }

  /// Waits until the device is at rest: its getters return the same values twice, and its events agree with them.
  /// - Parameter occasion: the second half of a sentence, such as "after Stop".
  mutating func settle(_ occasion: String) async throws(Finding) {
    let deadline = ContinuousClock.now + context.times.event
    var last: VariableValues?
    // A slow device gets three readings, however long they take.
    var count = 0
    while true {
      count += 1
      let values = try await context.readings(of: services)
      try await fold()
      let problems = oracle.disagreements(with: values)
      let isStable = last.map { oracle.changes(from: $0, to: values).isEmpty } ?? false
      if isStable, problems.isEmpty {
        readings = values
        return
      }
      guard ContinuousClock.now < deadline || count < 3, !Task.isCancelled else {
        try context.expectNone(problems, "events that agree with the getters \(occasion)")
        throw .inconclusive("The device does not come to rest \(occasion).")
      }
      last = values
      try? await Task.sleep(for: context.times.rest)
    }
  }

  /// Makes a change and waits until the device is at rest again.
  /// - Returns: the variables in its events, and those that the getters show to have changed.
  mutating func follow(
    _ occasion: String, _ change: (CheckContext) async throws(Finding) -> Void
  ) async throws(Finding) -> (evented: Set<VariableName>, changed: Set<VariableName>) {
    let before = readings
    oracle.mark()
    try await change(context)
    try await settle(occasion)
    return (oracle.recent, oracle.changes(from: before, to: readings))
  }
}

extension CheckContext {
  /// Subscribes to services, waits until the device is at rest, and runs the body.
  func observing<Value: Sendable>(
    _ services: [Target.Service], _ body: (inout EventObservation) async throws(Finding) -> Value
  ) async throws(Finding) -> Value {
    try await withSubscriptions(to: services[...]) { subscriptions throws(Finding) in
      for subscription in subscriptions { _ = try await initialEvent(subscription) }
      var observation = EventObservation(self, services, subscriptions)
      try await observation.settle("at the beginning")
      return try await body(&observation)
    }
  }

  private func withSubscriptions<Value: Sendable>(
    to services: ArraySlice<Target.Service>, _ body: ([EventSubscription]) async throws(Finding) -> Value
  ) async throws(Finding) -> Value {
    guard let service = services.first else { return try await body([]) }
    return try await withSubscription(to: service) { subscription throws(Finding) in
      try await withSubscriptions(to: services.dropFirst()) { others throws(Finding) in
        try await body([subscription] + others)
      }
    }
  }
}
