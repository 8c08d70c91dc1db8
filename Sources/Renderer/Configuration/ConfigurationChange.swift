/// What follows from a file that was read again: what can take effect at once does, the rest waits for a restart.
struct ConfigurationChange: Equatable, CustomStringConvertible {
  /// What is in force from now on.
  let configuration: Configuration
  /// The keys whose new values take effect.
  let applied: [String]
  /// The keys whose new values wait for a restart.
  let waiting: [String]

  /// - Parameter current: what is in force; what waits for a restart is not, and so is named every time.
  init(from current: Configuration, to new: Configuration) {
    let changed = ConfigurationKey.all.filter { !$0.isSame(current, new) }
    var configuration = current
    for key in changed where key.isLive { key.copy(new, &configuration) }
    self.configuration = configuration
    applied = changed.filter(\.isLive).map(\.name)
    waiting = changed.filter { !$0.isLive }.map(\.name)
  }

  /// In sentences.
  var description: String {
    let applied = applied.isEmpty ? nil : "In force now: \(applied.joined(separator: ", "))."
    let waiting = waiting.isEmpty ? nil : "Only after a restart: \(waiting.joined(separator: ", "))."
    let sentences = [applied, waiting].compactMap(\.self)
    return sentences.isEmpty ? "Nothing has changed." : sentences.joined(separator: " ")
  }
}
