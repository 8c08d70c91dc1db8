/// The facts about a source that `Lineup` bases its decisions on.
package protocol LineupSource {
  var id: Int { get }
  var track: Track { get }
  /// Whether enough is decoded for the feeder to take samples.
  var isReady: Bool { get }
  /// Whether nothing more will be decoded: the whole track is in memory, or the source has failed.
  var isComplete: Bool { get }
  /// The failure that ended the source.
  var failure: PlaybackError? { get }
  /// Decoded sound that the feeder has not taken yet.
  var held: HeldSound { get }
  /// Duration of the decoded sound.
  var length: Duration { get }
}

/// An amount of decoded sound.
package struct HeldSound: Sendable, Equatable {
  package var bytes: Int
  package var duration: Duration

  package init(bytes: Int = 0, duration: Duration = .zero) {
    self.bytes = bytes
    self.duration = duration
  }

  static func += (sum: inout HeldSound, more: HeldSound) {
    sum.bytes += more.bytes
    sum.duration += more.duration
  }
}
