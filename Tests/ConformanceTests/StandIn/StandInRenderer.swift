import DeviceStack
import UPnP

/// A renderer without sound that follows the specifications.
final class StandInRenderer: AVTransport1.Provider, ConnectionManager1.Provider, RenderingControl1.Provider {
  static let udn = "uuid:4a6f2f0e-1c1f-4f6e-9d53-0f2b7a6c1d77"
  private static let sink = "http-get:*:audio/flac:*,http-get:*:audio/L16;rate=44100;channels=2:*"

  private var volume: UInt16 = 5
  private var isMuted = false
  private var playMode = AVTransport1.CurrentPlayMode.normal
  private lazy var rendering = RenderingControl1.Variables(renderingValues)
  private lazy var transport = AVTransport1.Variables(transportValues)
  private let connections = ConnectionManager1.Variables(
    .init(sourceProtocolInfo: "", sinkProtocolInfo: StandInRenderer.sink, currentConnectionIDs: "0"))

  /// Of version 2, so that it can be searched for by an earlier one.
  static let type = URN(domain: "schemas-upnp-org", kind: .device, name: "MediaRenderer", version: 2)

  var device: RootDevice {
    var info = DeviceInfo(
      deviceType: Self.type, udn: Self.udn, friendlyName: "Stand-in", manufacturer: "Example",
      modelName: "Renderer", modelNumber: "1")
    // The head of a PNG image of 48 × 48 pixels.
    let png: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 48, 0, 0, 0, 48,
    ]
    info.icons = [Icon(mimeType: "image/png", width: 48, height: 48, depth: 24, fileName: "icon.png", data: png)]
    info.presentationURL = "/renderer/description.xml"
    let services = [
      RenderingControl1.hosted(by: self, rendering), ConnectionManager1.hosted(by: self, connections),
      AVTransport1.hosted(by: self, transport),
    ]
    return RootDevice(info: info, services: services, folder: "renderer")
  }

  // MARK: RenderingControl

  private var renderingValues: RenderingControl1.Values {
    .init(masterMute: isMuted, masterVolume: volume, masterVolumeDB: volumeDB)
  }

  private var volumeDB: Int16 { (Int16(volume) - 100) * 128 }

  func listPresets() -> RenderingControl1.ListPresetsOutput { .init(currentPresetNameList: "FactoryDefaults") }

  func selectPreset(_ input: RenderingControl1.SelectPresetInput) {}

  func getMute(_ input: RenderingControl1.GetMuteInput) -> RenderingControl1.GetMuteOutput {
    .init(currentMute: isMuted)
  }

  func setMute(_ input: RenderingControl1.SetMuteInput) {
    isMuted = input.desiredMute
    rendering.apply(renderingValues)
  }

  func getVolume(_ input: RenderingControl1.GetVolumeInput) -> RenderingControl1.GetVolumeOutput {
    .init(currentVolume: volume)
  }

  func setVolume(_ input: RenderingControl1.SetVolumeInput) {
    volume = input.desiredVolume
    rendering.apply(renderingValues)
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

  func getProtocolInfo() -> ConnectionManager1.GetProtocolInfoOutput { .init(source: "", sink: Self.sink) }

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
