import CGStreamer
import PlaybackModel

extension PipelineEngine {
  func open(_ track: Track, at position: Duration) throws(PlaybackError) -> TrackSource {
    try TrackSource(
      track: track, start: position, isWithoutRanges: rangeless.contains(track.uri), settings: settings,
      mailbox: mailbox)
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
      if source === fed { perform(recovery.filled(facts)) }
    case .low: if source === fed { recovery.low(facts) }
    case .decodedToEnd:
      source.decodedToEnd()
      reportFacts(of: source)
      if source === fed { perform(recovery.decodedToEnd(facts, now: .now)) }
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
      if source === current, recovery.phase == .opening { ended() }
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

  /// Opens a source again whose server does not send it from where it was requested, unless it is heard already.
  private func readsFromTheBeginning(_ source: TrackSource) -> Bool {
    if withdraw(source, hasFailed: false) {
      openStagedIfDue()
      return true
    }
    guard let role = role(of: source), let actions = recovery.rangeRefused(role, facts, now: .now) else { return false }
    perform(actions)
    return true
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
    } else if let role = role(of: source) {
      perform(recovery.failed(role, error, facts, now: .now))
    }
  }
}
