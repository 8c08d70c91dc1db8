import DeviceStack
import PlaybackModel

/// The values of all keys. `configuration.port` is the value of the key `port` in `ConfigurationKeys`.
@dynamicMemberLookup
struct Configuration: Sendable, Equatable {
  /// The values by key name. Missing keys have their default.
  private var values: [String: any StoredValue] = [:]

  subscript<Value>(dynamicMember path: KeyPath<ConfigurationKeys, ConfigurationKey<Value>>) -> Value {
    get { self[ConfigurationKeys.shared[keyPath: path]] }
    set { self[ConfigurationKeys.shared[keyPath: path]] = newValue }
  }

  subscript<Value>(key: ConfigurationKey<Value>) -> Value {
    get { (values[key.name] as? Stored<Value>)?.value ?? key.defaultValue }
    set { values[key.name] = Stored(value: newValue) }
  }

  static func == (first: Configuration, second: Configuration) -> Bool {
    ConfigurationKeys.all.allSatisfy { $0.isSame(first, second) }
  }

  /// Restores the value's type: a cast from `Any` to an optional type cannot distinguish an unset value from a missing
  /// one.
  private struct Stored<Value: Sendable>: StoredValue { let value: Value }

  // MARK: Derived values

  /// The name that controllers show.
  var speakerName: String { self.name ?? "\(Version.name) (\(Host.name))" }

  /// The OpenHome device's friendly name. The UPnP AV device's is the speaker's name.
  var openHomeName: String { speakerName + self.openHomeSuffix }

  /// Host names that requests may carry.
  var hostPolicy: HostPolicy { HostPolicy(names: self.hosts) }

  /// Networks that may receive events.
  var callbackPolicy: CallbackPolicy { CallbackPolicy(networks: self.networks) }

  var replayGain: ReplayGainSettings {
    var settings = ReplayGainSettings()
    settings.mode = self.replayGainMode
    settings.preamp = self.replayGainPreamp
    settings.fallback = self.replayGainFallback
    return settings
  }

  /// The command for an event: a program and its arguments, or nothing.
  func command(on event: HookEvent) -> [String] {
    switch event {
    case .play: self.hooksPlay
    case .pause: self.hooksPause
    case .stop: self.hooksStop
    case .track: self.hooksTrack
    case .volume: self.hooksVolume
    case .standby: self.hooksStandby
    case .alarm: self.hooksAlarm
    }
  }
}

private protocol StoredValue: Sendable {}

/// The effect of a reload: reloadable keys take effect, the others wait for a restart.
struct ConfigurationChange: Equatable, CustomStringConvertible {
  /// The configuration in force from now on.
  let configuration: Configuration
  /// The changed keys that take effect.
  let applied: [String]
  /// The changed keys that wait for a restart.
  let waiting: [String]

  /// - Parameter current: the configuration in force. It lacks changes that wait for a restart, so every reload reports
  ///   them again.
  init(from current: Configuration, to new: Configuration) {
    let changed = ConfigurationKeys.all.filter { !$0.isSame(current, new) }
    var configuration = current
    let reloadable = changed.filter { $0.isReloadable(from: current, to: new) }
    for key in reloadable { key.copy(from: new, to: &configuration) }
    self.configuration = configuration
    applied = reloadable.map(\.name)
    waiting = changed.filter { !$0.isReloadable(from: current, to: new) }.map(\.name)
  }

  var description: String {
    let applied = applied.isEmpty ? nil : "In force now: \(applied.joined(separator: ", "))."
    let waiting = waiting.isEmpty ? nil : "Only after a restart: \(waiting.joined(separator: ", "))."
    let sentences = [applied, waiting].compactMap(\.self)
    return sentences.isEmpty ? "Nothing has changed." : sentences.joined(separator: " ")
  }
}
