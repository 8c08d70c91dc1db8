import NIOCore
import Network
import Playback
import PlaybackEngine
import PlaybackModel
import Providers
import Songcast
import SpeakerCore
import UPnP

/// Sends what this speaker plays to other rooms, by Songcast. Used on the event loop.
final class RoomSender {
  /// From sending to hearing, in all rooms. Enough for a lost frame to be sent again.
  static let latency = Duration.milliseconds(150)
  /// How long before it is heard here sound is tapped: some time for the thread to wake up.
  static let tapLead = latency + .milliseconds(50)
  /// The tap stays on for this time after the last receiver has left: receivers leave and join again when the sound has
  /// stopped, such as at a seek.
  private static let patience = TimeAmount.seconds(1)

  private let zones: ZoneLink
  private let sender: SongcastSender
  private let player: Player
  private let feed: StateFeed
  private let service: SenderProvider
  private let thread: FrameThread
  private let eventLoop: any EventLoop
  private let uuid: UUID
  private var name: String
  /// As configured.
  private var mode: SongcastSender.Mode
  /// The address of the picture of the sender; nil without a network.
  private var picture: String?
  private var state: SenderMachine.State?
  private var metadata = ""
  private var trackMetadata = TrackMetadata()
  private var texts = PlayingTexts()
  private var tapEnd: Scheduled<Void>?

  /// - Parameters:
  ///   - tap: the player's.
  ///   - zones: shared with the receiver.
  ///   - feed: shows whether other rooms receive.
  ///   - service: shows the sender to controllers.
  ///   - uuid: of the OpenHome device; the name of its zone.
  init(
    player: Player, tap: SoundTap, zones: ZoneLink, feed: StateFeed, service: SenderProvider,
    configuration: Configuration, uuid: UUID, eventLoop: any EventLoop
  ) {
    self.zones = zones
    self.player = player
    self.feed = feed
    self.service = service
    self.eventLoop = eventLoop
    self.uuid = uuid
    name = configuration.speakerName
    mode = SongcastSender.Mode(configuration, uuid)
    let metadata = Self.metadata(name: name, mode: mode, uuid: uuid, picture: nil)
    self.metadata = metadata
    let handler = StateHandler()
    let sender = SongcastSender(
      zone: "\(uuid)", preset: 0, metadata: metadata, zones: zones, eventLoop: eventLoop,
      onState: { handler.onState?($0) })
    self.sender = sender
    let bound = NIOLoopBound(sender, eventLoop: eventLoop)
    thread = FrameThread(tap: tap, latency: Self.latency) { frames in
      eventLoop.execute { for frame in frames { bound.value.send(frame) } }
    }
    handler.onState = { [weak self] in self?.changed($0) }
    sender.set(modeInUse)
    show()
  }

  /// The state changes only after `init`, but the sender needs the closure before.
  private final class StateHandler {
    var onState: ((SenderMachine.State?) -> Void)?
  }

  // MARK: Changes

  /// An interface appeared or vanished.
  /// - Parameter server: the base URL of our HTTP server on the first interface; nil without one.
  func use(_ change: InterfaceChange, server: String?) {
    picture = server.flatMap { server in OpenHomeDevice.pathOfPicture.map { server + $0 } }
    zones.use(change)
    show()
  }

  /// Announces the address of the room that is received, so that others join that one; nil for none.
  func follow(_ uri: SongcastURI?) { sender.follow(uri) }

  /// Applies a reloaded configuration.
  func apply(_ configuration: Configuration) {
    name = configuration.speakerName
    mode = SongcastSender.Mode(configuration, uuid)
    sender.set(modeInUse)
    show()
  }

  /// Tells receivers of another track, and of the texts of a station.
  func update(_ changes: PlayerChanges) {
    if changes.contains(.source) {
      sender.set(modeInUse)
      setTap()
    }
    guard !changes.isDisjoint(with: PlayingTexts.changes) else { return }
    let texts = PlayingTexts(player.immediately { $0.deck() }, &trackMetadata)
    if texts.trackID != self.texts.trackID || texts.uri != self.texts.uri || texts.metadata != self.texts.metadata {
      sender.set(uri: texts.uri, metadata: texts.uri.isEmpty ? metadata : texts.metadata)
      if !texts.metatext.isEmpty { sender.set(text: texts.metatext) }
    } else if texts.metatext != self.texts.metatext {
      sender.set(text: texts.metatext)
    }
    self.texts = texts
  }

  /// Says goodbye and closes all sockets.
  func close() {
    tapEnd?.cancel()
    thread.stop()
    sender.close()
    zones.close()
  }

  private func changed(_ state: SenderMachine.State?) {
    self.state = state
    setTap()
    show()
  }

  private var isReceiving: Bool { player.immediately { $0.source } == .receiver }

  /// While another room is received, a group of our own would only be asked who is received.
  private var modeInUse: SongcastSender.Mode {
    if case .multicast = mode, isReceiving { .unicast } else { mode }
  }

  private func setTap() {
    tapEnd?.cancel()
    tapEnd = nil
    if isReceiving {
      setSending(false)
    } else if state == .sending {
      setSending(true)
    } else {
      let bound = NIOLoopBound(self, eventLoop: eventLoop)
      tapEnd = eventLoop.scheduleTask(in: Self.patience) { bound.value.setSending(false) }
    }
  }

  private func setSending(_ isOn: Bool) {
    thread.setOn(isOn)
    feed.sending(isOn)
    // The event loop carries the sound of other rooms, which is lost if it is late.
    if isOn || isReceiving { RealTime.begin(.network) } else { RealTime.end() }
  }

  /// Shows controllers how things are.
  private func show() {
    let metadata = Self.metadata(name: name, mode: mode, uuid: uuid, picture: picture)
    if metadata != self.metadata {
      self.metadata = metadata
      sender.set(metadata: metadata)
    }
    service.set(status: status, metadata: metadata)
  }

  private var status: SenderProvider.Status {
    switch (mode, state) {
    case (.off, _): .disabled
    case (_, nil): .inactive
    case (_, .ready): .ready
    case (_, .sending): .sending
    case (_, .blocked): .blocked
    }
  }

  private static func metadata(name: String, mode: SongcastSender.Mode, uuid: UUID, picture: String?) -> String {
    let isMulticast = if case .multicast = mode { true } else { false }
    return DIDLLite.item(
      title: name, uri: SongcastURI.zone("\(uuid)").description, class: .audioItem, artwork: picture ?? "",
      protocolInfo: isMulticast ? "ohz:*:*:m" : "ohz:*:*:u")
  }
}

extension SongcastSender.Mode {
  /// - Parameter uuid: of the device, which selects the channel if the configuration does not.
  fileprivate init(_ configuration: Configuration, _ uuid: UUID) {
    switch configuration.songcast {
    case .off: self = .off
    case .unicast: self = .unicast
    case .multicast:
      self = .multicast(channel: configuration.songcastChannel.map { UInt16(clamping: $0) } ?? uuid.channel)
    }
  }
}

extension UUID {
  /// A Songcast channel that stays the same.
  fileprivate var channel: UInt16 {
    UInt16(derived("Songcast").description.suffix(4), radix: 16) ?? 0
  }
}
