import ControlPoint
import NIOCore
import Playback
import UPnP

/// Knows the servers on the speaker's own machine that may have pictures.
protocol LocalServing: Sendable {
  /// Whether music comes from this port of the machine.
  func hasMusic(at address: IPAddress, port: UInt16) async -> Bool
}

/// The ports of the speaker's machine from which tracks come, and those of media servers there. Ports of tracks are no new
/// risk: a client that may add a track can already make the speaker request it.
///
/// An actor on the event loop.
actor LocalServers: LocalServing {
  private static let pause = Duration.milliseconds(50)

  private let house: House
  private let player: Player
  private let playlist: NIOLoopBound<PlaylistSource>
  private let executor: any SerialExecutor
  /// The ports that were found. They are kept, because servers are only searched for while a page shows them.
  private var ports: Set<UInt16> = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(house: House, player: Player, playlist: NIOLoopBound<PlaylistSource>, eventLoop: any EventLoop) {
    self.house = house
    self.player = player
    self.playlist = playlist
    executor = eventLoop.executor
  }

  func hasMusic(at address: IPAddress, port: UInt16) async -> Bool {
    if ports.contains(port) || hasTrack(at: address, port) {
      ports.insert(port)
      return true
    }
    await house.requested(.servers)
    while true {
      if await house.descriptions.contains(where: { $0.location.address == address && $0.location.port == port }) {
        ports.insert(port)
        return true
      }
      guard await house.isSearching, !Task.isCancelled else { return false }
      try? await Task.sleep(for: Self.pause)
    }
  }

  /// Whether the current track or one in the queue comes from there.
  private func hasTrack(at address: IPAddress, _ port: UInt16) -> Bool {
    let places = (port == 80 ? ["", ":80"] : [":\(port)"]).map { "http://\(address)\($0)/" }
    func isThere(_ uri: String) -> Bool { places.contains { uri.hasPrefix($0) } }
    if let uri = player.immediately({ $0.deck().item?.uri }), isThere(uri) { return true }
    let list = playlist.value.list
    return list.ids.contains { list.track($0).map { isThere($0.uri) } ?? false }
  }
}
