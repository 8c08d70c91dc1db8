import Synchronization

/// Whether the last wait of a check was in vain, so that its failure may only show that the tester or the device was
/// slow. The tasks of a check find it through ``current``.
final class Lateness: Sendable {
  @TaskLocal static var current: Lateness?

  private let state = Mutex(false)

  var isNoted: Bool { state.withLock { $0 } }

  /// Notes the end of a wait.
  static func note(_ isLate: Bool) { current?.state.withLock { $0 = isLate } }
}
