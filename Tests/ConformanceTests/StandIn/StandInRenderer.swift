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

  func setVolumeDB(_ input: RenderingControl1.SetVolumeDBInput) {}

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

  private var transportValues: AVTransport1.Values {
    .init(
      currentPlayMode: playMode, numberOfTracks: 0, currentTrack: 0, currentTrackDuration: "0:00:00",
      currentMediaDuration: "0:00:00", currentTrackMetaData: "", currentTrackURI: "", avTransportURI: "",
      avTransportURIMetaData: "", nextAVTransportURI: "", nextAVTransportURIMetaData: "",
      currentTransportActions: "Play,Stop")
  }

  func setAVTransportURI(_ input: AVTransport1.SetAVTransportURIInput) {}
  func setNextAVTransportURI(_ input: AVTransport1.SetNextAVTransportURIInput) {}

  func getMediaInfo() -> AVTransport1.GetMediaInfoOutput {
    .init(
      nrTracks: 0, mediaDuration: "0:00:00", currentURI: "", currentURIMetaData: "", nextURI: "",
      nextURIMetaData: "", playMedium: .none, recordMedium: .notImplemented, writeStatus: .notImplemented)
  }

  func getTransportInfo() -> AVTransport1.GetTransportInfoOutput {
    .init(currentTransportState: .noMediaPresent, currentTransportStatus: .ok, currentSpeed: ._1)
  }

  func getPositionInfo() -> AVTransport1.GetPositionInfoOutput {
    .init(
      track: 0, trackDuration: "0:00:00", trackMetaData: "", trackURI: "", relTime: "0:00:00", absTime: "0:00:00",
      relCount: .max, absCount: .max)
  }

  func getDeviceCapabilities() -> AVTransport1.GetDeviceCapabilitiesOutput {
    .init(playMedia: "NETWORK", recMedia: "NOT_IMPLEMENTED", recQualityModes: "NOT_IMPLEMENTED")
  }

  func getTransportSettings() -> AVTransport1.GetTransportSettingsOutput {
    .init(playMode: playMode, recQualityMode: .notImplemented)
  }

  func stop() {}
  func play(_ input: AVTransport1.PlayInput) {}
  func pause() {}
  func seek(_ input: AVTransport1.SeekInput) {}
  func next() {}
  func previous() {}

  func setPlayMode(_ input: AVTransport1.SetPlayModeInput) {
    playMode = input.newPlayMode
    transport.apply(transportValues)
  }

  func getCurrentTransportActions() -> AVTransport1.GetCurrentTransportActionsOutput { .init(actions: "Play,Stop") }
}
