/// Runs single checks within the limits of a run, and restores what they change.
struct CheckExecution: Sendable {
  private static let timeLimit = Duration.seconds(60)
  private static let slowTimeLimit = Duration.seconds(1200)

  private(set) var context: CheckContext
  let watch: DeviceWatch?
  private let limit: Duration?
  private let deadline: ContinuousClock.Instant?

  /// - Parameter limit: for all checks together, from now on.
  init(_ context: CheckContext, _ watch: DeviceWatch?, limit: Duration?) {
    self.context = context
    self.watch = watch
    self.limit = limit
    deadline = limit.map { context.clock.now + $0 }
  }

  /// Why no check can run any more; nil if they can.
  func obstacle() async -> Disturbance? {
    if await watch?.isGone == true { return .gone }
    if let limit, let deadline, context.clock.now >= deadline { return .limit(limit) }
    return nil
  }

  /// Runs a check and restores what it changes. A check that is disturbed is repeated once.
  /// - Parameter cleanUp: called after each attempt.
  func result(of check: Check, cleanUp: () async -> Void = {}) async -> CheckResult {
    if Task.isCancelled { return Self.interrupted(check) }
    if let obstacle = await obstacle() { return Self.untested(check, obstacle) }
    let start = context.clock.now
    var result = await restoring(check)
    await cleanUp()
    if let watch, let disturbance = await disturbance(of: result, since: start) {
      let isBack = await watch.recover(from: disturbance, in: check)
      // Hostile input may stop a device, and that is the finding.
      if check.mode != .hostile {
        let execution = patient(after: disturbance)
        result = isBack ? await execution.repeated(check, watch, cleanUp) : Self.untested(check, .gone)
      }
    }
    if case .fail(let expected, let got) = result.verdict {
      context.shared.noteFailure(of: check.id, expected: expected, got: got)
    }
    return result
  }

  /// Allows more time if something was slow.
  private func patient(after disturbance: Disturbance) -> CheckExecution {
    guard case .slowness = disturbance else { return self }
    var execution = self
    execution.context.times = context.times.extended
    return execution
  }

  private func repeated(_ check: Check, _ watch: DeviceWatch, _ cleanUp: () async -> Void) async -> CheckResult {
    let start = context.clock.now
    var result = await restoring(check)
    await cleanUp()
    guard let disturbance = await disturbance(of: result, since: start) else { return result }
    guard await watch.recover(from: disturbance, in: check) else { return Self.untested(check, .gone) }
    result.verdict = disturbance.verdict
    if result.outcome == .inconclusive { result.disturbance = disturbance }
    return result
  }

  private func disturbance(of result: CheckResult, since start: ContinuousClock.Instant) async -> Disturbance? {
    guard let watch, [.fail, .inconclusive].contains(result.outcome), result.disturbance == nil, !Task.isCancelled
    else { return nil }
    return await watch.disturbance(since: start, dependsOnTime: result.outcome == .fail && result.dependsOnTime)
  }

  private static func interrupted(_ check: Check) -> CheckResult {
    CheckResult(check: check, verdict: .inconclusive("interrupted"), duration: .zero, lost: [])
  }

  private static func untested(_ check: Check, _ disturbance: Disturbance) -> CheckResult {
    var result = CheckResult(check: check, verdict: .inconclusive(disturbance.reason), duration: .zero, lost: [])
    result.disturbance = disturbance
    return result
  }

  /// Runs a check and restores what it changes, also in a cancelled task.
  private func restoring(_ check: Check) async -> CheckResult {
    var values: [(Setting, String)] = []
    do throws(Finding) {
      for setting in Setting.allCases where check.changes.contains(setting) && !setting.isPlayback {
        values.append((setting, try await context.read(setting)))
        // OpenHome's SetVolume ends mute.
        if setting == .volume, !check.changes.contains(.mute), let mute = try? await context.read(.mute) {
          values.append((.mute, mute))
        }
      }
    } catch {
      if case .skip(let reason) = error {
        return CheckResult(check: check, verdict: .skip(reason), duration: .zero, lost: [])
      }
      let reason = "the device's \(Setting.list(check.changes)) cannot be read, and so not be restored"
      return CheckResult(check: check, verdict: .inconclusive(reason), duration: .zero, lost: [])
    }
    var result = await judged(check)
    result.lost = await context.restore(values)
    return result
  }

  private func judged(_ check: Check) async -> CheckResult {
    let start = context.clock.now
    let record = CheckRecord()
    let log = WireLog()
    let lateness = Lateness()
    let verdict = await CheckRecord.$current.withValue(record) {
      await Lateness.$current.withValue(lateness) {
        await WireLog.$current.withValue(log) { await limitedVerdict(of: check) }
      }
    }
    if Task.isCancelled { return Self.interrupted(check) }
    guard let verdict else { return Self.untested(check, await obstacle() ?? .gone) }
    var result = CheckResult(
      check: check, verdict: verdict, duration: context.clock.now - start, lost: [],
      measurements: record.value.measurements, table: record.value.table)
    result.dependsOnTime = check.plays || lateness.isNoted
    if case .fail = verdict { result.exchange = log.exchange }
    return result
  }

  /// - Returns: nil if the time of the run is over.
  private func limitedVerdict(of check: Check) async -> CheckResult.Verdict? {
    let own = check.limit ?? (check.mode == .slow ? Self.slowTimeLimit : Self.timeLimit)
    let rest = deadline.map { $0 - context.clock.now }
    let limit = min(own, rest ?? own)
    return await withTaskGroup(of: CheckResult.Verdict?.self) { group in
      group.addTask { await self.verdict(of: check) }
      group.addTask {
        await context.clock.sleep(real: limit)
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first ?? (limit < own ? nil : .inconclusive("no result within \(limit)"))
    }
  }

  private func verdict(of check: Check) async -> CheckResult.Verdict {
    do throws(Finding) {
      if check.prerequisites.contains(.searchable) { try context.require(CheckContext.searchBasis) }
      try await check.procedure(context)
      return .pass
    } catch {
      switch error {
      case .failure(let expected, let got): return .fail(expected: expected, got: got)
      case .skip(let reason): return .skip(reason)
      case .inconclusive(let reason): return .inconclusive(reason)
      }
    }
  }
}
