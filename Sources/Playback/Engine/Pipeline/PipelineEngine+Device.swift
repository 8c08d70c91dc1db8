import PlaybackModel

/// Performs what `DeviceMachine` decides.
extension PipelineEngine {
  func perform(_ actions: [DeviceMachine.Action]) {
    for action in actions {
      switch action {
      case .search: search()
      case .open(let isProbed): openDevice(isProbed: isProbed)
      case .close:
        // The run ends first: the feeder may be waiting for this device, and reads its ring buffer.
        endRun()
        chain?.close()
      case .detach:
        feeder?.quit()
        output = nil
      case .log(let error): logger.warning("\(error)")
      case .reportMissing: report(.output(nil))
      case .fail(let error):
        fail(error)
        // The device is closed already.
        device.cancel()
      }
    }
  }

  /// What the device is needed for now.
  var demand: DeviceMachine.Demand {
    switch recovery.phase {
    case .idle: .none
    case .opening: .starting
    case .running, .starved: .playing
    }
  }

  /// Builds the output chain and its feeder.
  func attachOutput(_ description: OutputDescription) throws(OutputError) {
    let chain = try OutputChain(description, mailbox: mailbox)
    chain.converter.setDefaultTrackGain(settings.replayGain.factor(for: nil))
    chain.converter.setVolume(gain)
    chain.converter.setMuted(isMuted)
    chain.converter.setBalance(balance)
    chain.silence(epoch: epoch)
    output = (chain, Feeder(output: chain, mailbox: mailbox))
    shareTrackGains()
  }

  private func search() {
    guard let find else { return }
    do throws(OutputError) {
      let description = try find()
      try attachOutput(description)
      report(.output(description))
    } catch {
      perform(device.notFound(error, demand: demand, now: .now))
      return
    }
    perform(device.found(demand: demand, now: .now))
  }

  private func openDevice(isProbed: Bool) {
    guard let chain else { return }
    do throws(PlaybackError) {
      if !isProbed { try chain.probe() }
    } catch {
      perform(device.failed(error, demand: demand, now: .now))
      return
    }
    // On failure the reason is in the mailbox already.
    device.opened(chain.open())
  }
}
