extension RemoteSpeaker {
  /// The volume, from 0 to 100. On an OpenHome player 100 is VolumeMax, also where VolumeLimit is lower.
  public func volume() async throws(ControlPointError) -> Int {
    switch try capabilities.require(.readVolume) {
    case .volume:
      let client = try services.volume.required
      return try await scale(of: client).percent(Int(try await client.volume()))
    default:
      let client = try services.renderingControl.required
      return Self.scale(of: client).percent(Int(try await client.getVolume()))
    }
  }

  /// Sets the volume, from 0 to 100. Values beyond the speaker's limit set the limit.
  public func setVolume(_ percent: Int) async throws(ControlPointError) {
    switch try capabilities.require(.setVolume) {
    case .volume:
      let client = try services.volume.required
      try await client.setVolume(value: UInt32(clamping: try await scale(of: client).steps(percent)))
    default:
      let client = try services.renderingControl.required
      try await client.setVolume(desiredVolume: UInt16(clamping: Self.scale(of: client).steps(percent)))
    }
  }

  /// Changes the volume by percentage points, but at least by one step of the speaker.
  /// - Returns: the new volume, from 0 to 100.
  @discardableResult
  public func changeVolume(by change: Int) async throws(ControlPointError) -> Int {
    _ = try capabilities.require(.readVolume)
    switch try capabilities.require(.setVolume) {
    case .volume:
      let client = try services.volume.required
      let scale = try await scale(of: client)
      let current = Int(try await client.volume())
      let steps = scale.steps(from: current, changedBy: change)
      if steps != current { try await client.setVolume(value: UInt32(clamping: steps)) }
      return scale.percent(steps)
    default:
      let client = try services.renderingControl.required
      let scale = Self.scale(of: client)
      let current = Int(try await client.getVolume())
      let steps = scale.steps(from: current, changedBy: change)
      if steps != current { try await client.setVolume(desiredVolume: UInt16(clamping: steps)) }
      return scale.percent(steps)
    }
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

  private func scale(of client: Volume1Client) async throws(ControlPointError) -> PercentScale {
    let maximum = Int(try await client.characteristics().volumeMax)
    let limit = try await tolerating { () throws(ControlPointError) in try await client.volumeLimit() }
    return PercentScale(maximum: maximum, limit: limit.map { Int($0) })
  }

  /// The scale from the range in the SCPD; 0 to 100 if there is none.
  private static func scale(of client: RenderingControl1Client) -> PercentScale {
    let range = client.service.scpd.variable("Volume")?.range
    let minimum = range.flatMap { UInt16($0.minimum) } ?? 0
    let maximum = range.flatMap { UInt16($0.maximum) } ?? 100
    return PercentScale(minimum: Int(minimum), maximum: Int(maximum))
  }
}
