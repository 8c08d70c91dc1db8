/// Saves the settings that a series of playing checks changes, and restores them after the last one. Meanwhile the
/// volume is capped.
struct SavedSettings: Sendable {
  private let context: CheckContext
  private var saved: [(Setting, String)] = []
  /// Settings that could not be restored, each with the verdict on checks that change it.
  private var obstacles: [Setting: CheckResult.Verdict] = [:]
  private var isTooLoud = false

  /// Saves the settings that the checks change.
  init(for checks: [Check], _ context: CheckContext) async {
    self.context = context
    let changes = checks.reduce(into: Set<Setting>()) { $0.formUnion($1.changes) }
    for setting in Setting.allCases where setting.isPlayback && changes.contains(setting) {
      do throws(Finding) {
        saved.append((setting, try await context.read(setting)))
      } catch {
        obstacles[setting] = Self.obstacle(setting, error)
      }
    }
    guard !checks.isEmpty else { return }
    await capVolume()
    // Playing selects a source, and ends standby.
    for setting in [Setting.source, .standby] {
      if let value = try? await context.read(setting) { saved.append((setting, value)) }
    }
  }

  private static func obstacle(_ setting: Setting, _ error: Finding) -> CheckResult.Verdict {
    if case .skip(let reason) = error { return .skip(reason) }
    return .inconclusive("the device's \(setting.rawValue) cannot be read, and so not be restored")
  }

  private mutating func capVolume() async {
    guard let highest = try? await context.quietVolumes().upperBound, let text = try? await context.read(.volume),
      let volume = Int(device: text), volume > highest
    else { return }
    saved.append((.volume, text))
    // OpenHome's SetVolume ends mute.
    if let mute = try? await context.read(.mute) { saved.append((.mute, mute)) }
    isTooLoud = (try? await context.write(.volume, "\(highest)")) == nil
  }

  /// Why a check cannot run; nil if it can.
  func obstacle(for check: Check) -> CheckResult.Verdict? {
    if isTooLoud { return .inconclusive("the volume cannot be lowered") }
    return Setting.allCases.lazy.filter { check.changes.contains($0) }.compactMap { obstacles[$0] }.first
  }

  /// Stops the playback that a check has started, also in a cancelled task.
  func stopPlayback(after check: Check) async {
    let task = Task { [context] in
      for setting in check.changes where setting.isPlayback { await context.stopPlayback(of: setting) }
    }
    await task.value
  }

  /// Restores the settings, also in a cancelled task.
  /// - Parameter isGone: whether the device no longer answers.
  /// - Returns: those that could not be restored.
  func end(isGone: Bool) async -> [Setting] { isGone ? saved.map(\.0) : await context.restore(saved) }
}

extension CheckContext {
  /// Restores settings, also in a cancelled task.
  /// - Returns: those that could not be restored.
  func restore(_ values: [(Setting, String)]) async -> [Setting] {
    let task = Task {
      var lost: [Setting] = []
      for (setting, value) in values {
        await stopPlayback(of: setting)
        // A device may refuse a value that it already has.
        if (try? await read(setting)) != value, (try? await write(setting, value)) == nil { lost.append(setting) }
      }
      // Some devices mute by the volume 0, and return to an older volume as mute ends.
      for (setting, value) in values where [.volume, .mute].contains(setting) && !lost.contains(setting) {
        if (try? await read(setting)) == value { continue }
        let isRestored: Void? = try? await write(setting, value)
        let isKept: Void? = try? await expect(setting, among: [value], "the value from before")
        if isRestored == nil || isKept == nil { lost.append(setting) }
      }
      return lost
    }
    return await task.value
  }
}

extension Setting {
  /// The names of the settings, for reports.
  static func list(_ settings: Set<Setting>) -> String {
    settings.map(\.rawValue).sorted().joined(separator: " and ")
  }
}
