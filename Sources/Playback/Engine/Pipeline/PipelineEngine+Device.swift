import PlaybackModel

/// The audio device: found, opened, let go of, lost.
extension PipelineEngine {
  /// How long until a device that is not there is looked for again.
  private static let searchInterval = Duration.seconds(5)
  private static let busyPatience = 5

  /// Makes the way to the device.
  func equip(_ description: OutputDescription) {
    do throws(OutputError) {
      let chain = try OutputChain(description, mailbox: mailbox)
      chain.converter.setDefaultTrackGain(settings.replayGain.factor(for: nil))
      chain.converter.setVolume(gain)
      chain.converter.setMuted(isMuted)
      chain.converter.setBalance(balance)
      chain.silence(epoch: epoch)
      output = .success((chain, Feeder(output: chain, mailbox: mailbox)))
      shareTrackGains()
    } catch {
      logger.error("\(error)")
      output = .failure(error.playbackError)
    }
  }

  /// Looks for a device where there is none, now and later.
  func search() {
    nextSearch = nil
    guard let find, chain == nil else { return }
    do throws(OutputError) {
      let description = try find()
      searchFailure = nil
      equip(description)
      report(.output(description))
    } catch {
      if error != searchFailure { logger.warning("\(error)") }
      searchFailure = error
      output = .failure(error.playbackError)
      report(.output(nil))
      nextSearch = .now + Self.searchInterval
    }
  }

  /// Gives up the output chain of a device that was found, and looks for another one.
  private func loseDevice() {
    guard find != nil, let feeder else { return }
    releaseDevice()
    feeder.quit()
    output = .failure(.deviceMissing)
    search()
  }

  /// Opens the device, after looking for it where there was none.
  /// - Returns: false if it cannot be opened; then the track has failed, or soon will have.
  func openDevice() -> Bool {
    timers[.release] = nil
    search()
    switch output {
    case .failure(let error):
      failed(error)
      return false
    case .success(let output):
      do throws(PlaybackError) {
        if !isDeviceOpen { try output.chain.probe() }
      } catch {
        failed(error)
        return false
      }
      // On failure the reason is in the mailbox already.
      isDeviceOpen = output.chain.open()
      return isDeviceOpen
    }
  }

  /// Closes the device. The run ends first: the feeder may be waiting for this device, and reads its ring buffer.
  func releaseDevice() {
    timers[.release] = nil
    isDeviceOpen = false
    endRun()
    chain?.close()
  }

  /// The device cannot be opened, or went away.
  func failed(_ error: PlaybackError) {
    guard phase != .idle else { return }
    releaseDevice()
    // Who had the card may be about to let go of it.
    if error == .deviceBusy, phase == .opening, timesBusy < Self.busyPatience {
      timesBusy += 1
      timers[.device] = .now + .milliseconds(300)
      return
    }
    if error != .deviceBusy { loseDevice() }
    // It may have come back under another name already.
    if phase == .opening, !hasSearched, find != nil, chain != nil {
      hasSearched = true
      timers[.device] = .now
      return
    }
    fail(error)
    timers[.release] = nil
  }
}
