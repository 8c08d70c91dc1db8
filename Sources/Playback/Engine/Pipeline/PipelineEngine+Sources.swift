import CGStreamer
import PlaybackModel

extension PipelineEngine {
  func open(_ track: Track, at position: Duration) throws(PlaybackError) -> TrackSource {
    try TrackSource(
      track: track, start: position, isWithoutRanges: rangeless.contains(track.uri), settings: settings,
      mailbox: mailbox)
  }

  private func disposeOfContinuation() {
    dispose(lineup.removeContinuation())
    timers[.resume] = nil
  }

  func handle(_ event: SourceEvent, of id: Int) {
    adoptJoin()
    let asked = lineup.sources + [listing?.source].compactMap { $0 }
    guard let source = asked.first(where: { [$0.id, $0.document?.id, $0.part?.id].contains(id) }) else { return }
    if source.document?.id == id {
      handle(event, ofDocumentOf: source)
      return
    }
    if source.part?.id == id {
      handle(event, ofPartOf: source)
      return
    }
    switch event {
    case .prerolled:
      source.prerolled()
      if source === listing?.source { finishListing(.success([ListedTrack(address: source.track.uri)])) }
      reportFacts(of: source)
    case .filled(let request):
      guard source.filled(request: request) else { return }
      // What broke off has come to its end by that, and no more of it comes.
      if source === fed, phase == .starved, source.failure == nil { recover() }
    case .low: if source === fed { watchForSilence(since: source.context.lastArrival) }
    case .decodedToEnd:
      source.decodedToEnd()
      reportFacts(of: source)
      if source === fed, source.nature.kind == .station, source.failure == nil {
        // It has no end: the line has one.
        source.failure = .truncated
        feeder?.setExpectsMore(true)
      }
      if source === fed, source.isBroken, continuation == nil { reconnect() }
      openStagedIfDue()
    case .durationChanged:
      source.readDuration()
      reportFacts(of: source)
    case .tags(let tags):
      source.add(tags)
      if tags.replayGain != nil { shareTrackGains() }
      reportFacts(of: source)
    case .failed(let failure): handle(failure, of: source)
    // Of a document, which this is not.
    case .documentEnded: break
    case .diagnosed(let error): failed(source, error ?? .failed("the server does not deliver"))
    }
    beginIfReady()
    offerFollowers()
  }

  /// A part of the file was asked for by itself.
  private func handle(_ event: SourceEvent, ofPartOf source: TrackSource) {
    switch event {
    case .documentEnded, .failed:
      guard source.partEnded() else {
        if source === current { fail(.truncated) } else { failed(source, .truncated) }
        return
      }
      shareTrackGains()
      beginIfReady()
      offerFollowers()
    default: break
    }
  }

  func reportFacts(of source: TrackSource) {
    guard source === current else { return }
    if let info = source.streamInfo { report(.streamInfo(trackID: source.track.id, info)) }
    if let duration = source.duration { report(.duration(trackID: source.track.id, duration)) }
    if let title = source.liveTitle { report(.title(trackID: source.track.id, title)) }
  }

  /// Tells the output what the gain of each track is. It is known before the first sample comes, since tags do.
  func shareTrackGains() {
    let gains = lineup.sources.map { ($0.track.id, $0.replayGainSettings.factor(for: $0.replayGain)) }
    chain?.converter.setTrackGains(Dictionary(gains, uniquingKeysWith: { $1 }))
  }

  /// What goes to the output already stays as it is.
  func setReplayGain(_ replayGain: ReplayGainSettings) {
    settings.replayGain = replayGain
    for source in lineup.stagedSources {
      source.replayGainSettings = replayGain
      source.readEndIfWanted()
    }
    chain?.converter.setDefaultTrackGain(replayGain.factor(for: nil))
    shareTrackGains()
  }

  // MARK: Failures

  private func handle(_ failure: ElementFailure, of source: TrackSource) {
    logger.debug("source \(source.id): \(failure.message) [\(failure.debug)]")
    // The first failure says why; those after it are its consequences.
    guard source.failure == nil, !source.isWhole else { return }
    if failure.isRefusedRange, rangeless.insert(source.track.uri), readsFromTheBeginning(source) { return }
    // Asked for what it still owed, the server says that there is no more: it was wrong about the length.
    if failure.httpStatus == 416, source.isPrerolled, source !== continuation {
      source.isWhole = true
      // Nor is there at the place that was sought.
      if source === current, phase == .opening { ended() }
      return
    }
    if let error = PlaybackError(source: failure) {
      failed(source, error == .notAudio && !source.context.hasReceived ? .empty : error)
    } else if source.isPrerolled || (failure.isOfReading && source.context.hasReceived) {
      failed(source, .truncated)
    } else if let address = HTTPAddress(source.track.uri) {
      source.failure = .unreachable
      source.isUnderDiagnosis = true
      NamedThread.start("diagnosis") { [context = source.context] in
        context.post(.diagnosed(ConnectionDiagnosis.run(address)))
      }
    } else {
      failed(source, .notAudio)
    }
  }

  /// Opens once more what its server did not give from where it was asked for, unless that sounds already.
  private func readsFromTheBeginning(_ source: TrackSource) -> Bool {
    if source === continuation {
      openContinuation()
    } else if withdraw(source, hasFailed: false) {
      openStagedIfDue()
    } else if source === current, phase == .opening {
      timers[.open] = .now + settings.openTimeout
      openCurrentOnceMore()
    } else {
      return false
    }
    return true
  }

