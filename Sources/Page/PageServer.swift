import DeviceStack
import Logging
import NIOCore
import Playback
import PlaybackModel
import SpeakerCore
import Stations
import UPnP

/// The speaker's page and its API, beside the devices on their HTTP server.
///
/// Lives on the event loop, like the player. `PageParts.swift` lists the parts.
package final class PageServer {
  /// Maximum number of event streams. Each holds a connection for hours.
  private static let maximumStreams = 64

  private let context: PageContext
  private let routes: PageRoutes
  private let state: PageState
  private let household: Household
  private let lock: PartyLock
  private let lists: TrackLists
  /// nil without the companion page.
  private let phones: Phones?

  /// Must be called on the event loop.
  package init(_ context: PageContext) {
    self.context = context
    let lock = PartyLock(context.lock)
    self.lock = lock
    let control = context.control
    (control.rights.isPageReadOnly, control.rights.isLocked) = (context.isReadOnly, lock.isLocked)
    let access = Access(control, lock, eventLoop: context.eventLoop)
    let guests = GuestTracks(access: access)
    let art = ArtLinks()
    let reader = QueueReader(art: art)
    let history = QueueHistory(eventLoop: context.eventLoop)
    lists = TrackLists(context.lists)
    household = Household(
      settings: context.house, art: art, player: context.player, playlist: context.playlist, history: history,
      guests: guests, trackLists: lists, eventLoop: context.eventLoop, logger: context.logger)
    let sections = StateSections(
      feed: context.feed, playlist: context.playlist, facts: context.facts, control: control,
      art: art, reader: reader, hasDirectory: context.directory != nil)
    // A quarter of the connections: the others are for controllers.
    state = PageState(
      eventLoop: context.eventLoop, sections: sections.all + [context.companions?.section].compactMap(\.self),
      lists: household.lists, bootID: context.bootID,
      streamLimit: max(1, min(Self.maximumStreams, context.connectionLimit / 4)))
    routes = PageRoutes(access: access)
    phones = context.companions.flatMap { companions in
      companions.phones.map { Phones($0, board: companions.board, eventLoop: context.eventLoop) }
    }
    lock.onChange = { [weak state, weak lock] in
      if let lock { control.rights.isLocked = lock.isLocked }
      state?.touch("access")
    }
    let tools = PageTools(
      context: context, access: access, lock: lock, guests: guests, art: art, reader: reader, history: history,
      lists: lists, state: state, phones: phones)
    for part in Self.parts(tools) + household.parts { part.add(to: routes) }
    control.pinInvoker.playFolders(with: household.folders.play)
    control.announcements.group = { [household] in household.announce($0, waits: $1, $2) }
    context.feed.observe { [weak state] in state?.touch($0) }
    context.feed.observe { [weak self] in self?.changed($0) }
    context.companions?.observe(on: context.eventLoop) { [weak state] in state?.touch("companion") }
  }

  /// Remembers the tracks of the queue that have begun to play.
  private func changed(_ sections: SpeakerSections) {
    guard sections.contains(.playing) else { return }
    let page = NIOLoopBound(self, eventLoop: context.eventLoop)
    // Reads the state once everybody knows of the change.
    context.eventLoop.execute {
      let (context, lists) = (page.value.context, page.value.lists)
      let state = context.feed.state
      guard state.source == .playlist, state.state == .playing, let track = context.playlist.list.track(state.queueID)
      else { return }
      lists.played(track)
    }
  }

  package func mount(on host: isolated DeviceHost) { routes.mount(on: host, eventLoop: context.eventLoop) }

  /// The interfaces have changed.
  /// - Parameters:
  ///   - networks: the networks, each with the speaker's own address.
  ///   - port: the port of the HTTP server.
  package func networksChanged(_ networks: [CIDR], port: Int) {
    household.networksChanged(networks, port: port)
    state.touch("networks")
  }

  /// Removes the party lock for a user of the machine, who needs no PIN.
  /// - Returns: false if the page was not locked.
  package func unlock() -> Bool {
    guard lock.isLocked else { return false }
    lock.remove()
    return true
  }

  /// Saves the phones, and ends subscriptions to other devices. Takes at most three seconds.
  package func stop() -> EventLoopFuture<Void> {
    phones?.save()
    return household.stop()
  }
}

/// The objects that the page uses. `Renderer` provides them.
package struct PageContext {
  let eventLoop: any EventLoop
  let player: Player
  let playlist: PlaylistSource
  let radio: RadioSource
  let pins: PinBoard
  let directory: StationDirectory?
  let control: SpeakerControl
  let feed: StateFeed
  let facts: any SpeakerFacts
  let house: HouseSettings
  let settings: any SettingsKeeper
  let lock: PartyLock.Storage
  let lists: TrackLists.Storage
  let companions: PageCompanions?
  let isReadOnly: Bool
  let bootID: Int
  let connectionLimit: Int
  let logger: Logger

  /// - Parameters:
  ///   - directory: nil if it is off.
  ///   - house: settings of the search for media servers and other speakers.
  ///   - companions: nil if all are off.
  ///   - isReadOnly: whether all commands are refused.
  ///   - bootID: higher in every run.
  ///   - connectionLimit: the maximum number of open connections of the HTTP server.
  package init(
    eventLoop: any EventLoop, player: Player, playlist: PlaylistSource, radio: RadioSource, pins: PinBoard,
    directory: StationDirectory?, control: SpeakerControl, feed: StateFeed, facts: any SpeakerFacts,
    house: HouseSettings, settings: any SettingsKeeper, lock: PartyLock.Storage, lists: TrackLists.Storage,
    companions: PageCompanions?, isReadOnly: Bool, bootID: Int,
    connectionLimit: Int, logger: Logger
  ) {
    self.eventLoop = eventLoop
    self.player = player
    self.playlist = playlist
    self.radio = radio
    self.pins = pins
    self.directory = directory
    self.control = control
    self.feed = feed
    self.facts = facts
    self.house = house
    self.settings = settings
    self.lock = lock
    self.lists = lists
    self.companions = companions
    self.isReadOnly = isReadOnly
    self.bootID = bootID
    self.connectionLimit = connectionLimit
    self.logger = logger
  }
}
