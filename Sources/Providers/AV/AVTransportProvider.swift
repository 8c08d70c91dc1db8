import DeviceStack
import Playback
import PlaybackModel
import UPnP

/// AVTransport:1, on the player's source `upnpAV`. It is stopped while another source is current.
public final class AVTransportProvider: AVTransport1.Provider {
  /// The value for unsupported counters (AVTransport:1 §2.2.21).
  private static let noCounter = Int32.max
  private static let presentChanges: PlayerChanges = [
    .state, .item, .next, .duration, .title, .error, .capabilities, .repeatsOne,
  ]

  private let player: Player
  private let variables: AVTransport1.Variables
  private var trackMetadata = TrackMetadata()

  /// Call it on the player's executor, like all members of this class.
  public init(player: Player) {
    self.player = player
    let view = player.immediately { AVTransportView($0.deck(.upnpAV)) }
    variables = AVTransport1.Variables(Self.values(view, &trackMetadata))
  }

  /// The service for a device to host.
  public var service: HostedService { AVTransport1.hosted(by: self, variables) }

  /// Updates the evented variables after a change in the source.
  public func update(_ changes: PlayerChanges) {
    guard !changes.isDisjoint(with: Self.presentChanges) else { return }
    variables.apply(Self.values(view, &trackMetadata))
  }

  /// The values of LastChange. The SCPD's defaults apply to everything about recording.
  private static func values(_ view: AVTransportView, _ trackMetadata: inout TrackMetadata) -> AVTransport1.Values {
    AVTransport1.Values(
      transportState: view.state, transportStatus: view.status, playbackStorageMedium: view.medium,
      currentPlayMode: view.playMode, numberOfTracks: view.trackCount, currentTrack: view.track,
      currentTrackDuration: view.trackDuration, currentMediaDuration: view.mediaDuration,
      currentTrackMetaData: trackMetadata.text(for: view.trackItem, liveTitle: view.liveTitle, tags: view.tags),
      currentTrackURI: view.trackURI, avTransportURI: view.uri, avTransportURIMetaData: view.metadata,
      nextAVTransportURI: view.nextURI, nextAVTransportURIMetaData: view.nextMetadata,
      currentTransportActions: view.actions)
  }

  private var view: AVTransportView { player.immediately { AVTransportView($0.deck(.upnpAV)) } }

  private func item(uri: String, metadata: String) -> MediaItem? {
    guard !uri.isEmpty else { return nil }
    let metadata = DIDLLite.wellFormed(metadata, uri: uri)
    return MediaItem(uri: uri, metadata: metadata, duration: DIDLLite.duration(in: metadata, uri: uri))
  }

  // MARK: Actions

  public func setAVTransportURI(_ input: AVTransport1.SetAVTransportURIInput) {
    let item = item(uri: input.currentURI, metadata: input.currentURIMetaData)
    player.immediately { $0.setItem(item, of: .upnpAV) }
  }

  public func setNextAVTransportURI(_ input: AVTransport1.SetNextAVTransportURIInput) {
    let item = item(uri: input.nextURI, metadata: input.nextURIMetaData)
    player.immediately { $0.setNext(item, of: .upnpAV) }
  }

  public func getMediaInfo() -> AVTransport1.GetMediaInfoOutput {
    let view = self.view
    return AVTransport1.GetMediaInfoOutput(
      nrTracks: view.trackCount, mediaDuration: view.mediaDuration, currentURI: view.uri,
      currentURIMetaData: view.metadata, nextURI: view.nextURI, nextURIMetaData: view.nextMetadata,
      playMedium: view.medium, recordMedium: .notImplemented, writeStatus: .notImplemented)
  }

  public func getTransportInfo() -> AVTransport1.GetTransportInfoOutput {
    let view = self.view
    return AVTransport1.GetTransportInfoOutput(
      currentTransportState: view.state, currentTransportStatus: view.status, currentSpeed: ._1)
  }

  public func getPositionInfo() -> AVTransport1.GetPositionInfoOutput {
    let view = self.view
    return AVTransport1.GetPositionInfoOutput(
      track: view.track, trackDuration: view.trackDuration,
      trackMetaData: trackMetadata.text(for: view.trackItem, liveTitle: view.liveTitle, tags: view.tags),
      trackURI: view.trackURI, relTime: view.position, absTime: view.position, relCount: Self.noCounter,
      absCount: Self.noCounter)
  }

  public func getDeviceCapabilities() -> AVTransport1.GetDeviceCapabilitiesOutput {
    AVTransport1.GetDeviceCapabilitiesOutput(
      playMedia: "NETWORK", recMedia: UPnPTime.notImplemented, recQualityModes: UPnPTime.notImplemented)
  }

  public func getTransportSettings() -> AVTransport1.GetTransportSettingsOutput {
    AVTransport1.GetTransportSettingsOutput(playMode: view.playMode, recQualityMode: .notImplemented)
  }

  public func getCurrentTransportActions() -> AVTransport1.GetCurrentTransportActionsOutput {
    AVTransport1.GetCurrentTransportActionsOutput(actions: view.actions)
  }

  public func setPlayMode(_ input: AVTransport1.SetPlayModeInput) {
    player.immediately { $0.setRepeatsOne(input.newPlayMode == .repeatOne, of: .upnpAV) }
  }

  public func play(_ input: AVTransport1.PlayInput) throws(ActionFault) {
    try perform(.play) { player throws(PlayerError) in try player.play(.upnpAV) }
  }

  public func stop() throws(ActionFault) {
    try perform(.stop) { $0.stop(.upnpAV) }
  }

  public func pause() throws(ActionFault) {
    try perform(.pause) { player throws(PlayerError) in try player.pause(.upnpAV) }
  }

  public func seek(_ input: AVTransport1.SeekInput) throws(ActionFault) {
    switch input.unit {
    // Both are positions within the track: where it begins in its play list is unknown.
    case .relTime, .absTime:
      try perform(.seek) { player throws(PlayerError) in
        guard let target = UPnPTime.duration(input.target) else { throw .illegalSeekTarget }
        try player.seek(to: target, of: .upnpAV)
      }
    case .trackNr:
      try perform(.seek, canSeek: true) { player throws(PlayerError) in
        guard let number = Int(input.target) else { throw .illegalSeekTarget }
        try player.selectTrack(number, of: .upnpAV)
      }
    }
  }

  public func next() throws(ActionFault) {
    try perform(.next) { player throws(PlayerError) in try player.skipToNext(.upnpAV) }
  }

  public func previous() throws(ActionFault) {
    try perform(.previous) { player throws(PlayerError) in try player.skipToPrevious(.upnpAV) }
  }

  /// Runs a command if the table performs the action.
  /// - Parameter canSeek: true for a seek to a track, which does not need a seekable stream.
  private func perform(
    _ action: TransportTable.Action, canSeek: Bool = false,
    _ command: (isolated Player) throws(PlayerError) -> Void
  ) throws(ActionFault) {
    var situation = player.immediately { TransportTable.Situation($0.deck(.upnpAV)) }
    situation.canSeek = situation.canSeek || canSeek
    switch TransportTable.verdict(on: action, in: situation) {
    case .refused(let fault): throw fault
    case .tolerated: return
    case .leads:
      do throws(PlayerError) {
        try player.immediately(command)
      } catch {
        throw AVTransportFaults.fault(error)
      }
    }
  }
}
