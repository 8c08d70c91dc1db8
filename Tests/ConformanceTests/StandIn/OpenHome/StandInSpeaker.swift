import DeviceStack
import NIOCore
import UPnP

/// A speaker without sound: the state that the services of the stand-in devices share. It lives on the host's event loop.
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
  private(set) var deck: StandInDeck
  var tracks = StandInTracks()
  var channels = StandInChannels()
  var pins = StandInPinBoard()
  var sender = (uri: "", metadata: "")
  /// Of the source UPnP AV.
  let player: StandInPlayer

  private let eventLoop: any EventLoop
  private let speed: Double
  private var observers: [() -> Void] = []

  /// - Parameter speed: seconds of playback per second.
  init(eventLoop: any EventLoop, speed: Double, player: StandInPlayer) {
    self.player = player
    self.eventLoop = eventLoop
    self.speed = speed
    deck = StandInDeck(speed: speed)
  }

  /// Adds a service, which events its variables after each change.
  func observe(_ observer: @escaping () -> Void) { observers.append(observer) }

  /// Changes the state, and lets the services send events.
  func change<Result, Failure: Error>(
    _ change: (StandInSpeaker) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { for observer in observers { observer() } }
    return try change(self)
  }

  func setVolume(_ volume: UInt32) { self.volume = min(volume, Self.volumeLimit) }

  // MARK: Sources and standby

  func select(_ source: Source) {
    isStandby = false
    guard source != self.source else { return }
    stop()
    player.stop()
    self.source = source
    deck.clear()
  }

  func setStandby(_ isStandby: Bool) {
    if isStandby { stop() }
    self.isStandby = isStandby
  }

  // MARK: Playback

  /// The state of a source, which plays only while it is selected.
  func state(of source: Source) -> StandInDeck.State { source == self.source ? deck.state : .stopped }

  /// Plays an item from its beginning.
  func play(_ uri: String, _ metadata: String, of source: Source) {
    select(source)
    deck.load(uri, metadata)
    resume()
  }

  /// Plays the current item of a source.
  func play(_ source: Source) {
    if source == self.source, deck.state == .paused { return resume() }
    guard state(of: source) == .stopped else { return }
    switch source {
    case .playlist: tracks.current.map { play($0.uri, $0.metadata, of: source) }
    case .radio: if !channels.uri.isEmpty { play(channels.uri, channels.metadata, of: source) }
    case .receiver: if !sender.uri.isEmpty { play(sender.uri, sender.metadata, of: source) }
    case .upnpAV: if source == self.source, !deck.uri.isEmpty { resume() }
    }
  }

  private func resume() {
    deck.resume()
    tick()
  }

  func pause() { deck.pause() }

  func stop() { deck.stop() }

  func seek(to position: Duration) { deck.seek(to: position) }

  /// Plays the next or the previous track of the playlist.
  func skip(by steps: Int) {
    guard let track = tracks.neighbour(steps) else { return stop() }
    tracks.currentID = track.id
    play(track.uri, track.metadata, of: .playlist)
  }

  /// Lets Time send events during playback, and goes on at the end of a track.
  private func tick() {
    guard deck.state == .playing else { return }
    let delay = TimeAmount.milliseconds(Int64(250 / speed))
    eventLoop.assumeIsolated().scheduleTask(in: delay) { [weak self, number = deck.number] in
      guard let self, self.deck.number == number, self.deck.state == .playing else { return }
      self.change { $0.advance() }
    }
  }

  private func advance() {
    guard deck.isOver else { return tick() }
    guard source == .playlist else { return stop() }
    if let track = tracks.neighbour(1) {
      tracks.currentID = track.id
      play(track.uri, track.metadata, of: .playlist)
    } else {
      tracks.currentID = tracks.list.first?.id ?? 0
      stop()
    }
  }
}

/// The item that a stand-in device plays, on a clock that can run faster than real time.
struct StandInDeck {
  enum State { case stopped, playing, paused }

  private(set) var state = State.stopped
  private(set) var uri = ""
  private(set) var metadata = ""
  /// Counts the items.
  private(set) var number: UInt32 = 0
  private let speed: Double
  private var start = ContinuousClock.now
  private var offset = Duration.zero

  init(speed: Double) { self.speed = speed }

  /// Of every item.
  let duration = Duration.seconds(60)

  var position: Duration {
    state == .playing ? min(duration, offset + (ContinuousClock.now - start) * speed) : offset
  }

  var isOver: Bool { position >= duration }

  mutating func load(_ uri: String, _ metadata: String) {
    (self.uri, self.metadata) = (uri, metadata)
    number += 1
    stop()
  }

  mutating func clear() { if !uri.isEmpty { load("", "") } }

  mutating func resume() {
    start = .now
    state = .playing
  }

  mutating func pause() {
    guard state == .playing else { return }
    offset = position
    state = .paused
  }

  mutating func stop() {
    offset = .zero
    state = .stopped
  }

  mutating func seek(to position: Duration) {
    offset = min(max(.zero, position), duration)
    start = .now
  }
}
