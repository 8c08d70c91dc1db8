import DeviceStack
import Playback
import PlaybackModel
import SpeakerCore
import UPnP

/// AVTransport:1. Controllers set the items of the source `upnpAV`, and control the source that is shown: that one, or
/// another one that plays.
public final class AVTransportProvider: AVTransport1.Provider {
  /// The value for unsupported counters (AVTransport:1 §2.2.21).
  private static let noCounter = Int32.max
  private static let presentChanges: PlayerChanges = [
    .state, .item, .next, .duration, .title, .error, .capabilities, .repeatsOne, .source,
  ]

  private let player: Player
  private let commands: ControllerCommands
  private let variables: AVTransport1.Variables
  private var shown: ShownSource
  private var trackMetadata = TrackMetadata()

  /// Call it on the player's executor, like all members of this class.
  package init(player: Player, control: SpeakerControl, playlist: PlaylistSource, radio: RadioSource) {
    self.player = player
    commands = ControllerCommands(control: control, origin: .upnpAV)
    shown = ShownSource(Self.current(player))
    let view = Self.view(player, control, of: shown.source)
    variables = AVTransport1.Variables(Self.values(view, &trackMetadata))
    playlist.observe { [weak self] in self?.refresh() }
    radio.observe { [weak self] in self?.refresh() }
  }

  /// The service for a device to host.
  public var service: HostedService { AVTransport1.hosted(by: self, variables) }

  /// Updates the evented variables after a change in the current source or in `upnpAV`.
  public func update(_ changes: PlayerChanges) {
    guard !changes.isDisjoint(with: Self.presentChanges) else { return }
    shown.follow(Self.current(player))
    refresh()
  }

  private func refresh() { variables.apply(Self.values(view, &trackMetadata)) }

  /// The values of LastChange. The SCPD's defaults apply to everything about recording.
  private static func values(_ view: AVTransportView, _ trackMetadata: inout TrackMetadata) -> AVTransport1.Values {
    AVTransport1.Values(
      transportState: view.state, transportStatus: view.status, playbackStorageMedium: view.medium,
      currentPlayMode: view.playMode, numberOfTracks: view.trackCount, currentTrack: view.track,
      currentTrackDuration: view.trackDuration, currentMediaDuration: view.mediaDuration,
      currentTrackMetaData: trackMetadata.text(for: view.trackItem, liveTitle: view.liveTitle, tags: view.tags),
      currentTrackURI: view.trackURI, avTransportURI: view.uri, avTransportURIMetaData: view.metadata,
      nextAVTransportURI: view.nextURI, nextAVTransportURIMetaData: view.nextMetadata,
      currentTransportActions: view.actions)
  }

  private var view: AVTransportView { Self.view(player, commands.control, of: shown.source) }

  private static func view(_ player: Player, _ control: SpeakerControl, of source: Source) -> AVTransportView {
    AVTransportView(player.immediately { $0.deck(source) }, of: source, control.abilities(of: source))
  }

  private static func current(_ player: Player) -> ShownSource.Moment {
    player.immediately { player in
      let deck = player.deck()
      return ShownSource.Moment(source: player.source, state: deck.state, trackID: deck.trackID)
    }
  }

  private func item(uri: String, metadata: String) -> MediaItem? {
    guard !uri.isEmpty else { return nil }
    let metadata = DIDLLite.wellFormed(metadata, uri: uri)
    return MediaItem(uri: uri, metadata: metadata, duration: DIDLLite.duration(in: metadata, uri: uri))
  }

  // MARK: The items of controllers

  public func setAVTransportURI(_ input: AVTransport1.SetAVTransportURIInput) throws(ActionFault) {
    let item = item(uri: input.currentURI, metadata: input.currentURIMetaData)
    try commands.perform(.item(.set(item)))
    shown.setItem(isEmpty: item == nil)
    refresh()
  }

