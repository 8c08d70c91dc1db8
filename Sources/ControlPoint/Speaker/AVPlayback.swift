import UPnP

/// Plays single items through AVTransport, also on devices that are not ready at once.
struct AVPlayback: Sendable {
  /// The longest wait for a device that loads an item. Then Play is sent anyway.
  private static let patience = Duration.seconds(5)
  private static let interval = Duration.milliseconds(100)

  let transport: AVTransport1Client
  /// Waits; throws `.cancelled`.
  var wait: @Sendable (Duration) async throws(ControlPointError) -> Void = sleep

  static func sleep(_ time: Duration) async throws(ControlPointError) {
    do { try await Task.sleep(for: time) } catch { throw .cancelled }
  }

  /// Replaces the current item and plays it.
  func start(_ item: SpeakerItem) async throws(ControlPointError) {
    do throws(ControlPointError) {
      try await transport.setAVTransportURI(currentURI: item.uri, currentURIMetaData: item.metadata)
    } catch {
      // Some devices accept a URI only while they are stopped.
      let fault = error.transportFault(of: .avTransport)
      guard [.transitionNotAvailable, .transportLocked].contains(fault) else { throw error }
      try await transport.stop()
      try await until { state, _ in state == .stopped || state == .noMedia }
      try await transport.setAVTransportURI(currentURI: item.uri, currentURIMetaData: item.metadata)
    }
    try await until { state, actions in
      state == .playing || state != .buffering && (actions?.contains("PLAY") ?? true)
    }
    try await play()
  }

  /// Sends Play again while the device says that it is not ready.
  private func play() async throws(ControlPointError) {
    var waited = Duration.zero
    while true {
      do throws(ControlPointError) {
        return try await transport.play()
      } catch {
        let isNotReady = error.transportFault(of: .avTransport) == .transitionNotAvailable
        guard isNotReady, waited < Self.patience else { throw error }
        // Some devices refuse Play while they play.
        if try await state() == .playing { return }
        try await wait(Self.interval)
        waited += Self.interval
      }
    }
  }

  /// Waits until a condition holds, for a limited time.
  private func until(
    _ condition: (PlaybackState, _ actions: Set<String>?) -> Bool
  ) async throws(ControlPointError) {
    var waited = Duration.zero
    let start = ContinuousClock.now
    // The clock bounds slow answers, too.
    while waited < Self.patience, start.duration(to: .now) < Self.patience {
      if condition(try await state(), try await actions()) { return }
      try await wait(Self.interval)
      waited += Self.interval
    }
  }

  func state() async throws(ControlPointError) -> PlaybackState {
    PlaybackState(transportState: try await transport.getTransportInfo().currentTransportState.rawValue)
  }

  /// CurrentTransportActions in capitals; nil if the device does not say.
  private func actions() async throws(ControlPointError) -> Set<String>? {
    let text = try await tolerating { () throws(ControlPointError) in try await transport.getCurrentTransportActions() }
    guard let text, !text.isAbsentValue else { return nil }
    return Set(text.uppercased().split(separator: ",").map { String(String($0).trimmingBlanks) })
  }

  func observe() async throws(ControlPointError) -> QueueFeeder.Observation {
    // Read before the state: a renderer that has stopped reports 0, as if the track had not reached its end.
    let position = try await tolerating { () throws(ControlPointError) in try await transport.getPositionInfo() }
    let info = try await transport.getTransportInfo()
    let uri = position.map(\.trackURI).flatMap { $0.isAbsentValue ? nil : $0 }
    return QueueFeeder.Observation(
      state: PlaybackState(transportState: info.currentTransportState.rawValue), uri: uri,
      position: position.flatMap { Self.time($0.relTime) },
      duration: position.flatMap { Self.time($0.trackDuration) }.flatMap { $0 > .zero ? $0 : nil },
      hasError: info.currentTransportStatus == .errorOccurred)
  }

  /// The current playback state, without queue and source.
  func now() async throws(ControlPointError) -> NowPlaying {
    async let media = outcome { () throws(ControlPointError) in try await transport.getMediaInfo() }
    async let position = outcome { () throws(ControlPointError) in try await transport.getPositionInfo() }
    let state = try await state()
    let instant = ContinuousClock.now
    let (mediaInfo, positionInfo) = (try await media.tolerant(), try await position.tolerant())
    func value(_ text: String?) -> String? { text.flatMap { $0.isAbsentValue ? nil : $0 } }
    let uri = value(positionInfo?.trackURI) ?? value(mediaInfo?.currentURI)
    let metadata = value(positionInfo?.trackMetaData) ?? value(mediaInfo?.currentURIMetaData)
    let track = uri.map { SpeakerItem(uri: $0, metadata: metadata ?? "").track }
    let duration =
      (Self.time(positionInfo?.trackDuration) ?? Self.time(mediaInfo?.mediaDuration)).flatMap { $0 > .zero ? $0 : nil }
    return NowPlaying(
      state: state, track: track, duration: track == nil ? nil : duration ?? track?.duration,
      position: track == nil ? nil : Self.time(positionInfo?.relTime), instant: instant)
  }

  /// The current item and the next one, if the device knows them.
  func queue() async throws(ControlPointError) -> SpeakerQueue {
    let media = try await transport.getMediaInfo()
    let items = [(media.currentURI, media.currentURIMetaData), (media.nextURI, media.nextURIMetaData)]
      .filter { !$0.0.isAbsentValue }
      .map { uri, metadata in SpeakerItem(uri: uri, metadata: metadata.isAbsentValue ? "" : metadata) }
    return SpeakerQueue(
      entries: items.map { .init(id: nil, item: $0) }, currentIndex: media.currentURI.isAbsentValue ? nil : 0)
  }

  private static func time(_ text: String?) -> Duration? { text.flatMap { UPnPTime.duration($0.trimmingBlanks) } }
}
