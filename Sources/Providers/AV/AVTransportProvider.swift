import DeviceStack
import Playback

/// AVTransport:1 on the player.
public final class AVTransportProvider: AVTransport1.Provider {
  /// What stands for a counter that is not counted (AVTransport:1 §2.2.21).
  private static let noCounter = Int32.max
  private static let presentChanges: PlayerChanges = [
    .state, .item, .next, .duration, .title, .error, .capabilities,
  ]

  private let player: Player
  private let variables: AVTransport1.Variables

  /// On the player's executor, like everything here.
  public init(player: Player) {
    self.player = player
    let view = player.immediately { AVTransportView($0) }
    variables = AVTransport1.Variables(
      transportState: view.state, transportStatus: view.status, playbackStorageMedium: view.medium,
      recordStorageMedium: .notImplemented, possiblePlaybackStorageMedia: "NETWORK",
      possibleRecordStorageMedia: UPnPTime.notImplemented, currentPlayMode: .normal, transportPlaySpeed: ._1,
      recordMediumWriteStatus: .notImplemented, currentRecordQualityMode: .notImplemented,
      possibleRecordQualityModes: UPnPTime.notImplemented, numberOfTracks: view.trackCount,
      currentTrack: view.trackCount, currentTrackDuration: view.duration, currentMediaDuration: view.duration,
      currentTrackMetaData: view.trackMetadata, currentTrackURI: view.uri, avTransportURI: view.uri,
      avTransportURIMetaData: view.metadata, nextAVTransportURI: view.nextURI,
      nextAVTransportURIMetaData: view.nextMetadata, currentTransportActions: view.actions)
  }

  /// The service for a device to host.
  public var service: HostedService { AVTransport1.hosted(by: self, variables) }

  /// Takes over what changed in the player.
  public func update(_ changes: PlayerChanges) {
    guard !changes.isDisjoint(with: Self.presentChanges) else { return }
    let view = self.view
    variables.setTransportState(view.state)
    variables.setTransportStatus(view.status)
    variables.setPlaybackStorageMedium(view.medium)
    variables.setNumberOfTracks(view.trackCount)
    variables.setCurrentTrack(view.trackCount)
    variables.setCurrentTrackDuration(view.duration)
    variables.setCurrentMediaDuration(view.duration)
    variables.setCurrentTrackMetaData(view.trackMetadata)
    variables.setCurrentTrackURI(view.uri)
    variables.setAVTransportURI(view.uri)
    variables.setAVTransportURIMetaData(view.metadata)
    variables.setNextAVTransportURI(view.nextURI)
    variables.setNextAVTransportURIMetaData(view.nextMetadata)
    variables.setCurrentTransportActions(view.actions)
  }

  private var view: AVTransportView { player.immediately { AVTransportView($0) } }

  private func item(uri: String, metadata: String) -> MediaItem? {
    guard !uri.isEmpty else { return nil }
    return MediaItem(uri: uri, metadata: metadata, duration: DIDLLite.duration(in: metadata, uri: uri))
  }

  // MARK: Actions

  public func setAVTransportURI(_ input: AVTransport1.SetAVTransportURIInput) {
    let item = item(uri: input.currentURI, metadata: input.currentURIMetaData)
    player.immediately { $0.setItem(item) }
  }

  public func setNextAVTransportURI(_ input: AVTransport1.SetNextAVTransportURIInput) {
    let item = item(uri: input.nextURI, metadata: input.nextURIMetaData)
    player.immediately { $0.setNext(item) }
  }

  public func getMediaInfo() -> AVTransport1.GetMediaInfoOutput {
    let view = self.view
    return AVTransport1.GetMediaInfoOutput(
      nrTracks: view.trackCount, mediaDuration: view.duration, currentURI: view.uri, currentURIMetaData: view.metadata,
      nextURI: view.nextURI, nextURIMetaData: view.nextMetadata, playMedium: view.medium,
      recordMedium: .notImplemented, writeStatus: .notImplemented)
  }

  public func getTransportInfo() -> AVTransport1.GetTransportInfoOutput {
    let view = self.view
    return AVTransport1.GetTransportInfoOutput(
      currentTransportState: view.state, currentTransportStatus: view.status, currentSpeed: ._1)
  }

  public func getPositionInfo() -> AVTransport1.GetPositionInfoOutput {
    let view = self.view
    return AVTransport1.GetPositionInfoOutput(
      track: view.trackCount, trackDuration: view.duration, trackMetaData: view.trackMetadata, trackURI: view.uri,
      relTime: view.position, absTime: view.position, relCount: Self.noCounter, absCount: Self.noCounter)
  }

  public func getDeviceCapabilities() -> AVTransport1.GetDeviceCapabilitiesOutput {
    AVTransport1.GetDeviceCapabilitiesOutput(
      playMedia: "NETWORK", recMedia: UPnPTime.notImplemented, recQualityModes: UPnPTime.notImplemented)
  }

  public func getTransportSettings() -> AVTransport1.GetTransportSettingsOutput {
    AVTransport1.GetTransportSettingsOutput(playMode: .normal, recQualityMode: .notImplemented)
  }

  public func getCurrentTransportActions() -> AVTransport1.GetCurrentTransportActionsOutput {
    AVTransport1.GetCurrentTransportActionsOutput(actions: view.actions)
  }

  public func stop() throws(ActionFault) {
    let hasMedia = player.immediately {
      $0.stop()
      return $0.state != .noMedia
    }
    if !hasMedia { throw AVTransportFaults.transitionNotAvailable }
  }

  public func play(_ input: AVTransport1.PlayInput) throws(ActionFault) {
    try AVTransportFaults.translating { () throws(PlayerError) in
      try player.immediately { player throws(PlayerError) in try player.play() }
    }
  }

  public func pause() throws(ActionFault) {
    try AVTransportFaults.translating { () throws(PlayerError) in
      try player.immediately { player throws(PlayerError) in try player.pause() }
    }
  }

  public func seek(_ input: AVTransport1.SeekInput) throws(ActionFault) {
    let target: Duration
    switch input.unit {
    case .relTime, .absTime:
      guard let time = UPnPTime.duration(input.target) else { throw AVTransportFaults.illegalSeekTarget }
      target = time
    case .trackNr:
      // The only track there is.
      guard UInt32(input.target) == 1 else { throw AVTransportFaults.illegalSeekTarget }
      target = .zero
    }
    try AVTransportFaults.translating { () throws(PlayerError) in
      try player.immediately { player throws(PlayerError) in try player.seek(to: target) }
    }
  }

  public func next() throws(ActionFault) {
    do throws(ActionFault) {
      try AVTransportFaults.translating { () throws(PlayerError) in
        try player.immediately { player throws(PlayerError) in try player.skipToNext() }
      }
    } catch AVTransportFaults.noContents {
      // Next is a seek to a track that is not there (AVTransport:1 §2.4.12).
      throw AVTransportFaults.illegalSeekTarget
    }
  }

  public func previous() throws(ActionFault) {
    // Of one track there is none before it.
    throw player.immediately { $0.item == nil }
      ? AVTransportFaults.transitionNotAvailable : AVTransportFaults.illegalSeekTarget
  }
}