  /// Opens the track that is to be heard another time, instead of what did not come about.
  private func openCurrentOnceMore() {
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

  func failed(_ source: TrackSource, _ error: PlaybackError) {
    source.failure = error
    source.isUnderDiagnosis = false
    // More of it may come at any moment.
    let isWhole = source.context.isHeadComplete
    let list = error == .notAudio || error.isOfFormat ? list(of: source) : nil
    if list != nil, !isWhole, readsOn(source) { return }
    if source === listing?.source {
      finishListing(list.map { .success($0.tracks) } ?? .failure(error))
      return
    }
    if source !== continuation, let list {
      report(.listed(trackID: source.track.id, list.tracks))
      if source === current { return }
    }
    if withdraw(source, hasFailed: true) {
      // Not reported: it is opened again when its turn comes.
      logger.info("a track that follows cannot be opened ahead: \(error)")
    } else if source === continuation {
      // What has arrived is heard when its turn comes, and then what is still missing is requested.
      if error.isOfConnection, source.isReady { return }
      source.dispose()
      absence = error.isOfAbsence ? error : nil
      reconnect()
    } else if source === current, awaitsSound, error == .truncated, resumePolicy.mayBeginAgain {
      reconnectAfterPause()
    } else if source === fed, error.isOfConnection, source.isPrerolled {
      feeder?.setExpectsMore(true)
      setFollowing([])
      // What has arrived is decoded first: where that ends, the rest begins.
      if source.isBroken { reconnect() }
    } else if source === current, phase == .opening {
      fail(error)
    } else if source === fed {
      // What is already decoded of a track that sounds is heard; its end tells the failure.
      setFollowing([])
    }
  }

  // MARK: What broke off

  /// The source that is being fed broke off, or the attempt to get its rest did.
  func reconnect() {
    setFollowing([])
    disposeOfContinuation()
    if let fed, fed.endsWhereItBegan {
      // Read once more, it ends at the same place: that is where it ends, whatever the server says of its length.
      fed.failure = nil
      feeder?.setExpectsMore(false)
      recover()
      openStagedIfDue()
      return
    }
    // While nobody wants to hear it, nobody is asked.
    if isPaused { return }
    reconnectAfterPause()
  }

  /// Nothing has come yet from where the current track is wanted.
  private var awaitsSound: Bool { phase == .opening && current?.isPositioned == false }

  private func reconnectAfterPause() {
    if resumePolicy.isFresh { logger.info("the stream broke off: taking it up again") }
    let pause = resumePolicy.failed()
    if pause == .zero { reconnectNow() } else { timers[.resume] = .now + pause }
  }

  /// Asks for what broke off: all of it, if there was nothing of it to be heard.
  func reconnectNow() {
    if awaitsSound {
      openCurrentOnceMore()
    } else if continuation == nil {
      openContinuation()
    } else {
      judgeContinuation()
    }
  }

  /// Opens the track of the source that is being fed once more, where that ends.
  private func openContinuation() {
    guard let fed, fed.failure != nil else { return }
    disposeOfContinuation()
    // A station goes on where it is now, and so does what turns out to be one.
    let position = fed.isStation ? .zero : max(fed.end, fed.start)
    do throws(PlaybackError) {
      let source = try open(fed.track, at: position)
      timers[.resume] = .now + settings.openTimeout
      source.replayGainSettings = fed.replayGainSettings
      source.formerBeginning = fed.beginning
      source.isContinuation = true
      lineup.setContinuation(source)
    } catch {
      fail(error)
    }
  }

  /// The server has had its time. The last of what came is still in front of the device.
  func giveUp() {
    let isPassing = fed.map { $0.isPassingOver && $0.context.lastArrival + settings.silenceTimeout > .now } ?? false
    if isPassing || awaitsPlace {
      // Once the place is reached, the server has its time from there.
      awaitsPlace = isPassing
      timers[.stall] = .now + settings.stallTimeout
      return
    }
    guard let fed, fed.isBroken else { return fail(.stalled) }
    if let absence {
      if !isLongWait, lineup.staysOnServer {
        logger.info("the server is away: waiting for it")
        isLongWait = true
        timers[.stall] = .now + settings.outageTimeout - settings.stallTimeout
        return
      }
      fed.failure = absence
    }
    disposeOfContinuation()
    feeder?.setExpectsMore(false)
    recover()
  }

  /// The continuation has had time to come.
  private func judgeContinuation() {
    guard let continuation, !continuation.isReady else { return }
    absence = continuation.isPrerolled ? nil : .timedOut
    reconnect()
  }

  /// A server that sends nothing at all is asked again on another connection: while there is still something to hear if
  /// its stream can be gone on with where it ends, else when the output is held.
  func judgeSilence() {
    guard phase == .starved || phase == .running, let fed, fed.failure == nil else { return }
    guard phase == .starved || fed.context.isLow else { return }
    guard phase == .starved || (fed.isSeekable && !isPaused) else { return watchForSilence(since: .now) }
    let lastArrival = fed.context.lastArrival
    guard lastArrival + settings.silenceTimeout <= .now else { return watchForSilence(since: lastArrival) }
    fed.failure = .stalled
    feeder?.setExpectsMore(true)
    // Should it speak again, it would do so beside the new one.
    fed.cutOff()
  }

  func watchForSilence(since beginning: Instant) {
    timers[.silence] = beginning + settings.silenceTimeout
  }
}
