/// The facts that `Lineup` reads of a source.
package protocol LineupSource {
  var id: Int { get }
  var track: Track { get }
  /// Enough is decoded for the feeder to take samples.
  var isReady: Bool { get }
  /// All of the track is decoded and in memory, or as much as will come.
  var isComplete: Bool { get }
  /// Why no more comes.
  var failure: PlaybackError? { get }
  /// Decoded sound that the feeder has not taken yet.
  var held: HeldSound { get }
  /// Length of the decoded sound.
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
