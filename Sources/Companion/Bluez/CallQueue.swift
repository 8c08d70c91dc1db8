/// Runs calls to BlueZ one after another.
@CompanionActor final class CallQueue {
  private var last: Task<Void, Never>?

  /// Runs the body after all that were added before it.
  func add(_ body: @escaping @CompanionActor @Sendable () async -> Void) {
    let before = last
    last = Task { @CompanionActor in
      await before?.value
      await body()
    }
  }

  /// Waits for the bodies that were added so far.
  func drain() async { await last?.value }
}
