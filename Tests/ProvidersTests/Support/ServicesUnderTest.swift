import NIOCore

@testable import DeviceStack
@testable import Playback
@testable import Providers

/// The services of both devices on one player, with what they tell. Lives on the loop.
final class ServicesUnderTest {
  let product: ProductProvider
  let timeAlarm: Alarm
  /// By their names.
  let hosted: [String: HostedService]
  private(set) var initial: [String: String] = [:]
  var events: [String: [String]] = [:]

  init(player: Player, eventLoop: any EventLoop) {
    let transport = AVTransportProvider(player: player)
    let rendering = RenderingControlProvider(player: player)
    let protocolInfo = ProtocolInfo.sink(mimeTypes: ["audio/flac", "audio/x-flac"])
    let connections = ConnectionManagerProvider(protocolInfo: protocolInfo)
    let sources = Source.allCases
    let tracks = TrackCounter()
    let product = ProductProvider(
      player: player,
      description: ProductDescription(
        room: "Kitchen", name: "Shelf", manufacturer: "Maker", model: "Model", info: "Model 1", iconPath: "/icon.png"),
      sources: sources, attributes: ["Info", "Time"])
    let info = InfoProvider(player: player, tracks: tracks)
    timeAlarm = Alarm(eventLoop: eventLoop)
    let time = TimeProvider(player: player, tracks: tracks, alarm: timeAlarm)
    let volume = VolumeProvider(player: player)
    let list = PlaylistSource(player: player)
    let playlist = PlaylistProvider(player: player, playlist: list, protocolInfo: protocolInfo)
    let current = TransportProvider(player: player, playlist: list, sources: sources)
    self.product = product
    hosted = [
      "AVTransport": transport.service, "RenderingControl": rendering.service,
      "ConnectionManager": connections.service, "Product": product.service, "Info": info.service,
      "Time": time.service, "Volume": volume.service, "Transport": current.service,
      "Playlist": playlist.service,
    ]
    let ofPlaylist = NIOLoopBound([list.update, { _ in playlist.update() }], eventLoop: eventLoop)
    let ofAV = NIOLoopBound([transport.update, rendering.update], eventLoop: eventLoop)
    let ofCurrent = NIOLoopBound(
      [product.update, info.update, time.update, volume.update, current.update], eventLoop: eventLoop)
    player.immediately { player in
      _ = player.observe(.upnpAV) { changes in for update in ofAV.value { update(changes) } }
      _ = player.observe(.playlist) { changes in for update in ofPlaylist.value { update(changes) } }
      _ = player.observe { changes in for update in ofCurrent.value { update(changes) } }
    }
    overhear(on: eventLoop)
  }

  /// What changes in one turn of the loop is one event, as `EventSource` has it when all was quiet before.
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
