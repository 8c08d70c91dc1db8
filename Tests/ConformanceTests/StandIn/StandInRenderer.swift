import DeviceStack
import UPnP

/// A renderer without sound that follows the specifications.
final class StandInRenderer: AVTransport1.Provider, ConnectionManager1.Provider, RenderingControl1.Provider {
  private let speaker: StandInSpeaker
  private var playMode = AVTransport1.CurrentPlayMode.normal
  private lazy var rendering = RenderingControl1.Variables(renderingValues)
  private lazy var transport = AVTransport1.Variables(transportValues)
  private let connections = ConnectionManager1.Variables(
    .init(sourceProtocolInfo: "", sinkProtocolInfo: StandInDevice.protocolInfo, currentConnectionIDs: "0"))

  init(_ speaker: StandInSpeaker) {
    self.speaker = speaker
    speaker.observe { [weak self] in self?.update() }
  }

  var services: [HostedService] {
    [
      RenderingControl1.hosted(by: self, rendering), ConnectionManager1.hosted(by: self, connections),
      AVTransport1.hosted(by: self, transport),
    ]
  }

  private func update() {
    rendering.apply(renderingValues)
    transport.apply(transportValues)
  }

  // MARK: RenderingControl

  private var renderingValues: RenderingControl1.Values {
    .init(masterMute: speaker.isMuted, masterVolume: UInt16(speaker.volume), masterVolumeDB: volumeDB)
  }

  private var volumeDB: Int16 { (Int16(speaker.volume) - 100) * 128 }

  func listPresets() -> RenderingControl1.ListPresetsOutput { .init(currentPresetNameList: "FactoryDefaults") }

  func selectPreset(_ input: RenderingControl1.SelectPresetInput) {}

  func getMute(_ input: RenderingControl1.GetMuteInput) -> RenderingControl1.GetMuteOutput {
    .init(currentMute: speaker.isMuted)
  }

  func setMute(_ input: RenderingControl1.SetMuteInput) {
    speaker.change { $0.isMuted = input.desiredMute }
  }

  func getVolume(_ input: RenderingControl1.GetVolumeInput) -> RenderingControl1.GetVolumeOutput {
    .init(currentVolume: UInt16(speaker.volume))
  }

  func setVolume(_ input: RenderingControl1.SetVolumeInput) {
    speaker.change { $0.setVolume(UInt32(input.desiredVolume)) }
  }

  func getVolumeDB(_ input: RenderingControl1.GetVolumeDBInput) -> RenderingControl1.GetVolumeDBOutput {
    .init(currentVolume: volumeDB)
  }

  func setVolumeDB(_ input: RenderingControl1.SetVolumeDBInput) {
    speaker.change { $0.setVolume(UInt32(max(0, input.desiredVolume / 128 + 100))) }
  }

  func getVolumeDBRange(
    _ input: RenderingControl1.GetVolumeDBRangeInput
  ) -> RenderingControl1.GetVolumeDBRangeOutput {
    .init(minValue: -12800, maxValue: 0)
  }

  // MARK: ConnectionManager

  func getProtocolInfo() -> ConnectionManager1.GetProtocolInfoOutput {
    .init(source: "", sink: StandInDevice.protocolInfo)
  }

  func getCurrentConnectionIDs() -> ConnectionManager1.GetCurrentConnectionIDsOutput { .init(connectionIDs: "0") }

  func getCurrentConnectionInfo(
    _ input: ConnectionManager1.GetCurrentConnectionInfoInput
  ) throws(ActionFault) -> ConnectionManager1.GetCurrentConnectionInfoOutput {
    guard input.connectionID == 0 else { throw ActionFault(706, "Invalid connection reference") }
    return .init(
      rcsID: 0, avTransportID: 0, protocolInfo: "", peerConnectionManager: "", peerConnectionID: -1,
      direction: .input, status: .ok)
  }

  // MARK: AVTransport

  private static let state: [StandInTransport.State: AVTransport1.TransportState] = [
    .noMedia: .noMediaPresent, .stopped: .stopped, .transitioning: .transitioning, .playing: .playing,
    .paused: .pausedPlayback,
  ]

