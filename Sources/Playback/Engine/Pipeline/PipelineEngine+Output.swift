import PlaybackModel

extension PipelineEngine {
  /// Ends the output's run and cancels everything that was planned for it.
  func silence() {
    timers = [:]
    device.cancel()
    endRun()
  }

  /// Ends the output's run, whatever state it is in: afterwards the feeder touches neither source nor device.
  func endRun() {
    epoch += 1
    endTime = nil
    guard let chain, let feeder else { return }
    feeder.halt()
    chain.silence(epoch: epoch)
    feeder.waitUntilIdle()
  }

  func beginIfReady() {
    guard recovery.phase == .opening, device.isOpen, let current, current.isReady, let chain, let feeder else { return }
    let awaitsFollowers = lineup.awaitsFollowers(until: settings.startFill)
    guard recovery.begin(awaitsFollowers: awaitsFollowers, now: .now) else { return }
    let isPaused = recovery.isPaused
    chain.begin(epoch: epoch, paused: isPaused)
    feeder.begin(
      session: epoch, source: feed(current), following: (lineup.readyFollowers ?? []).map(feed),
      expectsMore: current.failure?.isOfConnection == true, isHeld: isPaused)
    if isPaused { report(.paused(generation: generation, position: current.start)) }
  }

  func handle(_ event: OutputEvent) {
    switch event {
    case .playing:
      timers[.flush] = nil
      guard recovery.phase == .running, !recovery.isPaused else { return }
      report(.playing(generation: generation, position: heardPosition() ?? current?.start ?? .zero))
      timers[.measure] = .now + .seconds(1)
      announceJoins()
    case .ended: ended()
    case .failed(let failure):
      logger.debug("output: \(failure.message) [\(failure.debug)]")
      perform(device.failed(PlaybackError(device: failure), demand: demand, now: .now))
    case .latencyChanged: chain?.recalculateLatency()
    case .xrun: report(.xrun)
    }
  }

  func ended() {
    announceJoins(isForced: true)
    let failure = current?.failure
    silence()
    dispose(lineup.endCurrent())
    recovery.stop()
    device.scheduleRelease(at: .now + settings.deviceRelease)
    if let failure {
      report(.failed(generation: generation, failure))
    } else {
      report(.ended(generation: generation))
    }
  }

  /// Until the mixer has said otherwise, the samples have the level themselves: too soft for a moment is better than too
  /// loud.
  func set(_ level: Level) {
    levelRevision = level.revision
    if let mixer {
      if !hasHeardOfMixer { setSamples(gain: VolumeScale.gain(step: level.volume), isMuted: level.isMuted) }
      mixer.set(level)
    } else {
      setSamples(gain: VolumeScale.gain(step: level.volume), isMuted: level.isMuted)
    }
  }

  private func setSamples(gain: Double, isMuted: Bool) {
    (self.gain, self.isMuted) = (gain, isMuted)
    chain?.converter.setVolume(gain)
    chain?.converter.setMuted(isMuted)
  }

  func handle(_ event: MixerEvent) {
    switch event {
    case .samples(let revision, let gain, let isMuted):
      // What it says of a louder level than is wanted by now would be heard for a moment.
      guard revision >= levelRevision else { return }
      hasHeardOfMixer = true
      setSamples(gain: gain, isMuted: isMuted)
    case .moved(let level): report(.levelMoved(level))
    }
  }

  func handle(_ event: FeederEvent) {
    switch event {
    case .joined(let id, let runningTime):
      adoptJoin()
      if lineup.joined(id, at: runningTime) { announceJoins() }
      openStagedIfDue()
    case .finished(let runningTime):
      endTime = runningTime
      watchEnd()
    case .starving:
      if feeder?.isStarving == true { perform(recovery.starve(facts, now: .now)) }
    }
  }

  // MARK: Holding

  /// Holds the output before the device runs dry.
  func holdOutput() {
    timers[.join] = nil
    timers[.measure] = nil
    timers[.end] = nil
    feeder?.setHeld(true)
    chain?.pause()
  }

  /// Lets a held output run. If nothing was left in front of the device when it was held, it does not start until it
  /// gets something, which the feeder may be keeping for later.
  func resumeOutput() {
    chain?.resume()
    feeder?.setHeld(false)
    timers[.flush] = .now + .milliseconds(60)
    watchEnd()
  }

  /// A device whose clock stops before the end, as sound servers' do when they run dry, never tells that it has got there.
  private func watchEnd() {
    guard let endTime, let chain, !recovery.isPaused else { return }
    let patience = endTime == 0 ? Duration.zero : .seconds(2)
    timers[.end] = .now + .nanoseconds(max(0, endTime - chain.runningTime)) + patience
  }

  func reportPaused() {
    announceJoins()
    report(.paused(generation: generation, position: heardPosition() ?? current?.start ?? .zero))
  }

  // MARK: What is heard

  /// Where in the current track the ear is.
  func heardPosition() -> Duration? {
    guard let chain, let feeder, let current else { return nil }
    let heard = chain.runningTime
    guard let stretch = feeder.locate(heard), stretch.trackID == current.track.id else { return nil }
    return .nanoseconds(stretch.position + max(0, heard - stretch.runningTime))
  }

  /// Measures the position against the device's clock, which no other clock follows exactly.
  func measure() {
    guard recovery.phase == .running, !recovery.isPaused, let position = heardPosition() else { return }
    if chain?.hasLostTime == true, beginAnew(at: position) { return }
    report(.position(generation: generation, position: position))
    timers[.measure] = .now + .seconds(10)
  }

  /// Gives up a run whose clock says nothing any more for another one, from where the ear is.
  /// - Returns: false if that cannot be done with this track.
  private func beginAnew(at position: Duration) -> Bool {
    guard let current, current.isSeekable, current.failure == nil, continuation == nil else { return false }
    logger.notice("The device's clock has jumped; playback begins anew where it was.")
    let followers = lineup.followers
    recue(current, at: position, paused: recovery.isPaused)
    stage(followers)
    return true
  }
}
