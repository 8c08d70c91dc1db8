import UPnP

/// The UPnP AV and OpenHome devices of one machine as one speaker.
///
/// Each verb uses the best service that the machine offers: OpenHome's Transport, Playlist and Volume, otherwise
/// AVTransport and RenderingControl. A verb that no service can perform throws `.notOffered`, which names the missing
/// action.
///
/// ```swift
/// let speaker = try await controlPoint.speaker(at: location)
/// try await speaker.play([SpeakerItem(uri: "http://192.0.2.1/song.flac")])
/// try await speaker.setVolume(40)
/// print(try await speaker.now().track?.title ?? "nothing")
/// ```
public struct RemoteSpeaker: Sendable {
  public let devices: SpeakerDevices
  public let capabilities: SpeakerCapabilities
  /// The deviations that make services unusable.
  public let deviations: [Deviation]
  let services: SpeakerServices

  init(devices: SpeakerDevices, services: SpeakerServices, deviations: [Deviation] = []) {
    self.devices = devices
    self.services = services
    self.deviations = deviations
    capabilities = services.capabilities
  }

  /// The friendly name.
  public var name: String { devices.name }
  /// The UDN of the first device.
  public var id: String { devices.descriptions.first?.root.udn ?? "" }

  // MARK: Transport

  /// Resumes the paused or stopped track. Leaves standby.
  public func play() async throws(ControlPointError) {
    try await wake()
    switch try await mechanism(.resume) {
    case .transport: try await services.transport?.play()
    case .playlist: try await services.playlist?.play()
    case .radio: try await services.radio?.play()
    case .receiver: try await services.receiver?.play()
    default: try await services.avTransport?.play()
    }
  }

  public func pause() async throws(ControlPointError) {
    switch try await mechanism(.pause) {
    case .transport: try await services.transport?.pause()
    case .playlist: try await services.playlist?.pause()
    case .radio: try await services.radio?.pause()
    default: try await services.avTransport?.pause()
    }
  }

  public func stop() async throws(ControlPointError) {
    switch try await mechanism(.stop) {
    case .transport: try await services.transport?.stop()
    case .playlist: try await services.playlist?.stop()
    case .radio: try await services.radio?.stop()
    case .receiver: try await services.receiver?.stop()
    default: try await services.avTransport?.stop()
    }
  }

  /// Skips to the next track.
  public func next() async throws(ControlPointError) {
    switch try await mechanism(.next) {
    case .transport: try await services.transport?.skipNext()
    case .playlist: try await services.playlist?.next()
    default: try await services.avTransport?.next()
    }
  }

  /// Goes back to the previous track, or to the beginning of the current one, as the speaker prefers.
  public func previous() async throws(ControlPointError) {
    switch try await mechanism(.previous) {
    case .transport: try await services.transport?.skipPrevious()
    case .playlist: try await services.playlist?.previous()
    default: try await services.avTransport?.previous()
    }
  }

  /// Seeks within the current track, to the second.
  public func seek(to position: Duration) async throws(ControlPointError) {
    let position = max(.zero, position)
    let seconds = UInt32(clamping: position.components.seconds)
    switch try await mechanism(.seek) {
    case .transport:
      guard let transport = services.transport else { return }
      try await transport.seekSecondAbsolute(streamId: try await transport.streamId(), secondAbsolute: seconds)
    case .playlist: try await services.playlist?.seekSecondAbsolute(value: seconds)
    case .radio: try await services.radio?.seekSecondAbsolute(value: seconds)
    default: try await services.avTransport?.seek(unit: .relTime, target: UPnPTime.text(position))
    }
  }

  // MARK: Repeat and shuffle

  public func isRepeating() async throws(ControlPointError) -> Bool {
    switch try capabilities.require(.readRepeat) {
    case .transport: try await services.transport.required.repeat()
    case .playlist: try await services.playlist.required.repeat()
    default: PlayModes.isRepeating(try await services.avTransport.required.getTransportSettings().playMode)
    }
  }

  /// AVTransport has one mode for repeat and shuffle, so repeat ends shuffle there.
  public func setRepeating(_ isOn: Bool) async throws(ControlPointError) {
    switch try capabilities.require(.setRepeat) {
    case .transport: try await services.transport?.setRepeat(repeat: isOn)
    case .playlist: try await services.playlist?.setRepeat(value: isOn)
    default: try await setPlayMode(.setRepeat) { modes, mode in modes.repeating(isOn, from: mode) }
    }
  }

  public func isShuffling() async throws(ControlPointError) -> Bool {
    switch try capabilities.require(.readShuffle) {
    case .transport: try await services.transport.required.shuffle()
    case .playlist: try await services.playlist.required.shuffle()
    default: PlayModes.isShuffling(try await services.avTransport.required.getTransportSettings().playMode)
    }
  }

  /// AVTransport has one mode for repeat and shuffle, so shuffle ends repeat there.
  public func setShuffling(_ isOn: Bool) async throws(ControlPointError) {
    switch try capabilities.require(.setShuffle) {
    case .transport: try await services.transport?.setShuffle(shuffle: isOn)
    case .playlist: try await services.playlist?.setShuffle(value: isOn)
    default: try await setPlayMode(.setShuffle) { modes, mode in modes.shuffling(isOn, from: mode) }
    }
  }

  private func setPlayMode(
    _ verb: SpeakerCapabilities.Verb, _ change: (PlayModes, PlayModes.Mode) -> PlayModes.Mode?
  ) async throws(ControlPointError) {
    let transport = try services.avTransport.required
    let modes = PlayModes(allowed: transport.service.scpd.variable("CurrentPlayMode")?.allowedValues ?? [])
    let current = try await transport.getTransportSettings().playMode
    guard let mode = change(modes, current) else { throw .notOffered(verb.phrase) }
    if mode != current { try await transport.setPlayMode(newPlayMode: mode) }
  }

  // MARK: Choice of the service

  /// The service for a verb. Asks for the current source if the choice depends on it. If the speaker does not answer,
  /// its first service is used.
  func mechanism(_ verb: SpeakerCapabilities.Verb) async throws(ControlPointError) -> SpeakerCapabilities.Mechanism {
    guard capabilities.dependsOnSource(verb) else { return try capabilities.require(verb) }
    let source = try await tolerating { () throws(ControlPointError) in try await currentSource() } ?? nil
    return try capabilities.require(verb, sourceType: source?.type)
  }
}

extension Optional where Wrapped: ServiceClient {
  /// The client. `SpeakerCapabilities` chooses only services that exist, so the error does not occur.
  var required: Wrapped {
    get throws(ControlPointError) {
      guard let self else { throw .notOffered("\(Wrapped.serviceType)") }
      return self
    }
  }
}