  private var player: StandInTransport { speaker.player.transport }
  private var state: AVTransport1.TransportState { Self.state[player.state] ?? .noMediaPresent }
  private var status: AVTransport1.TransportStatus { player.hasFailed ? .errorOccurred : .ok }
  private var trackCount: UInt32 { player.current == nil ? 0 : 1 }
  private var uri: String { player.reportedURI }
  private var metadata: String { player.current?.metadata ?? "" }
  private var nextURI: String { player.next?.uri ?? "" }
  private var nextMetadata: String { player.next?.metadata ?? "" }
  private var duration: String { UPnPTime.text(player.current?.duration ?? .zero) }
  private var actions: String { player.actions.joined(separator: ",") }
  private var medium: AVTransport1.PlaybackStorageMedium { player.current == nil ? .none : .network }

  private var transportValues: AVTransport1.Values {
    .init(
      transportState: state, transportStatus: status, playbackStorageMedium: medium, currentPlayMode: playMode,
      numberOfTracks: trackCount, currentTrack: trackCount, currentTrackDuration: duration,
      currentMediaDuration: duration, currentTrackMetaData: metadata, currentTrackURI: uri, avTransportURI: uri,
      avTransportURIMetaData: metadata, nextAVTransportURI: nextURI, nextAVTransportURIMetaData: nextMetadata,
      currentTransportActions: actions)
  }

  func setAVTransportURI(_ input: AVTransport1.SetAVTransportURIInput) throws(ActionFault) {
    try speaker.player.perform { $0.set(uri: input.currentURI, metadata: input.currentURIMetaData) }
  }

  func setNextAVTransportURI(_ input: AVTransport1.SetNextAVTransportURIInput) throws(ActionFault) {
    try speaker.player.perform { $0.setNext(uri: input.nextURI, metadata: input.nextURIMetaData) }
  }

  func getMediaInfo() -> AVTransport1.GetMediaInfoOutput {
    .init(
      nrTracks: trackCount, mediaDuration: duration, currentURI: uri, currentURIMetaData: metadata, nextURI: nextURI,
      nextURIMetaData: nextMetadata, playMedium: medium, recordMedium: .notImplemented, writeStatus: .notImplemented)
  }

  func getTransportInfo() -> AVTransport1.GetTransportInfoOutput {
    .init(currentTransportState: state, currentTransportStatus: status, currentSpeed: ._1)
  }

  func getPositionInfo() throws(ActionFault) -> AVTransport1.GetPositionInfoOutput {
    // Advances the position.
    try speaker.player.perform { _ in }
    let position = UPnPTime.text(player.position)
    return .init(
      track: trackCount, trackDuration: duration, trackMetaData: metadata, trackURI: uri, relTime: position,
      absTime: position, relCount: .max, absCount: .max)
  }

  func getDeviceCapabilities() -> AVTransport1.GetDeviceCapabilitiesOutput {
    .init(playMedia: "NETWORK", recMedia: "NOT_IMPLEMENTED", recQualityModes: "NOT_IMPLEMENTED")
  }

  func getTransportSettings() -> AVTransport1.GetTransportSettingsOutput {
    .init(playMode: playMode, recQualityMode: .notImplemented)
  }

  func stop() throws(ActionFault) {
    try speaker.player.perform { transport throws(ActionFault) in try transport.stop() }
  }

  func play(_ input: AVTransport1.PlayInput) throws(ActionFault) {
    speaker.change { $0.select(.upnpAV) }
    try speaker.player.perform { transport throws(ActionFault) in try transport.play() }
  }

  func pause() throws(ActionFault) {
    try speaker.player.perform { transport throws(ActionFault) in try transport.pause() }
  }

  func seek(_ input: AVTransport1.SeekInput) throws(ActionFault) {
    try speaker.player.perform { transport throws(ActionFault) in
      switch input.unit {
      case .relTime, .absTime:
        guard let target = UPnPTime.duration(input.target) else { throw StandInTransport.illegalTarget }
        try transport.seek(to: target)
      case .trackNr:
        guard let number = Int(input.target) else { throw StandInTransport.illegalTarget }
        try transport.selectTrack(number)
      }
    }
  }

  func next() throws(ActionFault) {
    try speaker.player.perform { transport throws(ActionFault) in try transport.skipToNext() }
  }

  func previous() throws(ActionFault) {
    try speaker.player.perform { transport throws(ActionFault) in try transport.skipToPrevious() }
  }

  func setPlayMode(_ input: AVTransport1.SetPlayModeInput) {
    playMode = input.newPlayMode
    transport.apply(transportValues)
  }

  func getCurrentTransportActions() -> AVTransport1.GetCurrentTransportActionsOutput { .init(actions: actions) }
}
