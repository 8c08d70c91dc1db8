import DeviceStack
import UPnP

/// Transport:1 of the stand-in speaker: controls the selected source.
final class StandInTransportService: Transport1.Provider {
  private static let notSupported = ActionFault(801, "Not supported by the source")
  private static let seekFailed = ActionFault(803, "Seek failed")
  private static let otherStream = ActionFault(804, "Stream id not current")
  private static let modeList =
    "[" + StandInSpeaker.Source.allCases.map { "\"\($0.type)\"" }.joined(separator: ",") + "]"

  private let speaker: StandInSpeaker
  private lazy var variables = Transport1.Variables(values)

  init(_ speaker: StandInSpeaker) {
    self.speaker = speaker
    speaker.observe { [weak self] in self?.update() }
  }

  var service: HostedService { Transport1.hosted(by: self, variables) }

  private func update() { variables.apply(values) }

  private var values: Transport1.Values {
    let isPlaylist = speaker.source == .playlist
    let canPause = !speaker.deck.uri.isEmpty && speaker.source != .receiver
    return .init(
      modes: Self.modeList, canSkipNext: isPlaylist && speaker.tracks.neighbour(1) != nil,
      canSkipPrevious: isPlaylist && speaker.tracks.neighbour(-1) != nil, canRepeat: isPlaylist,
      canShuffle: isPlaylist, streamId: speaker.itemCount, canSeek: canPause, canPause: canPause,
      transportState: .init(speaker.deck.state), repeat: speaker.tracks.repeats, shuffle: speaker.tracks.shuffles)
  }

  func transportState() -> Transport1.TransportStateOutput { .init(state: values.transportState) }

  func modes() -> Transport1.ModesOutput { .init(modes: values.modes) }

  func modeInfo() -> Transport1.ModeInfoOutput {
    .init(
      canSkipNext: values.canSkipNext, canSkipPrevious: values.canSkipPrevious, canRepeat: values.canRepeat,
      canShuffle: values.canShuffle)
  }

  func streamInfo() -> Transport1.StreamInfoOutput {
    .init(streamId: values.streamId, canSeek: values.canSeek, canPause: values.canPause)
  }

  func streamId() -> Transport1.StreamIdOutput { .init(streamId: values.streamId) }

  func `repeat`() -> Transport1.RepeatOutput { .init(repeat: values.repeat) }

  func shuffle() -> Transport1.ShuffleOutput { .init(shuffle: values.shuffle) }

  // MARK: Commands

  func playAs(_ input: Transport1.PlayAsInput) throws(ActionFault) {
    guard let source = StandInSpeaker.Source.allCases.first(where: { $0.type == input.mode }) else {
      throw Self.notSupported
    }
    let id = input.command.hasPrefix("id=") ? UInt32(input.command.dropFirst(3)) : nil
    let track = source == .playlist ? id.flatMap { speaker.tracks[$0] } : nil
    speaker.change { speaker in
      speaker.select(source)
      guard let track else { return speaker.play(source) }
      speaker.tracks.currentID = track.id
      speaker.play(track.uri, track.metadata, of: source)
    }
  }

  func play() { speaker.change { $0.play($0.source) } }

  func pause() throws(ActionFault) {
    guard values.canPause || speaker.deck.uri.isEmpty else { throw Self.notSupported }
    speaker.change { $0.pause() }
  }

  func stop() { speaker.change { $0.stop() } }

  func skipNext() throws(ActionFault) { try skip(by: 1) }

  func skipPrevious() throws(ActionFault) { try skip(by: -1) }

  private func skip(by steps: Int) throws(ActionFault) {
    guard speaker.source == .playlist else { throw Self.notSupported }
    speaker.change { $0.skip(by: steps) }
  }

  func setRepeat(_ input: Transport1.SetRepeatInput) { speaker.change { $0.tracks.repeats = input.repeat } }

  func setShuffle(_ input: Transport1.SetShuffleInput) { speaker.change { $0.tracks.shuffles = input.shuffle } }

  func seekSecondAbsolute(_ input: Transport1.SeekSecondAbsoluteInput) throws(ActionFault) {
    try seek(to: .seconds(Int64(input.secondAbsolute)), in: input.streamId)
  }

  func seekSecondRelative(_ input: Transport1.SeekSecondRelativeInput) throws(ActionFault) {
    try seek(to: speaker.deck.position + .seconds(Int64(input.secondRelative)), in: input.streamId)
  }

  private func seek(to position: Duration, in stream: UInt32) throws(ActionFault) {
    guard stream == values.streamId else { throw Self.otherStream }
    guard values.canSeek, speaker.deck.state != .stopped else { throw Self.seekFailed }
    speaker.change { $0.seek(to: position) }
  }
}

/// The values of TransportState. The generator emits a type for each service.
protocol StandInTransportState {
  static var playing: Self { get }
  static var paused: Self { get }
  static var stopped: Self { get }
  static var buffering: Self { get }
}

extension StandInTransportState {
  init(_ state: StandInDeck.State) {
    switch state {
    case .stopped: self = .stopped
    case .buffering: self = .buffering
    case .playing: self = .playing
    case .paused: self = .paused
    }
  }
}

extension Transport1.TransportState: StandInTransportState {}
extension Playlist1.TransportState: StandInTransportState {}
extension Radio2.TransportState: StandInTransportState {}
