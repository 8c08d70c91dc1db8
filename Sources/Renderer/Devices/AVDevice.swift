import DeviceStack
import Playback
import PlaybackModel
import Providers
import SpeakerCore
import UPnP

/// The UPnP AV device: its services, connected to the player, and its description.
final class AVDevice {
  let root: RootDevice
  private let transport: AVTransportProvider
  private let rendering: RenderingControlProvider

  /// - Parameters:
  ///   - uuid: without `uuid:`.
  ///   - presentationURL: the page; nil for none.
  ///   - protocolInfo: the playable formats.
  init(
    player: Player, control: SpeakerControl, playlist: PlaylistSource, radio: RadioSource, name: String, uuid: UUID,
    presentationURL: String?, protocolInfo: String
  ) {
    transport = AVTransportProvider(player: player, control: control, playlist: playlist, radio: radio)
    rendering = RenderingControlProvider(player: player, control: control)
    let connections = ConnectionManagerProvider(protocolInfo: protocolInfo)
    root = RootDevice(
      info: Self.info(name: name, uuid: uuid, presentationURL: presentationURL),
      services: [rendering.service, connections.service, transport.service], folder: "renderer")
  }

  /// Passes changes of the player, of its current source or of its AVTransport source to the services.
  func update(_ changes: PlayerChanges) {
    transport.update(changes)
    rendering.update(changes)
  }

  private static func info(name: String, uuid: UUID, presentationURL: String?) -> DeviceInfo {
    var info = DeviceInfo.swiftlet(
      URN(domain: "schemas-upnp-org", kind: .device, name: "MediaRenderer", version: 1), name: name, uuid: uuid,
      presentationURL: presentationURL)
    info.extensions = [
      // Marks a DLNA renderer, which some controllers require (DLNA guidelines 7.3.2).
      DescriptionExtension(
        prefix: "dlna", namespace: "urn:schemas-dlna-org:device-1-0", name: "X_DLNADOC", text: "DMR-1.50"),
      // Windows offers to pair with devices that have these (Microsoft, PnP-X: Plug and Play Extensions).
      DescriptionExtension(
        prefix: "pnpx", namespace: "http://schemas.microsoft.com/windows/pnpx/2005/11", name: "X_deviceCategory",
        text: "MediaDevice.DMR"),
      DescriptionExtension(
        prefix: "pnpx", namespace: "http://schemas.microsoft.com/windows/pnpx/2005/11", name: "X_compatibleId",
        text: "MS_DigitalMediaDeviceClass_DMR_V001 MS_DigitalMediaDeviceClass_V001"),
    ]
    return info
  }
}
