import DeviceStack
import NIOCore
import Page
import Playback
import PlaybackEngine
import PlaybackModel
import Providers
import UPnP

/// The two UPnP devices with the sources that they control, connected to the player. Used on the event loop.
final class SpeakerDevices {
  let av: AVDevice
  let openHome: OpenHomeDevice
  let playlist: PlaylistSource
  let radio: RadioSource
  let pins: PinBoard
  /// Commands to the current source, from the page and the companions.
  let remote: SpeakerRemote
  /// The playable formats, as the Sink list of ConnectionManager.
  let protocolInfo: String

  /// - Parameter refreshPresets: called when a controller asks for it.
  init(
    player: Player, memory: Memory, configuration: Configuration, identity: DeviceIdentity, eventLoop: any EventLoop,
    refreshPresets: @escaping () -> Void
  ) {
    protocolInfo = ProtocolInfo.sink(mimeTypes: SupportedFormats.mimeTypes())
    playlist = memory.playlist(on: player)
    radio = memory.radio(on: player, presets: configuration.presets)
    pins = memory.pins()
    let presentationURL = configuration.page == .off ? nil : "/"
    av = AVDevice(
      player: player, playlist: playlist, radio: radio, name: configuration.speakerName,
      uuid: configuration.uuid ?? identity.rendererUUID, presentationURL: presentationURL, protocolInfo: protocolInfo)
    openHome = OpenHomeDevice(
      player: player, sources: .init(playlist: playlist, radio: radio, pins: pins),
      name: configuration.speakerName, friendlyName: configuration.openHomeName, room: configuration.room,
      uuid: identity.sourceUUID, presentationURL: presentationURL, protocolInfo: protocolInfo, eventLoop: eventLoop,
      refreshPresets: refreshPresets)
    remote = SpeakerRemote(
      player: player, playlist: playlist, radio: radio, pins: pins, pinInvoker: openHome.pinInvoker)
    observe(player, eventLoop)
  }

  private func observe(_ player: Player, _ eventLoop: any EventLoop) {
    let devices = NIOLoopBound(self, eventLoop: eventLoop)
    player.immediately { player in
      _ = player.observe(.playlist) { changes in
        devices.value.playlist.update(changes)
        devices.value.openHome.updatePlaylist()
      }
      _ = player.observe(.radio) { _ in devices.value.openHome.updateRadio() }
      _ = player.observe(.upnpAV) { devices.value.av.update($0) }
      _ = player.observe { changes in
        devices.value.av.update(changes)
        devices.value.openHome.update(changes)
      }
    }
  }

  /// Applies a reloaded configuration. The host changes the friendly names.
  func apply(_ configuration: Configuration) {
    radio.setPresets(configuration.presets)
    openHome.update(name: configuration.speakerName, room: configuration.room)
  }

  /// The settings with which the page finds media servers and other speakers.
  func house(_ configuration: Configuration, _ settings: DeviceHostSettings) -> HouseSettings {
    HouseSettings(
      product: settings.product, interfaces: settings.interfaces, networks: configuration.networks,
      ownUDNs: [av.root.info.udn, openHome.root.info.udn], protocolInfo: protocolInfo)
  }
}
