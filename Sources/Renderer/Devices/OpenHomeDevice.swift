import DeviceStack
import NIOCore
import Playback
import PlaybackModel
import Providers
import SpeakerCore
import UPnP

/// The OpenHome device: its services, connected to the player, and its description.
final class OpenHomeDevice {
  /// The sources, in the order of Product's source list.
  private let sources: [Source]
  private static let folder = "openhome"

  let root: RootDevice
  let sender: SenderProvider
  private let product: ProductProvider
  private let details: InfoProvider
  private let time: TimeProvider
  private let volume: VolumeProvider
  private let transport: TransportProvider
  private let playlist: PlaylistProvider
  private let radio: RadioProvider
  private let receiver: ReceiverProvider

  /// The sources that the device controls, and the pins.
  struct Sources {
    let playlist: PlaylistSource
    let radio: RadioSource
    let receiver: ReceiverSource
    let programs: [ProgramName]
    let pins: PinBoard
  }

  /// - Parameters:
  ///   - name: the speaker's name. It is also the room if there is none.
  ///   - friendlyName: the name in the device description.
  ///   - room: nil for the name.
  ///   - uuid: without `uuid:`.
  ///   - presentationURL: the page; nil for none.
  ///   - protocolInfo: the playable formats.
  ///   - refreshPresets: called when a controller asks for it.
  init(
    player: Player, control: SpeakerControl, sources: Sources, name: String, friendlyName: String, room: String?,
    uuid: UUID,
    presentationURL: String?, protocolInfo: String, eventLoop: any EventLoop, refreshPresets: @escaping () -> Void
  ) {
    let allSources = Source.builtIn + sources.programs.map { .program($0) }
    self.sources = allSources
    let tracks = TrackCounter()
    details = InfoProvider(player: player, tracks: tracks)
    time = TimeProvider(player: player, tracks: tracks, alarm: Alarm(eventLoop: eventLoop))
    volume = VolumeProvider(player: player, control: control)
    transport = TransportProvider(
      player: player, control: control, playlist: sources.playlist, radio: sources.radio, sources: allSources)
    playlist = PlaylistProvider(
      player: player, control: control, playlist: sources.playlist, protocolInfo: protocolInfo)
    radio = RadioProvider(
      player: player, control: control, radio: sources.radio, protocolInfo: protocolInfo, refresh: refreshPresets)
    receiver = ReceiverProvider(player: player, control: control, receiver: sources.receiver)
    let pins = PinsProvider(control: control, board: sources.pins)
    var root = RootDevice(
      info: Self.info(name: friendlyName, uuid: uuid, presentationURL: presentationURL), services: [],
      folder: Self.folder)
    sender = SenderProvider(
      player: player, presentationPath: presentationURL ?? root.descriptionPath, alarm: Alarm(eventLoop: eventLoop))
    product = ProductProvider(
      player: player, control: control, description: Self.description(name: name, room: room, device: root),
      sources: allSources, attributes: ["Info", "Time", "Volume", "Transport", "Pins", "Receiver", "Sender"])
    root.services = [
      product.service, playlist.service, radio.service, receiver.service, pins.service, details.service, time.service,
      volume.service, transport.service, sender.service,
    ]
    root.dnssdType = "_openhome._tcp"
    self.root = root
  }

  /// Passes changes of the speaker and of its current source to the services.
  func update(_ changes: PlayerChanges) {
    product.update(changes)
    details.update(changes)
    time.update(changes)
    volume.update(changes)
    transport.update(changes)
    sender.update(changes)
  }

  /// Updates the Playlist service after a change of the playlist.
  func updatePlaylist() { playlist.update() }

  /// Updates the Radio service after a change of the radio.
  func updateRadio() { radio.update() }

  /// Updates the Receiver service after a change of its source.
  func updateReceiver() { receiver.update() }

  /// Replaces name and room; see `init`.
  func update(name: String, room: String?) {
    product.update(Self.description(name: name, room: room, device: root), sources: sources)
  }

  /// The path of a picture of the speaker on our HTTP server.
  static let pathOfPicture = Icons.largest.map { "/\(folder)/\($0.fileName)" }

  private static func description(name: String, room: String?, device: RootDevice) -> ProductDescription {
    ProductDescription(
      room: room ?? name, name: room == nil ? Version.name : name, device: device.info,
      iconPath: pathOfPicture ?? "",
      pagePath: device.info.presentationURL ?? device.descriptionPath)
  }

  private static func info(name: String, uuid: UUID, presentationURL: String?) -> DeviceInfo {
    DeviceInfo.swiftlet(
      URN(domain: "av-openhome-org", kind: .device, name: "Source", version: 1), name: name, uuid: uuid,
      presentationURL: presentationURL)
  }
}
