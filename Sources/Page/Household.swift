import ControlPoint
import Logging
import NIOCore
import Playback
import PlaybackModel
import UPnP

/// The parts of the page that use other devices: media servers, other speakers, and artwork from elsewhere.
///
/// Used on the event loop.
final class Household {
  private let settings: HouseSettings
  private let eventLoop: any EventLoop
  private let house: House
  private let library: MusicLibrary
  private let speakers: OtherSpeakers
  private let groups: SpeakerGroups
  private let announcements: GroupAnnouncements
  private let player: FolderPlayer
  private let proxy: ArtProxy
  private let guests: GuestTracks
  private let trackLists: TrackLists
  private let links: ArtLinks
  /// Plays the folders that pins refer to.
  let folders: PinnedFolders
  /// The lists for the event stream: media servers and other speakers.
  let lists: [ShownList]

  init(
    settings: HouseSettings, art: ArtLinks, player: Player, playlist: PlaylistSource, history: QueueHistory,
    guests: GuestTracks, trackLists: TrackLists, eventLoop: any EventLoop, logger: Logger
  ) {
    self.settings = settings
    self.guests = guests
    self.trackLists = trackLists
    links = art
    self.eventLoop = eventLoop
    let house = House(settings: settings, eventLoop: eventLoop, logger: logger)
    let library = MusicLibrary(
      house: house, own: settings.ownUDNs, links: art, eventLoop: eventLoop, logger: logger)
    let speakers = OtherSpeakers(house: house, own: settings.ownUDNs, links: art, eventLoop: eventLoop, logger: logger)
    let boundPlaylist = NIOLoopBound(playlist, eventLoop: eventLoop)
    self.player = FolderPlayer(
      library: library, playlist: boundPlaylist, history: NIOLoopBound(history, eventLoop: eventLoop),
      protocolInfo: settings.protocolInfo, eventLoop: eventLoop)
    folders = PinnedFolders(player: self.player, eventLoop: eventLoop)
    proxy = ArtProxy(
      eventLoop: eventLoop, links: art, http: HTTPClient(group: eventLoop, product: settings.product),
      resolver: NameResolver(eventLoop: eventLoop), policy: ArtPolicy(networks: []),
      servers: LocalServers(house: house, player: player, playlist: boundPlaylist, eventLoop: eventLoop))
    self.house = house
    self.library = library
    self.speakers = speakers
    groups = SpeakerGroups(speakers: speakers, eventLoop: eventLoop)
    announcements = GroupAnnouncements(house: house, speakers: speakers, eventLoop: eventLoop)
    library.assumeIsolated { $0.attach() }
    speakers.assumeIsolated { $0.attach() }
    let servers = ShownList("library", event: "servers") { JSON.encode(library.assumeIsolated { $0.list }) }
    let others = ShownList("speakers", event: "speakers") { JSON.encode(speakers.assumeIsolated { $0.list }) }
    lists = [servers, others]
    keepAlive(servers, .servers)
    keepAlive(others, .speakers)
    let bound = NIOLoopBound((servers: servers, others: others), eventLoop: eventLoop)
    library.assumeIsolated { $0.observe { bound.value.servers.changed() } }
    speakers.assumeIsolated { $0.observe { bound.value.others.changed() } }
  }

  /// Keeps the control point running while the list is watched.
  private func keepAlive(_ list: ShownList, _ interest: House.Interest) {
    list.onWatched = { [house] isWatched in
      house.assumeIsolated { isWatched ? $0.pageOpened(interest) : $0.pageClosed(interest) }
    }
  }

  var parts: [any PagePart] {
    [
      ArtPart(proxy: proxy, eventLoop: eventLoop),
      LibraryPart(
        library: library, player: player, speakers: speakers, lists: NIOLoopBound(trackLists, eventLoop: eventLoop),
        guests: NIOLoopBound(guests, eventLoop: eventLoop), eventLoop: eventLoop),
      SpeakersPart(speakers: speakers, links: links, eventLoop: eventLoop),
      GroupsPart(groups: groups, eventLoop: eventLoop),
    ]
  }

  /// Announces in the group whose sound this speaker receives.
  func announce(
    _ request: AnnouncementRequest, waits: Bool, _ reply: @escaping (Result<Bool, AnnouncementError>) -> Void
  ) {
    let reply = NIOLoopBound(reply, eventLoop: eventLoop)
    let done = eventLoop.makeFutureWithTask { [announcements] in
      try await announcements.announce(request, waits: waits)
    }
    done.whenComplete { result in
      reply.value(result.mapError { $0 as? AnnouncementError ?? .group("\($0)") })
    }
  }

  /// Replaces the speaker's networks, each with the speaker's own address, and the port of its HTTP server.
  func networksChanged(_ networks: [CIDR], port: Int) {
    let policy = ArtPolicy(
      networks: networks, allowed: settings.networks, ownPort: port, ownPictures: settings.ownPictures)
    proxy.assumeIsolated { $0.policy = policy }
  }

  /// Ends all subscriptions. Takes at most three seconds.
  func stop() -> EventLoopFuture<Void> {
    eventLoop.makeFutureWithTask { [house] in await house.stop() }
  }
}
