import DeviceStack
import NIOCore
import UPnP

@testable import Conformance

/// A speaker without sound: the state that the services of the stand-in devices share. Used on the host's event loop.
final class StandInSpeaker {
  enum Source: UInt32, CaseIterable {
    case playlist, radio, upnpAV, receiver
  }

  static let highestVolume: UInt32 = 100
  static let volumeLimit: UInt32 = 80

  private(set) var volume: UInt32 = 5
  var isMuted = false
  var balance: Int32 = 0
  var fade: Int32 = 0
  private(set) var isStandby = false
  private(set) var source = Source.playlist
  var tracks = StandInTracks()
  var channels = StandInChannels()
  var pins = StandInPinBoard()
  var sender = (uri: "", metadata: "")
  /// The player of the source UPnP AV.
  let player: StandInPlayer
  /// The player of the playlist and the radio.
  private let ownPlayer: StandInPlayer
  private var isReceiving = false
  /// The number of items that have been current so far.
  private(set) var itemCount: UInt32 = 0
  /// The number of the current item in its player.
  private var currentItem: Int?
  /// The playlist's next track, and its number in the player.
  private var staged: (number: Int, id: UInt32)?
  /// Whether the player plays the playlist.
  private var isPlayingList = false
  private let fault: StandInFault?
  /// Rises constantly with ``StandInFault/timeAlwaysAdvances``; 0 otherwise.
  private(set) var extraTicks: UInt32 = 0
  private var observers: [() -> Void] = []

  init(on eventLoop: any EventLoop, clock: CheckClock, fault: StandInFault?) {
    self.fault = fault
    player = StandInPlayer(on: eventLoop, clock: clock, fault: fault)
    ownPlayer = StandInPlayer(on: eventLoop, clock: clock, fault: fault)
    for player in [player, ownPlayer] { player.onChange = { [weak self] in self?.follow() } }
    if fault == .timeAlwaysAdvances { count(on: eventLoop) }
  }

  private func count(on eventLoop: any EventLoop) {
    eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(100)) { [weak self] in
      guard let self else { return }
      extraTicks += 1
      follow()
      count(on: eventLoop)
    }
  }

  /// Adds a service, which events its variables after each change.
  func observe(_ observer: @escaping () -> Void) { observers.append(observer) }

  /// Changes the state, and lets the services send events.
  func change<Result, Failure: Error>(
    _ change: (StandInSpeaker) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { follow() }
    return try change(self)
  }

  func setVolume(_ volume: UInt32) { self.volume = min(volume, Self.volumeLimit) }

  // MARK: Sources and standby

  func select(_ source: Source) {
    isStandby = false
    guard source != self.source else { return }
    stop()
    self.source = source
  }

  func setStandby(_ isStandby: Bool) {
    if isStandby { stop() }
    self.isStandby = isStandby
  }

  // MARK: Playback

  private var current: StandInPlayer { source == .upnpAV ? player : ownPlayer }

  var deck: StandInDeck {
    source == .receiver
      ? StandInDeck(sender: sender, isPlaying: isReceiving) : StandInDeck(current.transport)
  }

  /// The state of a source, which plays only while it is selected.
  func state(of source: Source) -> StandInDeck.State { source == self.source ? deck.state : .stopped }

  /// Plays an item from its beginning.
  func play(_ uri: String, _ metadata: String, of source: Source) {
    select(source)
    stop()
    try? ownPlayer.perform { transport throws(ActionFault) in
      transport.set(uri: uri, metadata: metadata)
      try transport.play()
    }
    isPlayingList = source == .playlist
  }

  /// Plays the current item of a source.
  func play(_ source: Source) {
    guard state(of: source) != .paused else { return resume() }
    guard state(of: source) == .stopped || fault == .playRestarts else { return }
    switch source {
    case .playlist: tracks.current.map { play($0.uri, $0.metadata, of: source) }
    case .radio: if !channels.uri.isEmpty { play(channels.uri, channels.metadata, of: source) }
    case .receiver: if !sender.uri.isEmpty { receive() }
    case .upnpAV: if source == self.source { resume() }
    }
  }

  private func receive() {
    select(.receiver)
    isReceiving = true
  }

  private func resume() { try? current.perform { transport throws(ActionFault) in try transport.play() } }

  func pause() { try? current.perform { transport throws(ActionFault) in try transport.pause() } }

  func stop() {
    isReceiving = false
    isPlayingList = false
    staged = nil
    current.stop()
  }

  func seek(to position: Duration) {
    try? current.perform { transport throws(ActionFault) in try transport.seek(to: max(.zero, position)) }
  }

  /// Adds a track to the playlist.
  func insert(_ uri: String, _ metadata: String, after id: UInt32) -> UInt32 {
    let id = tracks.insert(uri, metadata, after: id)
    if fault == .insertionRestarts, isPlayingList { skip(by: 0) }
    return id
  }

  /// Plays the next or the previous track of the playlist.
  func skip(by steps: Int) {
    guard let track = tracks.neighbour(steps) else { return stop() }
    tracks.currentID = track.id
    play(track.uri, track.metadata, of: .playlist)
  }

  // MARK: Following the players

  /// Counts the items, and keeps the playlist's current and next track in step with the players.
  private func follow() {
    if isPlayingList { followList() }
    let item = current.transport.current?.number
    if item != nil, item != currentItem { itemCount += 1 }
    currentItem = item
    for observer in observers { observer() }
  }

  private func followList() {
    if let staged, ownPlayer.transport.current?.number == staged.number {
      self.staged = nil
      tracks.currentID = staged.id
    }
    if ownPlayer.transport.state != .stopped {
      stageNext()
    } else if mustSkip {
      skip(by: 1)
    } else {
      isPlayingList = false
      tracks.currentID = tracks.list.first?.id ?? 0
    }
  }

  /// Whether the playlist must continue after the player has stopped.
  private var mustSkip: Bool {
    switch fault {
    case .stopsAtFailure: false
    case .stagesNothing: tracks.neighbour(1) != nil
    default: ownPlayer.transport.hasFailed || staged != nil
    }
  }

  /// Sets the track after the current one as the player's next track.
  private func stageNext() {
    guard fault != .stagesNothing else { return }
    let next = tracks.neighbour(1)
    guard next?.id != staged?.id else { return }
    staged = next.map { (0, $0.id) }
    try? ownPlayer.perform { $0.setNext(uri: next?.uri ?? "", metadata: next?.metadata ?? "") }
    staged = next.map { (ownPlayer.transport.next?.number ?? 0, $0.id) }
  }
}
