import ControlPoint
import UPnP

/// Runs checks against a device. Checks on which others depend run first. Checks that change nothing run in parallel,
/// slow ones of them all at once. Then the others run one by one, those that play after the others, and hostile ones last.
public struct CheckRunner: Sendable {
  /// Small devices accept few connections.
  private static let parallelChecks = 4
  /// Checks on which others depend. They run first.
  private static let bases: Set = [CheckContext.searchBasis, "uda/4.3/initial", "avt/2.4/play", "oh/playlist/play"]

  private let target: Target
  private let settings: CheckSettings

  public init(_ target: Target, settings: CheckSettings = CheckSettings()) {
    self.target = target
    self.settings = settings
  }

  /// - Parameter onResult: called after each check, in the order of completion.
  /// - Returns: the results in the order of the checks.
  /// - Throws: if nothing can be tested.
  public func run(
    _ checks: [Check], onResult: @escaping @Sendable (CheckResult) -> Void = { _ in }
  ) async throws(ControlPointError) -> RunFindings {
    var context = try await makeContext(for: checks)
    defer {
      context.sink.close()
      context.misbehavingSink.close()
      context.notices?.close()
    }
    let watch = settings.isWatching ? DeviceWatch(context) : nil
    if let watch {
      context.times = context.times.adjusted(to: await watch.answerTime())
      await watch.start()
    }
    let isBusy = checks.contains { !$0.changes.isEmpty } ? await context.isBusy() : false
    await examineSearches(context, checks)
    let execution = CheckExecution(context, watch, limit: settings.limit)
    var results: [String: CheckResult] = [:]
    func record(_ result: CheckResult) {
      results[result.check.id] = result
      onResult(result)
    }
    var plan = Plan()
    for check in checks {
      if let reason = reasonToSkip(check, context, isBusy: isBusy) {
        record(CheckResult(check: check, verdict: .skip(reason), duration: .zero, lost: []))
      } else {
        plan.add(check, isBasis: Self.bases.contains(check.id))
      }
    }
    for (checks, count) in [(plan.bases, 1), (plan.passive, Self.parallelChecks), (plan.slow, plan.slow.count)] {
      await withTaskGroup(of: CheckResult.self) { group in
        for (index, check) in checks.enumerated() {
          if index >= count, let result = await group.next() { record(result) }
          group.addTask { await execution.result(of: check) }
        }
        for await result in group { record(result) }
      }
    }
    for check in Plan.ordered(plan.changing) { record(await execution.result(of: check)) }
    for result in await Self.results(ofPlaying: Plan.ordered(plan.playing), execution, onResult) {
      results[result.check.id] = result
    }
    for check in plan.hostile { record(await execution.result(of: check)) }
    await context.origin.stop()
    await watch?.stop()
    return RunFindings(
      results: checks.compactMap { results[$0.id] }, incidents: await watch?.incidents ?? [],
      tester: "\(context.local)")
  }

  /// The checks that run, by how they run.
  private struct Plan {
    /// In parallel.
    var bases: [Check] = []
    var passive: [Check] = []
    var slow: [Check] = []
    // One by one.
    var changing: [Check] = []
    var playing: [Check] = []
    var hostile: [Check] = []

    mutating func add(_ check: Check, isBasis: Bool) {
      if check.plays {
        playing.append(check)
      } else if check.mode == .hostile {
        hostile.append(check)
      } else if !check.changes.isEmpty {
        changing.append(check)
      } else if check.mode == .slow {
        slow.append(check)
      } else if isBasis {
        bases.append(check)
      } else {
        passive.append(check)
      }
    }

    /// Checks that run one by one take most of a run. The most binding ones come first, since its time may not suffice for
    /// all.
    static func ordered(_ checks: [Check]) -> [Check] {
      func rank(_ check: Check) -> Int {
        if CheckRunner.bases.contains(check.id) { return 0 }
        return check.mode == .hostile ? 3 : check.level == .must ? 1 : 2
      }
      return checks.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
        .map(\.element)
    }
  }

