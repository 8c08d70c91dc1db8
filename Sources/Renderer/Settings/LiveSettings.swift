import Synchronization

/// The configuration of the running speaker. Applies and stores the settings of the page, and applies reloads of the
/// owner's file.
final class LiveSettings: Sendable {
  /// A setting as the page shows it.
  struct Entry: Sendable {
    let key: any AnyConfigurationKey
    /// nil if it is unset.
    let value: ConfigurationValue?
    let origin: ConfigurationOrigin
  }

  private struct State {
    /// The configuration without the page's settings.
    var owner: ConfigurationReading
    var page: PageSettings
    var inForce: Configuration

    func reading(_ path: String) -> ConfigurationReading { owner.adding(page, path: path) }
  }

  private let state: Mutex<State>
  private let updates: ConfigurationUpdates
  private let log: LogOutput
  private let file: StateFile

  /// - Parameters:
  ///   - owner: the configuration without the page's settings.
  ///   - inForce: the configuration that the speaker has started with.
  init(
    owner: ConfigurationReading, page: PageFile, inForce: Configuration, updates: ConfigurationUpdates,
    log: LogOutput, file: StateFile
  ) {
    state = Mutex(State(owner: owner, page: page.settings, inForce: inForce))
    self.updates = updates
    self.log = log
    self.file = file
    report(page, owner)
  }

  /// Sets a damaged file aside, and stores the settings that could be read.
  private func report(_ page: PageFile, _ owner: ConfigurationReading) {
    let logger = log.logger()
    for problem in page.problems + owner.adding(page.settings, path: file.path).ignored { logger.warning("\(problem)") }
    guard !page.problems.isEmpty, let path = file.setAside() else { return }
    logger.warning("The file with the page's settings is kept as \(path). The valid settings in it stay in force.")
    file.keep(page.settings.text)
  }

  /// The settings that the page shows, in the order of the declarations.
  var entries: [Entry] {
    let reading = state.withLock { $0.reading(file.path) }
    return ConfigurationKeys.all.filter(\.isOnPage).map { Self.entry($0, reading) }
  }

  private static func entry(_ key: any AnyConfigurationKey, _ reading: ConfigurationReading) -> Entry {
    Entry(key: key, value: key.value(in: reading.configuration), origin: reading.origin(of: key))
  }

  /// Sets a value for the page and applies it at once.
  /// - Parameter value: nil to forget the page's value.
  /// - Throws: if the value is invalid or contradicts another one. Then nothing changes.
  func set(_ key: any AnyConfigurationKey, to value: ConfigurationValue?) throws(ValueProblem) -> Entry {
    try state.withLock { state throws(ValueProblem) in
      var changed = state
      if let value {
        try changed.page.set(key, to: ConfigurationNode(value: value))
      } else {
        changed.page.reset(key)
      }
      let reading = changed.reading(file.path)
      let former = state.reading(file.path).ignored
      let ignored = reading.ignored.filter { !former.contains($0) }
      guard ignored.isEmpty else { throw ValueProblem(ignored.map { .init(member: $0.key, sentence: $0.sentence) }) }
      guard changed.page != state.page else { return Self.entry(key, reading) }
      state = changed
      // Apply only this key. Others may differ from those in force, such as presets that were reloaded separately.
      var wanted = state.inForce
      key.copy(from: reading.configuration, to: &wanted)
      let change = apply(wanted, to: &state)
      file.keep(state.page.text)
      log.logger().notice("The page changed the settings. \(change)")
      return Self.entry(key, reading)
    }
  }

  /// Applies a configuration that was read again.
  /// - Parameter owner: without the page's settings.
  func reload(_ owner: ConfigurationReading) -> ConfigurationChange {
    state.withLock { state in
      state.owner = owner
      let reading = state.reading(file.path)
      for problem in reading.ignored { log.logger().warning("\(problem)") }
      return apply(reading.configuration, to: &state)
    }
  }

  /// Applies only the presets of a configuration that was read again.
  /// - Returns: false if they are the same.
  func reloadPresets(_ owner: ConfigurationReading) -> Bool {
    state.withLock { state in
      let presets = owner.configuration.presets
      guard presets != state.inForce.presets else { return false }
      state.inForce.presets = presets
      updates.send(state.inForce)
      return true
    }
  }

  private func apply(_ configuration: Configuration, to state: inout State) -> ConfigurationChange {
    let change = ConfigurationChange(from: state.inForce, to: configuration)
    state.inForce = change.configuration
    log.level = state.inForce.logLevel
    updates.send(state.inForce)
    return change
  }
}
