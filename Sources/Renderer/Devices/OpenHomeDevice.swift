import DeviceStack
import NIOCore
import Playback
import PlaybackModel
import Providers
import UPnP

/// The OpenHome device: its services on the player, and what its description says.
final class OpenHomeDevice {
  /// Those whose services are here, in the order in which Product lists them.
  private static let sources: [Source] = [.playlist, .radio, .upnpAV]
  private static let folder = "openhome"

  let root: RootDevice
  private let product: ProductProvider
  private let details: InfoProvider
  private let time: TimeProvider
  private let volume: VolumeProvider
  private let transport: TransportProvider
  private let playlist: PlaylistProvider
  private let radio: RadioProvider
  private let pins: PinsProvider

  /// What the speaker plays from and keeps by itself.
  struct Sources {
    /// The first to observe its source of the player.
    let playlist: PlaylistSource
    let radio: RadioSource
    let pins: PinBoard
  }

  /// - Parameters:
  ///   - name: the speaker's name; also the room's, unless there is one.
  ///   - friendlyName: the name in the device description.
  ///   - room: for controllers that group speakers by room.
  ///   - uuid: without `uuid:`.
  ///   - protocolInfo: what can be played.
  ///   - refreshPresets: has the radio's presets read again.
  init(
    player: Player, sources: Sources, name: String, friendlyName: String, room: String?, uuid: UUID,
    protocolInfo: String, eventLoop: any EventLoop, refreshPresets: @escaping () -> Void
  ) {
    let tracks = TrackCounter()
    details = InfoProvider(player: player, tracks: tracks)
    time = TimeProvider(player: player, tracks: tracks, alarm: Alarm(eventLoop: eventLoop))
    volume = VolumeProvider(player: player)
    transport = TransportProvider(
      player: player, playlist: sources.playlist, radio: sources.radio, sources: Self.sources)
    playlist = PlaylistProvider(player: player, playlist: sources.playlist, protocolInfo: protocolInfo)
    radio = RadioProvider(
      player: player, radio: sources.radio, protocolInfo: protocolInfo, refresh: refreshPresets)
    pins = PinsProvider(
      player: player, board: sources.pins, radio: sources.radio, playlist: sources.playlist, sources: Self.sources)
    let others = [
      playlist.service, radio.service, pins.service, details.service, time.service, volume.service, transport.service,
    ]
    var root = RootDevice(info: Self.info(name: friendlyName, uuid: uuid), services: [], folder: Self.folder)
    product = ProductProvider(
      player: player, description: Self.description(name: name, room: room, device: root),
      sources: Self.sources, attributes: ["Info", "Time", "Volume", "Transport", "Pins"])
    root.services = [product.service] + others
    root.dnssdType = "_openhome._tcp"
    self.root = root
  }

  /// What changed of the speaker and of its current source.
  func update(_ changes: PlayerChanges) {
    product.update(changes)
    details.update(changes)
    time.update(changes)
    volume.update(changes)
    transport.update(changes)
    pins.update(changes)
  }

  /// What changed of the playlist's source.
  func updatePlaylist() { playlist.update() }

  /// What changed of the radio's source.
  func updateRadio() { radio.update() }

  /// The configuration was read again; see `init` for the names.
  func update(name: String, room: String?) {
    product.update(Self.description(name: name, room: room, device: root), sources: Self.sources)
  }

  /// - Parameter server: where the HTTP server is, without a path; nil while there is no network.
  func networkChanged(server: String?) { product.setServer(server) }

  private static func description(name: String, room: String?, device: RootDevice) -> ProductDescription {
    ProductDescription(
      room: room ?? name, name: room == nil ? Version.name : name, device: device.info,
      iconPath: Icons.largest.map { "/\(folder)/\($0.fileName)" } ?? "", pagePath: device.descriptionPath)
  }

  private static func info(name: String, uuid: UUID) -> DeviceInfo {
    DeviceInfo.swiftlet(
      URN(domain: "av-openhome-org", kind: .device, name: "Source", version: 1), name: name, uuid: uuid)
  }
}
