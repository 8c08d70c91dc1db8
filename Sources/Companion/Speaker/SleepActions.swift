/// What the speaker does before the machine sleeps and after it wakes.
package struct SleepActions: Sendable {
  /// Pauses, saves the state and says goodbye to the network. Returns when all this is done.
  package let prepare: @Sendable () async -> Void
  /// Announces the speaker again, and resumes the playback that `prepare` has paused. A cancelled call returns soon; the
  /// next call continues its work.
  package let recover: @Sendable () async -> Void

  package init(prepare: @escaping @Sendable () async -> Void = {}, recover: @escaping @Sendable () async -> Void = {}) {
    self.prepare = prepare
    self.recover = recover
  }
}
