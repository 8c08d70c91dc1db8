import ControlPoint
import UPnP

/// The result of an attempt to play a file.
enum PlayOutcome: Sendable, Equatable {
  /// PLAYING, and the position has risen if that was waited for.
  case plays
  case refused(action: String, code: Int)
  case stopped(isError: Bool)
  /// PLAYING or TRANSITIONING without progress.
  case stuck(TransportState)

  /// The outcome as the second half of a sentence.
  var description: String {
    switch self {
    case .plays: "it plays"
    case .refused(let action, let code): "error \(code) for \(action)"
    case .stopped(let isError): isError ? "STOPPED with ERROR_OCCURRED" : "STOPPED"
    case .stuck(let state): "\(state.rawValue) without progress"
    }
  }

  /// Whether a control point can detect that it does not play.
  var isReported: Bool {
    switch self {
    case .refused, .stopped: true
    case .plays, .stuck: false
    }
  }
}

extension TransportDriver {
  /// Time for which a renderer may still be STOPPED after Play.
  private static let startDelay = Duration.seconds(3)
  /// PLAYING without progress for this time is a failure. In TRANSITIONING, a renderer may take longer.
  private static let patience = Duration.seconds(5)
  /// The same for a file that cannot be played, if the device has not reported an earlier error.
  private static let shortPatience = Duration.seconds(3)

  /// Sets a file, plays it, and waits until it plays or has failed.
  /// - Parameters:
  ///   - progress: the rise of the position to wait for.
  ///   - playback: playback time to allow, in addition to the usual limit.
  ///   - isUnplayable: whether it cannot be played.
  func outcome(
    of media: ServedMedia, progress: Duration = .seconds(1), after playback: Duration = .zero,
    isUnplayable: Bool = false
  ) async throws(Finding) -> PlayOutcome {
    try await outcome(
      uri: media.url, metadata: media.metadata, progress: progress, after: playback, isUnplayable: isUnplayable)
  }

  func outcome(
    uri: String, metadata: String, progress: Duration = .seconds(1), after playback: Duration = .zero,
    isUnplayable: Bool = false
  ) async throws(Finding) -> PlayOutcome {
    try context.require("avt/2.4/play")
    let requests = [
      ("SetAVTransportURI", [(name: "CurrentURI", value: uri), (name: "CurrentURIMetaData", value: metadata)]),
      ("Play", [(name: "Speed", value: "1")]),
    ]
    for (action, arguments) in requests {
      let answer = try await self.answer(action, arguments)
      if let code = answer.faultCode {
        // Rygel has begun to play with SetAVTransportURI.
        if action == "Play", code == 701, [.playing, .transitioning].contains(try await state()) { break }
        return .refused(action: action, code: code)
      }
      if answer.results == nil { throw .failure(expected: "an answer to \(action)", got: answer.summary) }
    }
    return try await outcomeOfPlay(progress: progress, after: playback, isUnplayable: isUnplayable)
  }

  /// Waits until playback that has just been started makes progress or has failed.
  func outcomeOfPlay(
    progress: Duration = .seconds(1), after playback: Duration = .zero, isUnplayable: Bool = false
  ) async throws(Finding) -> PlayOutcome {
    let longest = isUnplayable && context.shared.isNoted(Self.silence) ? Self.shortPatience : Self.patience
    let start = context.clock.now
    let limit = context.clock.now + context.clock.real(playback + progress)
    var hasStarted = false
    // At first, some renderers return the position of the file before.
    var lowest: Duration?
    while true {
      let state = try await self.state()
      switch state {
      case .playing where progress == .zero: return .plays
      case .playing:
        hasStarted = true
        guard let time = try await position().time else { break }
        lowest = min(lowest ?? time, time)
        if let lowest, time - lowest >= progress { return .plays }
      case .transitioning: hasStarted = true
      case .stopped, .noMedia:
        let isError = try await hasFailed()
        if isError || hasStarted || context.clock.elapsed(since: start) > Self.startDelay {
          return .stopped(isError: isError)
        }
      default: break
      }
      let patience = state == .playing ? min(context.times.transition, longest) : context.times.transition
      guard context.clock.now < limit + patience, !Task.isCancelled else { return .stuck(state) }
      await context.clock.sleep(.milliseconds(100))
    }
  }

  /// Whether the device reports an error.
  func hasFailed() async throws(Finding) -> Bool {
    try await context.output("CurrentTransportStatus", of: "GetTransportInfo", Self.service) == "ERROR_OCCURRED"
  }

  /// Plays a file. Fails unless it plays.
  /// - Parameter what: the file in words, for reports.
  func expectPlays(
    _ media: ServedMedia, _ what: String, progress: Duration = .seconds(1), after playback: Duration = .zero
  ) async throws(Finding) {
    let outcome = try await outcome(of: media, progress: progress, after: playback)
    try context.expect(outcome == .plays, "that \(what) plays", got: outcome.description)
  }

  /// Checks that an attempt to play a file failed in a way that a control point can detect.
  func expectFailure(_ outcome: PlayOutcome, of what: String) throws(Finding) {
    try context.expect(
      outcome.isReported, "an error, or STOPPED, for \(what)",
      got: outcome == .plays ? "PLAYING with a rising position" : outcome.description)
  }
}
