/// What the parts of the page share.
struct PageTools {
  let context: PageContext
  let access: Access
  let lock: PartyLock
  let art: ArtLinks
  let reader: QueueReader
  let state: PageState
}

extension Page {
  /// The parts of the page, one line each.
  static func parts(_ tools: PageTools) -> [any PagePart] {
    let context = tools.context
    return [
      AssetsPart(),
      StatePart(tools.state),
      TransportPart(player: context.player, playlist: context.playlist, remote: context.remote),
      SoundPart(player: context.player),
      QueuePart(playlist: context.playlist, reader: tools.reader, eventLoop: context.eventLoop),
      PresetsPart(player: context.player, radio: context.radio),
      PinsPart(
        player: context.player, board: context.pins, invoker: context.pinInvoker, radio: context.radio, art: tools.art),
      SettingsPart(context.settings, isReadOnly: context.isReadOnly, eventLoop: context.eventLoop),
      LockPart(tools.lock, eventLoop: context.eventLoop),
      HealthPart(player: context.player, facts: context.facts),
    ]
  }
}
