import DeviceStack
import Playback
import PlaybackModel
import SpeakerCore
import UPnP

/// Playlist:1, on the player's source `playlist`.
public final class PlaylistProvider: Playlist1.Provider {
  // The codes are those of OpenHome's own player.
  private static let idNotFound = ActionFault(800, "Id not found")
  private static let full = ActionFault(801, "Playlist full")
  private static let indexNotFound = ActionFault(802, "Index not found")
  private static let seekFailed = ActionFault(803, "Seek failed")

  private let playlist: PlaylistSource
  private let player: Player
  private let commands: ControllerCommands
  private let protocolInfoText: String
  private let variables: Playlist1.Variables
  /// The token of the last IdArray event.
  private var lastToken: UInt32

  /// Call it on the player's executor, like all members of this class.
  /// - Parameter protocolInfo: the supported formats, as in ConnectionManager.
  package init(player: Player, control: SpeakerControl, playlist: PlaylistSource, protocolInfo: String) {
    self.player = player
    commands = ControllerCommands(control: control, origin: .openHome)
    self.playlist = playlist
    protocolInfoText = protocolInfo
    lastToken = playlist.list.token
    variables = Playlist1.Variables(
      Self.values(player, playlist.list, protocolInfo), idArray: { [playlist] in playlist.list.idArray })
    playlist.observe { [weak self] in self?.update() }
  }

  /// The service for a device to host.
  public var service: HostedService { Playlist1.hosted(by: self, variables) }

  /// Updates the evented variables after a change in the list or in its source.
  public func update() {
    let list = playlist.list
    variables.apply(Self.values(player, list, protocolInfoText))
    if list.token != lastToken {
      lastToken = list.token
      variables.touchIdArray()
    }
  }

  private static func values(_ player: Player, _ list: Playlist, _ protocolInfo: String) -> Playlist1.Values {
    Playlist1.Values(
      transportState: state(player), repeat: list.repeats, shuffle: list.shuffles, id: list.currentID,
      tracksMax: UInt32(Playlist.maximumCount), protocolInfo: protocolInfo)
  }

  private static func state(_ player: Player) -> Playlist1.TransportState {
    Playlist1.TransportState(player.immediately { $0.deck(.playlist) }.state)
  }

  // MARK: Reads

  public func transportState() -> Playlist1.TransportStateOutput {
    Playlist1.TransportStateOutput(value: Self.state(player))
  }

  public func id() -> Playlist1.IdOutput { Playlist1.IdOutput(value: playlist.list.currentID) }

  public func `repeat`() -> Playlist1.RepeatOutput { Playlist1.RepeatOutput(value: playlist.list.repeats) }

  public func shuffle() -> Playlist1.ShuffleOutput { Playlist1.ShuffleOutput(value: playlist.list.shuffles) }

  public func read(_ input: Playlist1.ReadInput) throws(ActionFault) -> Playlist1.ReadOutput {
    guard let track = playlist.list.track(input.id) else { throw Self.idNotFound }
    return Playlist1.ReadOutput(uri: track.uri, metadata: track.metadata)
  }

  public func readList(_ input: Playlist1.ReadListInput) -> Playlist1.ReadListOutput {
    Playlist1.ReadListOutput(trackList: TrackListXML.list(ids: input.idList, of: playlist.list))
  }

  public func tracksMax() -> Playlist1.TracksMaxOutput {
    Playlist1.TracksMaxOutput(value: UInt32(Playlist.maximumCount))
  }

  public func idArray() -> Playlist1.IdArrayOutput {
    Playlist1.IdArrayOutput(token: playlist.list.token, array: playlist.list.idArray)
  }

  public func idArrayChanged(_ input: Playlist1.IdArrayChangedInput) -> Playlist1.IdArrayChangedOutput {
    Playlist1.IdArrayChangedOutput(value: input.token != playlist.list.token)
  }

  public func protocolInfo() -> Playlist1.ProtocolInfoOutput { Playlist1.ProtocolInfoOutput(value: protocolInfoText) }

