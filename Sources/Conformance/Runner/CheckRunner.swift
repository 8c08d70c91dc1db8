import ControlPoint
import UPnP

/// Runs checks against a device. Checks that change nothing run in parallel, slow ones of them all at once. Then the
/// others run one by one, hostile ones last.
public struct CheckRunner: Sendable {
  /// Small devices accept few connections.
  private static let parallelChecks = 4
  private static let timeLimit = Duration.seconds(60)
  private static let slowTimeLimit = Duration.seconds(1200)

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
  ) async throws(ControlPointError) -> [CheckResult] {
    let context = try await makeContext(for: checks)
    defer {
      context.sink.close()
      context.misbehavingSink.close()
      context.notices?.close()
    }
    let isSearchable = await self.isSearchable(context, checks)
    let isBusy = checks.contains { !$0.changes.isEmpty } ? await context.isBusy() : false
    var results: [String: CheckResult] = [:]
    func record(_ result: CheckResult) {
      results[result.check.id] = result
      onResult(result)
    }
    var passive: [Check] = []
    var slow: [Check] = []
    var single: [Check] = []
    var hostile: [Check] = []
    for check in checks {
      if let reason = reasonToSkip(check, context, isSearchable: isSearchable, isBusy: isBusy) {
        record(CheckResult(check: check, verdict: .skip(reason), duration: .zero, lost: []))
      } else if check.mode == .hostile {
        hostile.append(check)
      } else if !check.changes.isEmpty {
        single.append(check)
      } else if check.mode == .slow {
        slow.append(check)
      } else {
        passive.append(check)
      }
    }
    for (checks, count) in [(passive, Self.parallelChecks), (slow, slow.count)] {
      await withTaskGroup(of: CheckResult.self) { group in
        for (index, check) in checks.enumerated() {
          if index >= count, let result = await group.next() { record(result) }
          group.addTask { await Self.result(of: check, context) }
        }
        for await result in group { record(result) }
      }
    }
    for check in single where !check.plays { record(await Self.restoring(check, context)) }
    for result in await Self.results(ofPlaying: (single + hostile).filter(\.plays), context, onResult) {
      results[result.check.id] = result
    }
    for check in hostile where !check.plays { record(await Self.restoring(check, context)) }
    await context.origin.stop()
    return checks.compactMap { results[$0.id] }
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
    return checks.map { ($0, reasonToSkip($0, context, isSearchable: true, isBusy: false)) }
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

  /// Whether the device answers a search. Otherwise silence means nothing.
  private func isSearchable(_ context: CheckContext, _ checks: [Check]) async -> Bool {
    guard checks.contains(where: { $0.prerequisites.contains(.searchable) }) else { return true }
    return (try? await context.rootAnswer()) != nil
  }

  private func reasonToSkip(_ check: Check, _ context: CheckContext, isSearchable: Bool, isBusy: Bool) -> String? {
    if !settings.modes.contains(check.mode) { return "it runs only with --\(check.mode.rawValue)" }
    if !check.changes.isEmpty {
      if settings.isReadOnly { return "it changes the device's \(Setting.list(check.changes))" }
      if isBusy, !settings.isForced { return "the device is playing" }
    }
    if !isSearchable, check.prerequisites.contains(.searchable) { return "the device answers no search" }
    return check.prerequisites.lazy.compactMap { context.missing($0) }.first
  }

  /// Runs a check and restores what it changes, also in a cancelled task.
  private static func restoring(_ check: Check, _ context: CheckContext) async -> CheckResult {
    guard !Task.isCancelled else { return interrupted(check) }
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
      let reason = "the device's \(Setting.list(check.changes)) cannot be read, and so not be restored"
      return CheckResult(check: check, verdict: .inconclusive(reason), duration: .zero, lost: [])
    }
    var result = await Self.result(of: check, context)
    result.lost = await context.restore(values)
    return result
  }

  /// Runs checks that play, one after the other, and restores what they change.
  private static func results(
    ofPlaying checks: [Check], _ context: CheckContext, _ onResult: (CheckResult) -> Void
  ) async -> [CheckResult] {
    let saved = await SavedSettings(for: checks, context)
    var results: [CheckResult] = []
    for check in checks {
      let result: CheckResult
      if let obstacle = saved.obstacle(for: check) {
        result = CheckResult(check: check, verdict: obstacle, duration: .zero, lost: [])
      } else {
        result = await restoring(check, context)
        await saved.stopPlayback(after: check)
      }
      results.append(result)
      onResult(result)
    }
    let lost = await saved.end()
    if !results.isEmpty { results[results.count - 1].lost += lost }
    return results
  }

  private static func interrupted(_ check: Check) -> CheckResult {
    CheckResult(check: check, verdict: .inconclusive("interrupted"), duration: .zero, lost: [])
  }

  private static func result(of check: Check, _ context: CheckContext) async -> CheckResult {
    let start = context.clock.now
    let record = CheckRecord()
    let log = WireLog()
    let verdict = await CheckRecord.$current.withValue(record) {
      await WireLog.$current.withValue(log) { await limitedVerdict(of: check, context) }
    }
    if Task.isCancelled { return interrupted(check) }
    var result = CheckResult(
      check: check, verdict: verdict, duration: context.clock.now - start, lost: [],
      measurements: record.value.measurements, table: record.value.table)
    if case .fail = verdict { result.exchange = log.exchange }
    return result
  }

  private static func limitedVerdict(of check: Check, _ context: CheckContext) async -> CheckResult.Verdict {
    let limit = check.limit ?? (check.mode == .slow ? slowTimeLimit : timeLimit)
    return await withTaskGroup(of: CheckResult.Verdict?.self) { group in
      group.addTask { await Self.verdict(of: check, context) }
      group.addTask {
        await context.clock.sleep(real: limit)
        return nil
      }
      let verdict = await group.next() ?? nil
      group.cancelAll()
      return verdict ?? .inconclusive("no result within \(limit)")
    }
  }

  private static func verdict(of check: Check, _ context: CheckContext) async -> CheckResult.Verdict {
    do throws(Finding) {
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

public struct CheckSettings: Sendable {
  /// Leaves out checks that change the device.
  public var isReadOnly = false
  /// Changes a device that is playing, too.
  public var isForced = false
  public var modes: Set<Mode> = [.standard]
  /// Files to play, of types that cannot be generated.
  public var files: [MediaFile] = []
  public var times = CheckTimes()
  /// Tests let it run faster than real time.
  public var clock = CheckClock()
  /// Tests replace the addresses of the device and the multicast group.
  var searchAddresses: SearchAddresses?
  /// Tests replace the announcements of the multicast group.
  var notices: NoticeSocket?

  public init() {}
}