  /// The checks that would run, and why the others would not. Does not determine whether the device plays or answers
  /// searches.
  /// - Throws: if nothing can be tested.
  public func plan(_ checks: [Check]) async throws(ControlPointError) -> [(check: Check, reasonToSkip: String?)] {
    let context = try await makeContext(for: [])
    defer {
      context.sink.close()
      context.misbehavingSink.close()
    }
    return checks.map { ($0, reasonToSkip($0, context, isBusy: false)) }
  }

  private func makeContext(for checks: [Check]) async throws(ControlPointError) -> CheckContext {
    guard let host = target.description.location.address, let local = LocalAddress.reaching(host),
      let addresses = settings.searchAddresses ?? SearchAddresses(device: host)
    else { throw .unreachable("there is no route to \(target.host)") }
    do throws(Finding) {
      let sink = try await EventSink.open(on: local, from: host, clock: settings.clock)
      let misbehavingSink = try await EventSink.open(on: local, from: host, clock: settings.clock)
      let hears = checks.contains { $0.prerequisites.contains(.announcements) && settings.modes.contains($0.mode) }
      var notices = settings.notices
      if hears, notices == nil { notices = await NoticeSocket.open(on: local, clock: settings.clock) }
      var context = CheckContext(
        target: target, times: settings.times, clock: settings.clock, local: local, searchAddresses: addresses,
        sink: sink, misbehavingSink: misbehavingSink, notices: notices,
        origin: Origin(on: local, for: host, time: settings.clock.source), isForced: settings.isForced,
        files: settings.files)
      if checks.contains(where: \.concernsSpeaker) { context.sibling = await context.findSibling() }
      return context
    } catch {
      throw .unreachable("no port for events can be opened on \(local)")
    }
  }

  /// Determines whether the device answers searches, unless a check of the run does.
  private func examineSearches(_ context: CheckContext, _ checks: [Check]) async {
    guard checks.contains(where: { $0.prerequisites.contains(.searchable) }),
      !checks.contains(where: { $0.id == CheckContext.searchBasis })
    else { return }
    if (try? await context.rootAnswer()) == nil {
      context.shared.noteFailure(of: CheckContext.searchBasis, expected: "an answer", got: "none")
    }
  }

  private func reasonToSkip(_ check: Check, _ context: CheckContext, isBusy: Bool) -> String? {
    if !settings.modes.contains(check.mode) { return "it runs only with --\(check.mode.rawValue)" }
    if !check.changes.isEmpty {
      if settings.isReadOnly { return "it changes the device's \(Setting.list(check.changes))" }
      if isBusy, !settings.isForced { return "the device is playing" }
    }
    return check.prerequisites.lazy.compactMap { context.missing($0) }.first
  }

  /// Runs checks that play, one after the other, and restores what they change.
  private static func results(
    ofPlaying checks: [Check], _ execution: CheckExecution, _ onResult: (CheckResult) -> Void
  ) async -> [CheckResult] {
    let canRun = await execution.obstacle() == nil && !Task.isCancelled
    let saved = await SavedSettings(for: canRun ? checks : [], execution.context)
    var results: [CheckResult] = []
    for check in checks {
      let result: CheckResult
      if !Task.isCancelled, let obstacle = saved.obstacle(for: check) {
        result = CheckResult(check: check, verdict: obstacle, duration: .zero, lost: [])
      } else {
        result = await execution.result(of: check) { await saved.stopPlayback(after: check) }
      }
      results.append(result)
      onResult(result)
    }
    let lost = await saved.end(isGone: await execution.watch?.isGone ?? false)
    if !results.isEmpty { results[results.count - 1].lost += lost }
    return results
  }
}

/// What a run has found.
public struct RunFindings: Sendable {
  public var results: [CheckResult]
  /// What disturbed the run, as sentences.
  public var incidents: [String]
  /// Our address on the device's network.
  public var tester = ""
}
