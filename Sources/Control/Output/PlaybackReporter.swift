import ControlPoint

/// Reports what a command plays.
struct PlaybackReporter: Sendable {
  private struct Line: Encodable {
    /// `queued`, `playing`, `failed` or `ended`.
    var event: String
    /// From 1.
    var number, count: Int?
    var track: TrackLine?
    var reason: String?
  }

  let json: Bool

  /// The items have been sent to the speaker.
  func show(_ items: [SpeakerItem]) {
    for (index, item) in items.enumerated() {
      write(
        Line(event: "queued", number: index + 1, count: items.count, track: TrackLine(item.track)),
        TrackText.line(item.track))
    }
  }

  /// Explains to the user why the command does not end.
  func note(_ text: String) {
    if !json { Terminal.complain(text) }
  }

  func playing(_ track: SpeakerTrack, number: Int?, of count: Int) {
    write(
      Line(event: "playing", number: number, count: count, track: TrackLine(track)),
      "Playing \(number.map { "\($0)/\(count): " } ?? "")\(TrackText.line(track))")
  }

  /// - Parameter failure: nil if the reason is unknown.
  func failed(_ track: SpeakerTrack, number: Int, of count: Int, _ failure: PlaybackWatch.Failure?) {
    if json {
      let reason = failure?.rawValue
      return write(Line(event: "failed", number: number, count: count, track: TrackLine(track), reason: reason), "")
    }
    Terminal.complain(
      "The speaker cannot play \(TrackText.name(track))\(failure.map { ": \($0)" } ?? "").")
  }

  func ended(_ ending: QueueFeedProgress.Ending) {
    let words: String? =
      switch ending {
      case .played, .cancelled: nil
      case .stopped: "The speaker was stopped."
      case .takenOver: "Another control point plays something else."
      case .givenUp: "Gave up: the speaker cannot play any item, or too many in a row."
      case .unreachable: "The speaker cannot be reached any more."
      }
    if json {
      write(Line(event: "ended", reason: ending.rawValue), "")
    } else if let words {
      Terminal.complain(words)
    }
  }

  private func write(_ line: Line, _ words: String) {
    // Standard output may be closed, which must not end the playback.
    if json { try? Terminal.json(line) } else { Terminal.entry(words) }
    Terminal.flush()
  }
}
