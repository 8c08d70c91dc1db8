import ArgumentParser
import ControlPoint

/// `swiftlet-control wait`
struct WaitCommand: DeviceCommand {
  static let configuration = CommandConfiguration(
    commandName: "wait", abstract: "Wait until the speaker has finished.",
    discussion: """
      The command ends when the speaker has stopped, also if it was stopped before, or with --track when another track \
      begins. A paused speaker has not finished.
      """)

  @Argument(help: .device, completion: .devices) var device: String = DeviceNames.defaultMark
  @Flag(help: "Wait only for the end of the current track.") var track = false
  @OptionGroup var options: NetworkOptions

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    var watch = EndWatch(ofTrack: track)
    let start = ContinuousClock.now
    var misses = 0
    while true {
      do throws(ControlPointError) {
        let now = try await speaker.now()
        misses = 0
        if watch.observe(now.state, now.track.map { PlayedURI($0.uri) }, at: start.duration(to: .now)) { break }
      } catch {
        guard error != .cancelled, misses < EndWatch.maximumMisses else { throw error }
        misses += 1
      }
      try await Task.sleep(for: .seconds(1))
    }
    try report(["done": "wait"])
  }
}

/// Decides whether a speaker has finished. A pure state machine.
struct EndWatch {
  /// A speaker may stop for a moment between two tracks.
  static let patience = Duration.seconds(3)
  /// Limit for consecutive missing answers.
  static let maximumMisses = 20

  private let isOfTrack: Bool
  private var track: PlayedURI?
  private var stoppedAt: Duration?

  /// - Parameter isOfTrack: whether a new track ends the wait.
  init(ofTrack isOfTrack: Bool) { self.isOfTrack = isOfTrack }

  /// - Parameter now: monotonic.
  /// - Returns: whether the speaker has finished.
  mutating func observe(_ state: PlaybackState, _ current: PlayedURI?, at now: Duration) -> Bool {
    let first = track ?? current
    track = first
    if isOfTrack, let current, current != first { return true }
    guard [.stopped, .noMedia].contains(state) else {
      stoppedAt = nil
      return false
    }
    let since = stoppedAt ?? now
    stoppedAt = since
    return now - since >= Self.patience
  }
}
