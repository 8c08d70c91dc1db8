import DeviceStack
import Logging
import NIOCore
import Page
import Playback
import PlaybackModel
import SpeakerCore
import UPnP

/// The page of this speaker with its facts. Used on the event loop.
final class SpeakerPage {
  private let page: PageServer
  private let facts: PageFacts

  /// Parts of the speaker that the page uses.
  struct Parts {
    let player: Player
    let playlist: PlaylistSource
    let radio: RadioSource
    let pins: PinBoard
    let control: SpeakerControl
    let feed: StateFeed
    let reporter: StatusReporter
    let identity: DeviceIdentity
    let settings: LiveSettings
    let lock: PartyLock.Storage
    let house: HouseSettings
    let companions: PageCompanions?
  }

  /// - Parameter connectionLimit: the maximum number of open connections of the HTTP server.
  init?(
    _ configuration: Configuration, parts: Parts, connectionLimit: Int, eventLoop: any EventLoop, logger: Logger
  ) {
    guard configuration.page != .off else { return nil }
    facts = PageFacts(reporter: parts.reporter)
    page = PageServer(
      PageContext(
        eventLoop: eventLoop, player: parts.player, playlist: parts.playlist, radio: parts.radio,
        pins: parts.pins, control: parts.control, feed: parts.feed,
        facts: facts, house: parts.house,
        settings: PageSettingsKeeper(parts.settings), lock: parts.lock, companions: parts.companions,
        isReadOnly: configuration.page == .readOnly, bootID: parts.identity.bootID, connectionLimit: connectionLimit,
        logger: logger))
  }

  /// Serves the page.
  func mount(on host: isolated DeviceHost) { page.mount(on: host) }

  /// Replaces the interfaces on which the speaker can be found.
  func networkChanged(_ host: isolated DeviceHost) {
    facts.networks = host.interfaces.map {
      NetworkFacts(name: $0.name, address: $0.address, url: address(on: $0, of: host))
    }
    page.networksChanged(host.interfaces.compactMap(\.network), port: host.port)
  }

  /// The URL of the page as seen from an interface.
  func address(on interface: NetworkInterface, of host: isolated DeviceHost) -> String {
    host.serverURL(on: interface) + "/"
  }

  /// Removes the party lock.
  /// - Returns: false if the page was not locked.
  func unlock() -> Bool { page.unlock() }

  /// Saves the page's phones, and ends its subscriptions to other devices. Takes at most three seconds.
  func stop() -> EventLoopFuture<Void> { page.stop() }
}
