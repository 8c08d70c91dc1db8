import DeviceStack
import NIOCore
import Page
import Playback
import PlaybackEngine
import PlaybackModel
import Providers
import SpeakerCore
import UPnP

/// The two UPnP devices with the sources that they control, connected to the player. Used on the event loop.
final class SpeakerDevices {
  let av: AVDevice
  let openHome: OpenHomeDevice
  let playlist: PlaylistSource
  let radio: RadioSource
  let pins: PinBoard
  /// Commands of the page and the companions.
  let control: SpeakerControl
  /// All that is shown.
  let feed: StateFeed
  /// The playable formats, as the Sink list of ConnectionManager.
  let protocolInfo: String

  /// - Parameter refreshPresets: called when a controller asks for it.
  init(
    player: Player, keeper: StateKeeper, configuration: Configuration, identity: DeviceIdentity,
    eventLoop: any EventLoop, refreshPresets: @escaping () -> Void
  ) {
    protocolInfo = ProtocolInfo.sink(mimeTypes: SupportedFormats.mimeTypes())
    playlist = keeper.playlist(on: player)
    radio = keeper.radio(on: player, presets: configuration.presets)
    pins = keeper.pins()
    let presentationURL = configuration.page == .off ? nil : "/"
    av = AVDevice(
      player: player, playlist: playlist, radio: radio, name: configuration.speakerName,
      uuid: configuration.uuid ?? identity.rendererUUID, presentationURL: presentationURL, protocolInfo: protocolInfo)
    openHome = OpenHomeDevice(
      player: player, sources: .init(playlist: playlist, radio: radio, pins: pins),
      name: configuration.speakerName, friendlyName: configuration.openHomeName, room: configuration.room,
      uuid: identity.sourceUUID, presentationURL: presentationURL, protocolInfo: protocolInfo, eventLoop: eventLoop,
      refreshPresets: refreshPresets)
    control = SpeakerControl(
      player: player, playlist: playlist, radio: radio, pins: pins, pinInvoker: openHome.pinInvoker)
    control.rights.lockCoversCompanions = configuration.lockCompanions
    feed = StateFeed(
      name: configuration.speakerName, room: configuration.room, player: player, playlist: playlist, radio: radio,
      pins: pins)
    observe(player, eventLoop)
  }

  /// Passes each change to the sources first, then to the devices, then to everything that shows the state.
  private func observe(_ player: Player, _ eventLoop: any EventLoop) {
    let devices = NIOLoopBound(self, eventLoop: eventLoop)
    player.immediately { player in
      _ = player.observe(.playlist) { devices.value.playlistChanged($0) }
      _ = player.observe(.radio) { devices.value.radioChanged($0) }
      _ = player.observe(.upnpAV) { devices.value.av.update($0) }
      _ = player.observe { devices.value.changed($0) }
    }
  }

  private func playlistChanged(_ changes: PlayerChanges) {
    playlist.update(changes)
    openHome.updatePlaylist()
    feed.update(changes, of: .playlist)
  }

  private func radioChanged(_ changes: PlayerChanges) {
    openHome.updateRadio()
    feed.update(changes, of: .radio)
  }

  private func changed(_ changes: PlayerChanges) {
    av.update(changes)
    openHome.update(changes)
    feed.update(changes)
  }

  /// Applies a reloaded configuration. The host changes the friendly names.
  func apply(_ configuration: Configuration) {
    radio.setPresets(configuration.presets)
    control.rights.lockCoversCompanions = configuration.lockCompanions
    openHome.update(name: configuration.speakerName, room: configuration.room)
    feed.rename(configuration.speakerName, room: configuration.room)
  }

  /// The settings with which the page finds media servers and other speakers.
  func house(_ configuration: Configuration, _ settings: DeviceHostSettings) -> HouseSettings {
    HouseSettings(
      product: settings.product, interfaces: settings.interfaces, networks: configuration.networks,
      ownUDNs: [av.root.info.udn, openHome.root.info.udn], protocolInfo: protocolInfo)
  }
}
