import NIOCore
import UPnP

@testable import DeviceStack
@testable import Playback
@testable import PlaybackModel
@testable import Providers
@testable import SpeakerCore

/// The services of both devices on one player, with their events. Lives on the event loop.
final class ServicesUnderTest {
  static let presets = [
    RadioPreset(title: "First & <best>", uri: "http://radio/1?a=1&b=2", artwork: "http://radio/1.png"),
    RadioPreset(title: "Second", uri: "http://radio/2"),
  ]

  final class Counter {
    var count = 0
  }

  let product: ProductProvider
  let list: PlaylistSource
  let radio: RadioSource
  let receiver: ReceiverSource
  let control: SpeakerControl
  let feed: StateFeed
  /// Number of RefreshPresets calls.
  let refreshes = Counter()
  let timeAlarm: Alarm
  let sender: SenderProvider
  /// The hosted services by name.
  let hosted: [String: HostedService]
  private(set) var initial: [String: String] = [:]
  var events: [String: [String]] = [:]

  static func description(room: String, name: String) -> ProductDescription {
    ProductDescription(
      room: room, name: name,
      device: DeviceInfo(
        deviceType: URN(domain: "example-com", kind: .device, name: "Test", version: 1), udn: "uuid:1",
        friendlyName: name, manufacturer: "Maker", modelDescription: "A box that plays", modelName: "Box",
        modelNumber: "1"),
      iconPath: "/icon.png", pagePath: "/description.xml")
  }

  init(player: Player, eventLoop: any EventLoop) {
    list = PlaylistSource(player: player)
    radio = RadioSource(player: player, presets: Self.presets, describe: \.metadata)
    let board = PinBoard()
    receiver = ReceiverSource(player: player)
    let equalizer = EqualizerBoard(player: player)
    control = SpeakerControl(
      player: player, playlist: list, radio: radio, receiver: receiver, pins: board, equalizer: equalizer)
    let control = control
    let transport = AVTransportProvider(player: player, control: control, playlist: list, radio: radio)
    let rendering = RenderingControlProvider(player: player, control: control)
    let protocolInfo = ProtocolInfo.sink(mimeTypes: ["audio/flac", "audio/x-flac"])
    let connections = ConnectionManagerProvider(protocolInfo: protocolInfo)
    let sources = Source.builtIn
    let tracks = TrackCounter()
    let product = ProductProvider(
      player: player, control: control,
      description: Self.description(room: "Kitchen", name: "Shelf"),
      sources: sources, attributes: ["Info", "Time"])
    let info = InfoProvider(player: player, tracks: tracks)
    timeAlarm = Alarm(eventLoop: eventLoop)
    let time = TimeProvider(player: player, tracks: tracks, alarm: timeAlarm)
    let volume = VolumeProvider(player: player, control: control)
    let playlist = PlaylistProvider(
      player: player, control: control, playlist: list, protocolInfo: protocolInfo)
    let stations = RadioProvider(
      player: player, control: control, radio: radio, protocolInfo: protocolInfo
    ) { [refreshes] in refreshes.count += 1 }
    let songcast = ReceiverProvider(player: player, control: control, receiver: receiver)
    let pins = PinsProvider(control: control, board: board)
    let sender = SenderProvider(
      player: player, presentationPath: "/description.xml", alarm: Alarm(eventLoop: eventLoop))
    self.sender = sender
    let feed = StateFeed(
      name: "Shelf", room: nil, player: player, playlist: list, radio: radio, pins: board, equalizer: equalizer)
    self.feed = feed
    let current = TransportProvider(
      player: player, control: control, playlist: list, radio: radio, sources: sources)
    self.product = product
    hosted = [
      "AVTransport": transport.service, "RenderingControl": rendering.service,
      "ConnectionManager": connections.service, "Product": product.service, "Info": info.service,
      "Time": time.service, "Volume": volume.service, "Transport": current.service,
      "Playlist": playlist.service, "Radio": stations.service, "Receiver": songcast.service, "Pins": pins.service,
      "Sender": sender.service,
    ]
    let followers: [(source: Source?, update: (PlayerChanges) -> Void)] = [
      (.playlist, list.update), (.playlist, { _ in playlist.update() }),
      (.playlist, { feed.update($0, of: .playlist) }),
      (.radio, { _ in stations.update() }), (.receiver, { _ in songcast.update() }), (.upnpAV, transport.update),
      (.upnpAV, rendering.update),
      (nil, control.pinInvoker.update), (nil, transport.update), (nil, product.update), (nil, info.update),
      (nil, time.update), (nil, volume.update), (nil, current.update), (nil, sender.update), (nil, { feed.update($0) }),
    ]
    for (source, update) in followers {
      let update = NIOLoopBound(update, eventLoop: eventLoop)
      player.immediately { _ = $0.observe(source) { update.value($0) } }
    }
    overhear(on: eventLoop)
  }

  /// Changes in one turn of the event loop make one event, as with `EventSource` after a quiet period.
  private func overhear(on eventLoop: any EventLoop) {
    let services = NIOLoopBound(self, eventLoop: eventLoop)
    for (name, service) in hosted {
      guard let store = service.store else { continue }
      initial[name] = String(buffer: EventBody.build(store.all, of: store))
      let bound = NIOLoopBound(store, eventLoop: eventLoop)
      store.onChange = { _ in
        eventLoop.execute {
          let changes = bound.value.takeChanges(of: bound.value.all)
          if changes.isEmpty { return }
          let body = EventBody.build(changes, of: bound.value)
          services.value.events[name, default: []].append(String(buffer: body))
        }
      }
    }
  }
}
