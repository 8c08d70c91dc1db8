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
  let pinInvoker: PinInvoker
  let control: SpeakerControl
  let feed: StateFeed
  /// Number of RefreshPresets calls.
  let refreshes = Counter()
  let timeAlarm: Alarm
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
    let transport = AVTransportProvider(player: player, playlist: list, radio: radio)
    let rendering = RenderingControlProvider(player: player)
    let protocolInfo = ProtocolInfo.sink(mimeTypes: ["audio/flac", "audio/x-flac"])
    let connections = ConnectionManagerProvider(protocolInfo: protocolInfo)
    let sources = Source.allCases
    let tracks = TrackCounter()
    let product = ProductProvider(
      player: player,
      description: Self.description(room: "Kitchen", name: "Shelf"),
      sources: sources, attributes: ["Info", "Time"])
    let info = InfoProvider(player: player, tracks: tracks)
    timeAlarm = Alarm(eventLoop: eventLoop)
    let time = TimeProvider(player: player, tracks: tracks, alarm: timeAlarm)
    let volume = VolumeProvider(player: player)
    let playlist = PlaylistProvider(player: player, playlist: list, protocolInfo: protocolInfo)
    let stations = RadioProvider(player: player, radio: radio, protocolInfo: protocolInfo) { [refreshes] in
      refreshes.count += 1
    }
    let board = PinBoard()
    let pins = PinsProvider(player: player, board: board, radio: radio, playlist: list, sources: sources)
    pinInvoker = pins.invoker
    control = SpeakerControl(player: player, playlist: list, radio: radio, pins: board, pinInvoker: pins.invoker)
    let feed = StateFeed(name: "Shelf", room: nil, player: player, playlist: list, radio: radio, pins: board)
    self.feed = feed
    let current = TransportProvider(player: player, playlist: list, radio: radio, sources: sources)
    self.product = product
    hosted = [
      "AVTransport": transport.service, "RenderingControl": rendering.service,
      "ConnectionManager": connections.service, "Product": product.service, "Info": info.service,
      "Time": time.service, "Volume": volume.service, "Transport": current.service,
      "Playlist": playlist.service, "Radio": stations.service, "Pins": pins.service,
    ]
    let ofPlaylist = NIOLoopBound(
      [list.update, { _ in playlist.update() }, { feed.update($0, of: .playlist) }], eventLoop: eventLoop)
    let ofRadio = NIOLoopBound(stations.update, eventLoop: eventLoop)
    let ofAV = NIOLoopBound([transport.update, rendering.update], eventLoop: eventLoop)
    let ofCurrent = NIOLoopBound(
      [
        transport.update, product.update, info.update, time.update, volume.update, current.update, pins.update,
        { feed.update($0) },
      ],
      eventLoop: eventLoop)
    player.immediately { player in
      _ = player.observe(.upnpAV) { changes in for update in ofAV.value { update(changes) } }
      _ = player.observe(.playlist) { changes in for update in ofPlaylist.value { update(changes) } }
      _ = player.observe(.radio) { _ in ofRadio.value() }
      _ = player.observe { changes in for update in ofCurrent.value { update(changes) } }
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
