import DeviceStack
import Playback
import PlaybackModel
import SpeakerCore
import UPnP

/// Transport:1: controls the current source.
public final class TransportProvider: Transport1.Provider {
  private static let notSupported = ActionFault(801, "Action not supported by the current source")
  private static let seekFailed = ActionFault(803, "Seek failed")
  private static let otherStream = ActionFault(804, "Stream id not current")

  /// The state of the current source in Transport's terms.
  private struct View {
    let state: Transport1.TransportState
    let streamID: UInt32
    let canSkipNext: Bool
    let canSkipPrevious: Bool
    let canSeek: Bool
    /// Whether the stream supports pausing, in any state. A live stream is stopped instead.
    let canPause: Bool
    let position: Duration
    /// Whether the current source follows `repeats` and `shuffles`: only the playlist does.
    let canRepeat: Bool
    let canShuffle: Bool
    /// Repeat and shuffle of the device. The playlist stores them.
    let repeats: Bool
    let shuffles: Bool

    init(_ player: isolated Player, _ list: Playlist, _ abilities: TransportAbilities) {
      let deck = player.deck()
      state = deck.isWaiting ? .waiting : Transport1.TransportState(deck.state)
      streamID = UInt32(truncatingIfNeeded: deck.trackID)
      let isPlaylist = player.source == .playlist
      (canSkipNext, canSkipPrevious) = (abilities.next, abilities.previous)
      (canRepeat, canShuffle) = (isPlaylist, isPlaylist)
      (repeats, shuffles) = (list.repeats, list.shuffles)
      canSeek = abilities.seek
      canPause = abilities.pause && !abilities.pauseStops
      position = deck.position
    }
  }

  private let player: Player
  private let playlist: PlaylistSource
  private let radio: RadioSource
  private let commands: ControllerCommands
  private let sources: [ProductSource]
  private let variables: Transport1.Variables

  /// Call it on the player's executor, like all members of this class.
  /// - Parameter sources: the sources of this device.
  package init(
    player: Player, control: SpeakerControl, playlist: PlaylistSource, radio: RadioSource, sources: [Source]
  ) {
    self.player = player
    self.playlist = playlist
    self.radio = radio
    commands = ControllerCommands(control: control, origin: .openHome)
    self.sources = sources.map(ProductSource.init)
    variables = Transport1.Variables(Self.values(Self.view(player, playlist, control), modes: Self.modes(self.sources)))
    playlist.observe { [weak self] in self?.update([]) }
    radio.observe { [weak self] in self?.update([]) }
  }

  /// The service for a device to host.
  public var service: HostedService { Transport1.hosted(by: self, variables) }

  /// Updates the evented variables after a change in the player, the playlist or the presets.
  public func update(_ changes: PlayerChanges) {
    variables.apply(Self.values(view, modes: Self.modes(sources)))
  }

  private static func values(_ view: View, modes: String) -> Transport1.Values {
    Transport1.Values(
      modes: modes, canSkipNext: view.canSkipNext, canSkipPrevious: view.canSkipPrevious,
      canRepeat: view.canRepeat, canShuffle: view.canShuffle, streamId: view.streamID, canSeek: view.canSeek,
      canPause: view.canPause, transportState: view.state, repeat: view.repeats, shuffle: view.shuffles)
  }

  private var view: View { Self.view(player, playlist, commands.control) }

  private static func view(_ player: Player, _ playlist: PlaylistSource, _ control: SpeakerControl) -> View {
    let abilities = control.abilities()
    return player.immediately { [list = playlist.list] in View($0, list, abilities) }
  }

  /// The modes of `PlayAs` as a JSON array: the sources' types, which need no escaping.
  private static func modes(_ sources: [ProductSource]) -> String {
    let types = sources.map(\.type).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return "[" + types.map { "\"\($0)\"" }.joined(separator: ",") + "]"
  }

  // MARK: State

  public func transportState() -> Transport1.TransportStateOutput { Transport1.TransportStateOutput(state: view.state) }

  public func modes() -> Transport1.ModesOutput { Transport1.ModesOutput(modes: Self.modes(sources)) }

  public func modeInfo() -> Transport1.ModeInfoOutput {
    let view = self.view
    return Transport1.ModeInfoOutput(
      canSkipNext: view.canSkipNext, canSkipPrevious: view.canSkipPrevious, canRepeat: view.canRepeat,
      canShuffle: view.canShuffle)
  }

  public func streamInfo() -> Transport1.StreamInfoOutput {
    let view = self.view
    return Transport1.StreamInfoOutput(streamId: view.streamID, canSeek: view.canSeek, canPause: view.canPause)
  }