  public func setNextAVTransportURI(_ input: AVTransport1.SetNextAVTransportURIInput) throws(ActionFault) {
    try commands.perform(.item(.setNext(item(uri: input.nextURI, metadata: input.nextURIMetaData))))
  }

  public func setPlayMode(_ input: AVTransport1.SetPlayModeInput) throws(ActionFault) {
    try commands.perform(.item(.repeats(input.newPlayMode == .repeatOne)))
  }

  // MARK: The shown source

  public func getMediaInfo() -> AVTransport1.GetMediaInfoOutput {
    let view = self.view
    return AVTransport1.GetMediaInfoOutput(
      nrTracks: view.trackCount, mediaDuration: view.mediaDuration, currentURI: view.uri,
      currentURIMetaData: view.metadata, nextURI: view.nextURI, nextURIMetaData: view.nextMetadata,
      playMedium: view.medium, recordMedium: .notImplemented, writeStatus: .notImplemented)
  }

  public func getTransportInfo() -> AVTransport1.GetTransportInfoOutput {
    let view = self.view
    return AVTransport1.GetTransportInfoOutput(
      currentTransportState: view.state, currentTransportStatus: view.status, currentSpeed: ._1)
  }

  public func getPositionInfo() -> AVTransport1.GetPositionInfoOutput {
    let view = self.view
    return AVTransport1.GetPositionInfoOutput(
      track: view.track, trackDuration: view.trackDuration,
      trackMetaData: trackMetadata.text(for: view.trackItem, liveTitle: view.liveTitle, tags: view.tags),
      trackURI: view.trackURI, relTime: view.position, absTime: view.position, relCount: Self.noCounter,
      absCount: Self.noCounter)
  }

  public func getDeviceCapabilities() -> AVTransport1.GetDeviceCapabilitiesOutput {
    AVTransport1.GetDeviceCapabilitiesOutput(
      playMedia: "NETWORK", recMedia: UPnPTime.notImplemented, recQualityModes: UPnPTime.notImplemented)
  }

  public func getTransportSettings() -> AVTransport1.GetTransportSettingsOutput {
    AVTransport1.GetTransportSettingsOutput(playMode: view.playMode, recQualityMode: .notImplemented)
  }

  public func getCurrentTransportActions() -> AVTransport1.GetCurrentTransportActionsOutput {
    AVTransport1.GetCurrentTransportActionsOutput(actions: view.actions)
  }

  public func play(_ input: AVTransport1.PlayInput) throws(ActionFault) { try perform(.play, .play) }

  public func stop() throws(ActionFault) { try perform(.stop, .stop) }

  public func pause() throws(ActionFault) { try perform(.pause, .pause) }

  public func seek(_ input: AVTransport1.SeekInput) throws(ActionFault) {
    switch input.unit {
    // Both are positions within the track: where it begins in its play list is unknown.
    case .relTime, .absTime: try perform(.seek, UPnPTime.duration(input.target).map { .seek(to: $0) })
    case .trackNr: try perform(.seek, canSeek: true, Int(input.target).map { .selectTrack($0) })
    }
  }

  public func next() throws(ActionFault) { try perform(.next, .next) }

  public func previous() throws(ActionFault) { try perform(.previous, .previous) }

  /// Sends a command to the shown source if the table performs the action.
  /// - Parameters:
  ///   - canSeek: true for a seek to a track, which does not need a seekable stream.
  ///   - command: nil for a seek whose target cannot be read.
  private func perform(
    _ action: TransportTable.Action, canSeek: Bool = false, _ command: TransportCommand?
  ) throws(ActionFault) {
    let source = shown.source
    var situation = view.situation
    situation.can.seek = situation.can.seek || canSeek
    switch TransportTable.verdict(on: action, in: situation) {
    case .refused(let fault): throw fault
    case .tolerated: return
    case .leads:
      guard let command else { throw AVTransportFaults.illegalSeekTarget }
      try commands.perform(.transport(command, of: source), fault: AVTransportFaults.fault)
    }
  }
}
