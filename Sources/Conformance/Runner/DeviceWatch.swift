import ControlPoint
import UPnP

/// Observes the device during a run: whether it answers, whether it has restarted, and who else changes it.
actor DeviceWatch {
  /// A subscription that a restart ends, and that reports changes.
  private struct Subscription {
    var url: HTTPURL
    var sid: String
    var path: String
    var renewed: ContinuousClock.Instant
    var duration: Duration
    /// The number of events that have been read.
    var count = 0
    var values: [String: String] = [:]
  }

  /// Services whose variables show what a controller changes.
  private static let services = ["AVTransport", "RenderingControl", "Volume", "Playlist", "Transport"]

  private let context: CheckContext
  private let lag = TesterLag()
  private var measurement: Task<Void, Never>?
  /// The time for an answer at the beginning of the run.
  private var usualAnswerTime: Duration?
  private var subscriptions: [Subscription] = []
  private var changes: [SentActions.Change] = []
  /// Absences and restarts.
  private var noted: [(time: ContinuousClock.Instant, disturbance: Disturbance)] = []
  /// The end of the last wait for the device.
  private var recovered: ContinuousClock.Instant?
  private var isProbing = false
  private var isRecovering = false
  /// Set when the device has not come back.
  private(set) var isGone = false
  /// What happened, as sentences.
  private(set) var incidents: [String] = []

  init(_ context: CheckContext) { self.context = context }

  /// Subscribes to the device. A device that cannot renew subscriptions is not observed for restarts.
  func start() async {
    measurement = Task { [lag, clock = context.clock] in await lag.run(clock) }
    await unlogged { await self.subscribe() }
  }

  func stop() async {
    measurement?.cancel()
    await unlogged {
      for subscription in await self.subscriptions {
        _ = try? await self.context.exchange(RawRequest("UNSUBSCRIBE", subscription.url, [("SID", subscription.sid)]))
      }
    }
    subscriptions = []
  }

  /// What disturbed a check; nil for nothing.
  /// - Parameters:
  ///   - start: of a check that has not passed.
  ///   - dependsOnTime: whether it may have failed because something was slow.
  func disturbance(since start: ContinuousClock.Instant, dependsOnTime: Bool) async -> Disturbance? {
    // Checks that run at the same time ask one after the other.
    while isProbing {
      if Task.isCancelled { return nil }
      await context.clock.sleep(real: .milliseconds(20))
    }
    isProbing = true
    defer { isProbing = false }
    if isGone { return .gone }
    await unlogged { await self.probe() }
    if let (_, disturbance) = noted.last(where: { $0.time >= start }) { return disturbance }
    if let change = await foreignChange(since: start) {
      return .controller("\(change.variable) became \"\(change.value.prefix(60))\"")
    }
    return dependsOnTime ? await slowness(since: start).map { .slowness($0) } : nil
  }

  /// Why a check may have come too late.
  private func slowness(since start: ContinuousClock.Instant) async -> String? {
    if let delay = lag.longest(since: start) {
      return "the tester's machine is busy: it was up to \(Figures.milliseconds(delay)) late"
    }
    guard let usual = usualAnswerTime else { return nil }
    let time = await measuredAnswerTime()
    guard time > max(usual * 3, usual + .milliseconds(50)) else { return nil }
    return "the device is slow: it takes \(Figures.milliseconds(time)) for an answer, instead of "
      + Figures.milliseconds(usual)
  }

  private func probe() async {
    if !(await isAnswering()) {
      noted.append((context.clock.now, .absence))
    } else if await hasRestarted() {
      noted.append((context.clock.now, .restart))
    }
  }

  /// Waits until the device can be checked again.
  /// - Returns: false if it does not come back.
  func recover(from disturbance: Disturbance, in check: Check) async -> Bool {
    while isRecovering {
      if Task.isCancelled { return false }
      await context.clock.sleep(real: .milliseconds(20))
    }
    if isGone { return false }
    if case .slowness = disturbance { return true }
    if let recovered, let last = noted.last, disturbance == last.disturbance, last.time <= recovered { return true }
    isRecovering = true
    defer { isRecovering = false }
    let start = context.clock.now
    let isBack = await unlogged {
      switch disturbance {
      case .controller: await self.waitForRest()
      default: await self.waitForAnswer()
      }
    }
    recovered = context.clock.now
    if Task.isCancelled { return false }
    isGone = !isBack
    let waited = Figures.seconds(context.clock.now - start)
    let outcome = isBack ? "The run went on after \(waited)." : "The device did not come back within \(waited)."
    incidents.append("During \(check.id), \(disturbance.reason). \(outcome)")
    return isBack
  }

  /// The device's time for an answer at the beginning of a run.
  func answerTime() async -> Duration {
    let time = await measuredAnswerTime()
    usualAnswerTime = time
    return time
  }

  /// The median of three.
  private func measuredAnswerTime() async -> Duration {
    await unlogged {
      var times: [Duration] = []
      for _ in 0..<3 {
        let start = self.context.clock.now
        _ = try? await self.context.get(self.context.target.description.location)
        times.append(self.context.clock.now - start)
      }
      return times.sorted()[1]
    }
  }

  // MARK: Observations

  private func unlogged<Value: Sendable>(_ body: @Sendable () async -> Value) async -> Value {
    await WireLog.$current.withValue(nil) { await body() }
  }

  /// Whether the device sends anything on a new connection.
  private func isAnswering() async -> Bool {
    for _ in 0..<2 {
      if let connection = try? await context.connect(context.target.description.location) {
        defer { connection.close() }
        connection.send(RawRequest("GET", context.target.description.location).text)
        if await connection.hasReceived(within: context.times.close) { return true }
      }
      await context.clock.sleep(real: context.times.rest)
    }
    return false
  }

  private func waitForAnswer() async -> Bool {
    let deadline = context.clock.now + context.times.absence
    while context.clock.now < deadline, !Task.isCancelled {
      if await isAnswering() {
        await subscribe()
        return true
      }
      await context.clock.sleep(real: context.times.settle)
    }
    return false
  }

  /// Whether the subscriptions are gone before their time.
  private func hasRestarted() async -> Bool {
    for (index, subscription) in subscriptions.enumerated() {
      let now = context.clock.now
      let isDue = now - subscription.renewed < subscription.duration
      guard let answer = try? await context.exchange(context.renewal(subscription.url, sid: subscription.sid)) else {
        return false
      }
      if answer.status == 200, subscriptions.indices.contains(index) {
        subscriptions[index].renewed = now
      } else {
        await subscribe()
        return isDue && answer.status == 412
      }
    }
    return false
  }

  private func subscribe() async {
    subscriptions = []
    for service in context.eventedSpeakerServices where Self.services.contains(service.name) {
      guard let url = service.description.eventURL else { continue }
      let path = context.sink.newPath()
      let request = context.subscribeRequest(url, callback: context.sink.url(path))
      guard let answer = try? await context.exchange(request), answer.status == 200, let sid = answer.header("sid"),
        let renewal = try? await context.exchange(context.renewal(url, sid: sid)), renewal.status == 200
      else { continue }
      let seconds = SubscriptionTimerChecks.seconds(renewal.header("timeout") ?? "") ?? 0
      subscriptions.append(
        Subscription(
          url: url, sid: sid, path: path, renewed: context.clock.now, duration: .seconds(min(seconds, 1 << 20))))
    }
  }

  // MARK: Other controllers

  private func foreignChange(since start: ContinuousClock.Instant) async -> SentActions.Change? {
    await readEvents()
    let sent = context.shared.sent
    return changes.first { $0.arrival >= start && sent.isForeign($0, since: start, local: "\(context.local)") }
  }

  private func readEvents() async {
    for index in subscriptions.indices {
      let (path, count) = (subscriptions[index].path, subscriptions[index].count)
      let events = await context.sink.inbox.wait(.zero) { events, _ in events.filter { $0.path == path } } ?? []
      guard subscriptions.indices.contains(index), subscriptions[index].path == path else { return }
      for event in events.dropFirst(count) {
        for variable in (try? EventReader.read(event.body).variables) ?? [] {
          let old = subscriptions[index].values.updateValue(variable.value, forKey: variable.name)
          guard let old, old != variable.value else { continue }
          changes.append(.init(variable: variable.name, value: variable.value, arrival: event.arrival))
        }
      }
      subscriptions[index].count = events.count
    }
  }

  /// Waits until no other controller has changed anything for a moment.
  private func waitForRest() async -> Bool {
    let deadline = context.clock.now + context.times.absence
    while context.clock.now < deadline, !Task.isCancelled {
      let start = context.clock.now
      await context.clock.sleep(real: context.times.effect)
      if await foreignChange(since: start) == nil { break }
    }
    return true
  }
}