  public func streamId() -> Transport1.StreamIdOutput { Transport1.StreamIdOutput(streamId: view.streamID) }

  public func `repeat`() -> Transport1.RepeatOutput { Transport1.RepeatOutput(repeat: view.repeats) }

  public func shuffle() -> Transport1.ShuffleOutput { Transport1.ShuffleOutput(shuffle: view.shuffles) }

  // MARK: Commands

  public func playAs(_ input: Transport1.PlayAsInput) throws(ActionFault) {
    guard let source = sources.first(where: { $0.type == input.mode })?.source,
      let command = PlayAsCommand(input.command)
    else { throw Self.notSupported }
    guard let play = self.command(command, of: source) else { throw Self.notSupported }
    try commands.perform(play) { _ in Self.notSupported }
  }

  /// - Returns: nil if the source has no such track or preset.
  private func command(_ command: PlayAsCommand, of source: Source) -> SpeakerCommand? {
    switch (source, command) {
    // A source that cannot play becomes current all the same.
    case (_, .current): commands.control.abilities(of: source).play ? .transport(.play, of: source) : .source(source)
    case (.playlist, .id(let id)): .queue(.play(id))
    case (.playlist, .index(let index)): playlist.list.id(at: Int(index)).map { .queue(.play($0)) }
    case (.radio, .id(let id)): .radio(.play(id))
    case (.radio, .index(let index)): radio.presets.id(at: Int(index)).map { .radio(.play($0)) }
    case (.upnpAV, _), (.receiver, _), (.program, _): nil
    }
  }

  /// Does nothing without an item: OpenHome defines no fault for that.
  public func play() throws(ActionFault) { try commands.perform(.play) }

  /// Pauses, or stops a live stream.
  public func pause() throws(ActionFault) { try commands.perform(.pause) }

  public func stop() throws(ActionFault) { try commands.perform(.stop) }

  /// Does nothing without a next preset or item: OpenHome defines no fault for that. After the last track it stops the
  /// playlist, as Playlist's Next does.
  public func skipNext() throws(ActionFault) { try commands.perform(.next) }

  public func skipPrevious() throws(ActionFault) { try commands.perform(.previous) }

  public func setRepeat(_ input: Transport1.SetRepeatInput) throws(ActionFault) {
    try commands.perform(.repeat(input.repeat))
  }

  public func setShuffle(_ input: Transport1.SetShuffleInput) throws(ActionFault) {
    try commands.perform(.shuffle(input.shuffle))
  }

  public func seekSecondAbsolute(_ input: Transport1.SeekSecondAbsoluteInput) throws(ActionFault) {
    try seek(to: .seconds(Int64(input.secondAbsolute)), in: input.streamId)
  }

  public func seekSecondRelative(_ input: Transport1.SeekSecondRelativeInput) throws(ActionFault) {
    try seek(to: max(.zero, view.position + .seconds(Int64(input.secondRelative))), in: input.streamId)
  }

  private func seek(to position: Duration, in streamID: UInt32) throws(ActionFault) {
    try commands.perform(.seek(to: position, track: Int(streamID))) {
      $0 == .anotherTrack ? Self.otherStream : Self.seekFailed
    }
  }
}

/// The command of Transport's PlayAs, in the syntax of OpenHome's own player.
enum PlayAsCommand: Equatable {
  /// The current item of the source.
  case current
  /// A track of the playlist or a preset of the radio: `id=7`.
  case id(UInt32)
  /// A track or preset by its index from 0: `index=6`.
  case index(UInt32)

  /// Nil for an invalid command.
  init?(_ text: String) {
    if text.isEmpty {
      self = .current
      return
    }
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let number = UInt32(parts[1]) else { return nil }
    switch parts[0] {
    case "id": self = .id(number)
    case "index": self = .index(number)
    default: return nil
    }
  }
}

/// The values of TransportState. The generator emits a separate type for each OpenHome service.
protocol OpenHomeState {
  static var playing: Self { get }
  static var paused: Self { get }
  static var stopped: Self { get }
  static var buffering: Self { get }
}

extension OpenHomeState {
  init(_ state: PlaybackModel.TransportState) {
    switch state {
    case .noMedia, .stopped: self = .stopped
    case .transitioning: self = .buffering
    case .playing: self = .playing
    case .paused: self = .paused
    }
  }
}

extension Transport1.TransportState: OpenHomeState {}
extension Playlist1.TransportState: OpenHomeState {}
extension Radio2.TransportState: OpenHomeState {}
