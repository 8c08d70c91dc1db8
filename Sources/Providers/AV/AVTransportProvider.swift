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
  private let skip: SourceSkip
  private let variables: AVTransport1.Variables
  private var shown: ShownSource
  private var trackMetadata = TrackMetadata()

  /// Call it on the player's executor, like all members of this class.
  public init(player: Player, playlist: PlaylistSource, radio: RadioSource) {
    self.player = player
    skip = SourceSkip(player: player, playlist: playlist, radio: radio)
    shown = ShownSource(Self.current(player))
    let view = Self.view(player, skip, of: shown.source)
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

  private var view: AVTransportView { Self.view(player, skip, of: shown.source) }

  private static func view(_ player: Player, _ skip: SourceSkip, of source: Source) -> AVTransportView {
    AVTransportView(player.immediately { $0.deck(source) }, of: source, skip.abilities(of: source))
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

  public func setAVTransportURI(_ input: AVTransport1.SetAVTransportURIInput) {
    let item = item(uri: input.currentURI, metadata: input.currentURIMetaData)
    player.immediately { $0.setItem(item, of: .upnpAV) }
    shown.setItem(isEmpty: item == nil)
    refresh()
  }

  public func setNextAVTransportURI(_ input: AVTransport1.SetNextAVTransportURIInput) {
    let item = item(uri: input.nextURI, metadata: input.nextURIMetaData)
    player.immediately { $0.setNext(item, of: .upnpAV) }
  }

  public func setPlayMode(_ input: AVTransport1.SetPlayModeInput) {
    player.immediately { $0.setRepeatsOne(input.newPlayMode == .repeatOne, of: .upnpAV) }
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

  public func play(_ input: AVTransport1.PlayInput) throws(ActionFault) {
    try command(.play) { player, source throws(PlayerError) in try player.play(source) }
  }

  public func stop() throws(ActionFault) {
    try command(.stop) { player, source in player.stop(source) }
  }

  public func pause() throws(ActionFault) {
    try command(.pause) { player, source throws(PlayerError) in
      // Its own controllers may resume a live stream.
      if source == .upnpAV { try player.pause(source) } else { try player.pauseOrStop(source) }
    }
  }

  public func seek(_ input: AVTransport1.SeekInput) throws(ActionFault) {
    switch input.unit {
    // Both are positions within the track: where it begins in its play list is unknown.
    case .relTime, .absTime:
      try command(.seek) { player, source throws(PlayerError) in
        guard let target = UPnPTime.duration(input.target) else { throw .illegalSeekTarget }
        try player.seek(to: target, of: source)
      }
    case .trackNr:
      try command(.seek, canSeek: true) { player, source throws(PlayerError) in
        guard let number = Int(input.target) else { throw .illegalSeekTarget }
        try player.selectTrack(number, of: source)
      }
    }
  }

  public func next() throws(ActionFault) {
    try perform(.next) { source throws(PlayerError) in try skip.skip(.next, of: source) }
  }

  public func previous() throws(ActionFault) {
    try perform(.previous) { source throws(PlayerError) in try skip.skip(.previous, of: source) }
  }

  private func command(
    _ action: TransportTable.Action, canSeek: Bool = false,
    _ command: @Sendable (isolated Player, Source) throws(PlayerError) -> Void
  ) throws(ActionFault) {
    try perform(action, canSeek: canSeek) { source throws(PlayerError) in
      try player.immediately { player throws(PlayerError) in try command(player, source) }
    }
  }

  /// Runs a command on the shown source if the table performs the action.
  /// - Parameter canSeek: true for a seek to a track, which does not need a seekable stream.
  private func perform(
    _ action: TransportTable.Action, canSeek: Bool = false, _ command: (Source) throws(PlayerError) -> Void
  ) throws(ActionFault) {
    let source = shown.source
    var situation = view.situation
    situation.can.seek = situation.can.seek || canSeek
    switch TransportTable.verdict(on: action, in: situation) {
    case .refused(let fault): throw fault
    case .tolerated: return
    case .leads:
      do throws(PlayerError) {
        try command(source)
      } catch {
        throw AVTransportFaults.fault(error)
      }
    }
  }
}
