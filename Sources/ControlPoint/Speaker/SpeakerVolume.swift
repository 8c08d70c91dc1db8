extension RemoteSpeaker {
  /// The volume, from 0 to 100. On an OpenHome player 100 is VolumeMax, also where VolumeLimit is lower.
  public func volume() async throws(ControlPointError) -> Int { try await volumeInSteps().percent }

  /// The volume in the speaker's own steps.
  public func volumeInSteps() async throws(ControlPointError) -> SpeakerVolume {
    switch try capabilities.require(.readVolume) {
    case .volume:
      let client = try services.volume.required
      return SpeakerVolume(steps: Int(try await client.volume()), scale: try await scale(of: client))
    default:
      let client = try services.renderingControl.required
      return SpeakerVolume(steps: Int(try await client.getVolume()), scale: Self.scale(of: client))
    }
  }

  /// Sets the volume, from 0 to 100. Values beyond the speaker's limit set the limit.
  public func setVolume(_ percent: Int) async throws(ControlPointError) {
    switch try capabilities.require(.setVolume) {
    case .volume: try await setVolume(steps: try await scale(of: try services.volume.required).steps(percent))
    default: try await setVolume(steps: Self.scale(of: try services.renderingControl.required).steps(percent))
    }
  }

  /// Sets the volume in the speaker's own steps.
  public func setVolume(steps: Int) async throws(ControlPointError) {
    switch try capabilities.require(.setVolume) {
    case .volume: try await services.volume?.setVolume(value: UInt32(clamping: steps))
    default: try await services.renderingControl?.setVolume(desiredVolume: UInt16(clamping: steps))
    }
  }

  /// Changes the volume by percentage points, but at least by one step of the speaker.
  /// - Returns: the new volume, from 0 to 100.
  @discardableResult
  public func changeVolume(by change: Int) async throws(ControlPointError) -> Int {
    _ = try capabilities.require(.setVolume)
    var volume = try await volumeInSteps()
    let steps = volume.scale.steps(from: volume.steps, changedBy: change)
    if steps != volume.steps { try await setVolume(steps: steps) }
    volume.steps = steps
    return volume.percent
  }

  public func isMuted() async throws(ControlPointError) -> Bool {
    switch try capabilities.require(.readMute) {
    case .volume: try await services.volume.required.mute()
    default: try await services.renderingControl.required.getMute()
    }
  }

  public func setMuted(_ isMuted: Bool) async throws(ControlPointError) {
    switch try capabilities.require(.setMute) {
    case .volume: try await services.volume?.setMute(value: isMuted)
    default: try await services.renderingControl?.setMute(desiredMute: isMuted)
    }
  }

  private func scale(of client: Volume1Client) async throws(ControlPointError) -> SpeakerVolumeScale {
    let characteristics = try await client.characteristics()
    let limit = try await tolerating { () throws(ControlPointError) in try await client.volumeLimit() }
    // OpenHome's "milli-dB" are 1/1024 dB.
    return SpeakerVolumeScale(
      maximum: Int(characteristics.volumeMax), limit: limit.map { Int($0) },
      decibelsPerStep: Double(characteristics.volumeMilliDbPerStep) / 1024)
  }

  /// The scale from the range in the SCPD; 0 to 100 if there is none.
  private static func scale(of client: RenderingControl1Client) -> SpeakerVolumeScale {
    let range = client.service.scpd.variable("Volume")?.range
    let minimum = range.flatMap { UInt16($0.minimum) } ?? 0
    let maximum = range.flatMap { UInt16($0.maximum) } ?? 100
    return SpeakerVolumeScale(minimum: Int(minimum), maximum: Int(maximum))
  }
}