  // MARK: List

  public func insert(_ input: Playlist1.InsertInput) throws(ActionFault) -> Playlist1.InsertOutput {
    let track = PlaylistTrack(uri: input.uri, metadata: DIDLLite.wellFormed(input.metadata, uri: input.uri))
    return Playlist1.InsertOutput(newId: try perform(.insert([track], after: input.afterId)).ids.first ?? 0)
  }

  public func deleteId(_ input: Playlist1.DeleteIdInput) throws(ActionFault) { try perform(.delete([input.value])) }

  public func deleteAll() throws(ActionFault) { try perform(.clear) }

  public func setRepeat(_ input: Playlist1.SetRepeatInput) throws(ActionFault) {
    try commands.perform(.repeat(input.value))
  }

  public func setShuffle(_ input: Playlist1.SetShuffleInput) throws(ActionFault) {
    try commands.perform(.shuffle(input.value))
  }

  @discardableResult
  private func perform(_ command: QueueCommand) throws(ActionFault) -> CommandResult {
    try commands.perform(.queue(command)) { $0 == .playlist(.full) ? Self.full : Self.idNotFound }
  }

  // MARK: Playback

  public func play() throws(ActionFault) { try commands.perform(.transport(.play, of: .playlist)) }

  public func pause() throws(ActionFault) { try commands.perform(.transport(.pause, of: .playlist)) }

  public func stop() throws(ActionFault) { try commands.perform(.transport(.stop, of: .playlist)) }

  public func next() throws(ActionFault) { try commands.perform(.transport(.next, of: .playlist)) }

  public func previous() throws(ActionFault) { try commands.perform(.transport(.previous, of: .playlist)) }

  public func seekSecondAbsolute(_ input: Playlist1.SeekSecondAbsoluteInput) throws(ActionFault) {
    try seek(to: .seconds(Int64(input.value)))
  }

  public func seekSecondRelative(_ input: Playlist1.SeekSecondRelativeInput) throws(ActionFault) {
    let position = player.immediately { $0.deck(.playlist) }.position
    try seek(to: max(.zero, position + .seconds(Int64(input.value))))
  }

  private func seek(to position: Duration) throws(ActionFault) {
    try commands.perform(.transport(.seek(to: position), of: .playlist)) { _ in Self.seekFailed }
  }

  public func seekId(_ input: Playlist1.SeekIdInput) throws(ActionFault) { try perform(.play(input.value)) }

  public func seekIndex(_ input: Playlist1.SeekIndexInput) throws(ActionFault) {
    guard let id = playlist.list.id(at: Int(input.value)) else { throw Self.indexNotFound }
    try perform(.play(id))
  }
}

/// The TrackList of Playlist's ReadList.
enum TrackListXML {
  /// No track is added beyond this many bytes, since the answer is held in memory and the largest list would take a
  /// gigabyte. 16 000 tracks with a kilobyte of metadata each fit.
  private static let maximumBytes = 32 << 20

  /// - Parameter ids: separated by spaces. Unknown ids are skipped: the track may have been deleted in the meantime.
  static func list(ids: String, of list: Playlist) -> NestedXML {
    // Repeated ids are answered once, so that a short request cannot make a large answer.
    var seen: Set<UInt32> = []
    let wanted = ids.utf8.split(separator: UInt8(ascii: " ")).compactMap { word in
      UInt32(Substring(word)).flatMap { seen.insert($0).inserted ? $0 : nil }
    }
    return NestedXML { xml in
      xml.markup("<TrackList>")
      for id in wanted {
        guard xml.length < maximumBytes else { break }
        guard let track = list.track(id) else { continue }
        xml.markup("<Entry><Id>\(id)</Id><Uri>")
        xml.text(track.uri)
        xml.markup("</Uri><Metadata>")
        xml.text(track.metadata)
        xml.markup("</Metadata></Entry>")
      }
      xml.markup("</TrackList>")
    }
  }
}
