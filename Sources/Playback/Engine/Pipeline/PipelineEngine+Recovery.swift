import PlaybackModel

/// Performs what `Recovery` decides.
extension PipelineEngine {
  func perform(_ actions: [Recovery.Action]) {
    for action in actions {
      switch action {
      case .reopenCurrent: reopenCurrent()
      case .openContinuation: openContinuation()
      case .discardContinuation: dispose(lineup.removeContinuation())
      case .withholdFollowers: setFollowing([])
      case .openFollowers: openStagedIfDue()
      case .setFailure(let error): fed?.failure = error
      case .expectContinuation(let isExpected): feeder?.setExpectsMore(isExpected)
      case .disconnect: fed?.cutOff()
      case .holdOutput: holdOutput()
      case .resumeOutput: resumeOutput()
      case .reportPaused: reportPaused()
      case .reportBuffering: report(.buffering(generation: generation, position: heardPosition() ?? .zero))
      case .awaitFill(let amount): fed?.awaitFill(amount)
      case .fail(let error): fail(error)
      case .logReconnecting: logger.info("the stream broke off: reconnecting")
      case .logOutage: logger.info("the server is away: waiting for it")
      }
    }
  }

  var facts: Recovery.Facts {
    var facts = Recovery.Facts(fed: fed.map(\.recoveryFacts))
    if let continuation {
      facts.continuation = continuation.isReady ? .ready : continuation.isPrerolled ? .prerolled : .opening
    }
    facts.currentFailure = current?.failure
    facts.isCurrentPositioned = current?.isPositioned ?? true
    facts.staysOnServer = lineup.staysOnServer
    return facts
  }

  func role(of source: TrackSource) -> Recovery.Role? {
    if source === continuation { return .continuation }
    if source === current { return .current(isFed: source === fed) }
    return source === fed ? .fed : nil
  }

  /// Opens the current track again in the place of its source.
  private func reopenCurrent() {
    guard let former = current else { return }
    former.dispose()
    do throws(PlaybackError) {
      let source = try open(former.track, at: former.start)
      source.formerBeginning = former.formerBeginning
      lineup.setCurrent(source)
    } catch {
      fail(error)
    }
  }

  /// Opens the fed track again where its decoded sound ends.
  private func openContinuation() {
    guard let fed, fed.failure != nil else { return }
    // A station goes on where it is now, and so does a stream that turns out to be one.
    let position = fed.isStation ? .zero : max(fed.end, fed.start)
    do throws(PlaybackError) {
      let source = try open(fed.track, at: position)
      source.replayGainSettings = fed.replayGainSettings
      source.formerBeginning = fed.beginning
      source.isContinuation = true
      lineup.setContinuation(source)
    } catch {
      fail(error)
    }
  }
}

extension TrackSource {
  fileprivate var recoveryFacts: Recovery.Fed {
    var facts = Recovery.Fed(lastArrival: context.lastArrival)
    facts.failure = failure
    facts.isUnderDiagnosis = isUnderDiagnosis
    facts.isPrerolled = isPrerolled
    facts.isComplete = isComplete
    facts.isSeekable = isSeekable
    facts.isLive = isLive
    facts.isStation = nature.kind == .station
    facts.isLow = context.isLow
    facts.isReadingToPosition = isReadingToPosition
    facts.start = start
    facts.end = end
    return facts
  }
}
