/// The objects that the parts of the page share.
struct PageTools {
  let context: PageContext
  let access: Access
  let lock: PartyLock
  let guests: GuestTracks
  let art: ArtLinks
  let reader: QueueReader
  let history: QueueHistory
  let lists: TrackLists
  let state: PageState
  /// nil without the companion page.
  let phones: Phones?
}

extension PageServer {
  /// The parts of the page, one line each.
  static func parts(_ tools: PageTools) -> [any PagePart] {
    let context = tools.context
    let stations = context.directory.map {
      StationsPart(tools.access, directory: $0, art: tools.art, eventLoop: context.eventLoop)
    }
    return companionParts(tools) + [stations].compactMap(\.self) + [
      AssetsPart(hasCompanion: tools.phones != nil),
      StatePart(tools.state, access: tools.access),
      TransportPart(tools.access),
      SoundPart(tools.access),
      QueuePart(
        tools.access, playlist: context.playlist, reader: tools.reader, history: tools.history, guests: tools.guests),
      PresetsPart(tools.access, radio: context.radio),
      PinsPart(
        tools.access, player: context.player, board: context.pins, radio: context.radio, history: tools.history,
        art: tools.art),
      SettingsPart(context.settings, isReadOnly: context.isReadOnly, eventLoop: context.eventLoop),
      LockPart(tools.lock, eventLoop: context.eventLoop, logger: context.logger),
      AnnouncementPart(tools.access),
      HealthPart(feed: context.feed, facts: context.facts),
      EqualizerPart(tools.access, feed: context.feed),
      AlarmsPart(tools.access, radio: context.radio, feed: context.feed),
      ListsPart(
        tools.access, lists: tools.lists, playlist: context.playlist, reader: tools.reader, history: tools.history,
        guests: tools.guests),
    ]
  }

  /// The parts of the companions that are on.
  private static func companionParts(_ tools: PageTools) -> [any PagePart] {
    guard let companions = tools.context.companions else { return [] }
    let board = companions.board
    let parts: [(any PagePart)?] = [
      tools.phones.map { CompanionPart($0, board: board, facts: tools.context.facts, state: tools.state) },
      companions.pairing.map { PairingPart($0, board: board, lock: tools.lock) },
    ]
    return parts.compactMap(\.self)
  }
}
