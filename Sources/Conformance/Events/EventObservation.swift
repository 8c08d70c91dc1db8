import ControlPoint
import UPnP

/// Subscriptions to several services of a device, with the contents of their events and getters so far.
struct EventObservation: Sendable {
  let context: CheckContext
  let services: [Target.Service]
  private let subscriptions: [EventSubscription]
  /// The getters of the variables that events can contain.
  private let getters: [Getter]
  private(set) var oracle: EventOracle
  /// The number of events folded so far, per subscription.
  private var folded: [Int]
  /// The results of the getters when the device was last at rest.
  private(set) var readings: VariableValues = [:]
  /// The disagreements at the beginning. Their variables are excluded from then on.
  private(set) var disagreements: [String] = []

  init(_ context: CheckContext, _ services: [Target.Service], _ subscriptions: [EventSubscription]) {
    self.context = context
    self.services = services
    self.subscriptions = subscriptions
    let oracle = EventOracle(services.compactMap { service in service.scpd.map { (service.name, $0) } })
    getters = services.flatMap(Getter.all).filter { $0.variables.contains { oracle.concerns($0) } }
    self.oracle = oracle
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

  /// The fact that is noted about a device whose events and getters disagree.
  private static func fact(_ name: VariableName) -> String { "Events and getters of \(name) disagree." }

  /// Waits a short time until events and getters agree. Variables that disagree from the beginning are excluded:
  /// `uda/4.3/event-equals-getter` checks them.
  /// - Parameter isTest: whether the check tests this agreement, so that variables known to disagree are compared, too.
  mutating func begin(isTest: Bool = false) async throws(Finding) {
    let deadline = context.clock.now + min(.seconds(2), context.times.event)
    while true {
      readings = try await context.readings(of: getters)
      try await fold()
      if oracle.disagreements(with: readings).isEmpty { return }
      if !isTest { oracle.exclude(readings.keys.filter { context.shared.isNoted(Self.fact($0)) }) }
      if oracle.disagreements(with: readings).isEmpty { return }
      guard context.clock.now < deadline, !Task.isCancelled else {
        context.noteLateness()
        break
      }
      await context.clock.sleep(real: context.times.rest)
    }
    disagreements = oracle.disagreements(with: readings)
    let names = oracle.exclude(disagreeingWith: readings)
    for name in names { context.shared.note(Self.fact(name)) }
    context.measure("not compared, since events and getters disagree", names.map(\.description).joined(separator: ", "))
  }

  /// Waits until the device is at rest: its getters return the same values twice, and its events agree with them.
  /// - Parameter occasion: the second half of a sentence, such as "after Stop".
  mutating func settle(_ occasion: String) async throws(Finding) {
    let deadline = context.clock.now + context.times.event
    var last: VariableValues?
    // A slow device gets three readings, however long they take.
    var count = 0
    while true {
      count += 1
      let values = try await context.readings(of: getters)
      try await fold()
      let problems = oracle.disagreements(with: values)
      let isStable = last.map { oracle.changes(from: $0, to: values).isEmpty } ?? false
      if isStable, problems.isEmpty {
        readings = values
        return
      }
      guard context.clock.now < deadline || count < 3, !Task.isCancelled else {
        context.noteLateness()
        try context.expectNone(problems, "events that agree with the getters \(occasion)")
        throw .inconclusive("the device does not come to rest \(occasion)")
      }
      last = values
      await context.clock.sleep(real: context.times.rest)
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
    _ services: [Target.Service], isTest: Bool = false, _ body: (inout EventObservation) async throws(Finding) -> Value
  ) async throws(Finding) -> Value {
    try await withSubscriptions(to: services[...]) { subscriptions throws(Finding) in
      for subscription in subscriptions { _ = try await initialEvent(subscription) }
      var observation = EventObservation(self, services, subscriptions)
      try await observation.begin(isTest: isTest)
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
