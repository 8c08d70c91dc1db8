import NIOCore
import Playback
import PlaybackModel
import Providers
import Synchronization

/// Connects the companions, which have a thread of their own, to the speaker on the event loop.
package final class SpeakerLink: Sendable {
  package typealias Observer = @CompanionActor @Sendable (SpeakerMoment) -> Void

  private struct Parts {
    var name: String
    var room: String?
    let player: Player
    let playlist: PlaylistSource
    let radio: RadioSource
    let pins: PinBoard
    let remote: SpeakerRemote
    var observers: [Observer] = []
    /// Whether a call of the observers is scheduled.
    var isDue = false
  }

  private final class Box {
    var parts: Parts
    init(_ parts: Parts) { self.parts = parts }
  }

  private let eventLoop: any EventLoop
  private let box: NIOLoopBound<Box>
  private let gate = Mutex(CommandGate())

  /// Must be called on the event loop.
  /// - Parameters:
  ///   - name: the speaker's name.
  ///   - room: its room; nil if none is configured.
  package init(
    name: String, room: String?, eventLoop: any EventLoop, player: Player, playlist: PlaylistSource,
    radio: RadioSource, pins: PinBoard, remote: SpeakerRemote
  ) {
    self.eventLoop = eventLoop
    let parts = Parts(
      name: name, room: room, player: player, playlist: playlist, radio: radio, pins: pins, remote: remote)
    box = NIOLoopBound(Box(parts), eventLoop: eventLoop)
    player.immediately { player in _ = player.observe { _ in self.changed() } }
    playlist.observe { [weak self] in self?.changed() }
    radio.observe { [weak self] in self?.changed() }
    pins.observe { [weak self] in self?.changed() }
  }

  private init(sharing link: SpeakerLink) { (eventLoop, box) = (link.eventLoop, link.box) }

  /// The same speaker with a rate limit of its own, so that one companion cannot use up the commands of another.
  package func withOwnLimit() -> SpeakerLink { SpeakerLink(sharing: self) }

  /// Replaces the speaker's name and room.
  package func rename(_ name: String, room: String?) {
    eventLoop.execute { [self] in
      let parts = box.value.parts
      guard parts.name != name || parts.room != room else { return }
      (box.value.parts.name, box.value.parts.room) = (name, room)
      changed()
    }
  }

  package typealias Reply = @CompanionActor @Sendable (RemoteError?) -> Void

  /// Performs a command.
  /// - Parameter reply: called with nil for success.
  package func send(_ command: RemoteCommand, _ reply: @escaping Reply = { _ in }) {
    perform(reply) { parts, reply in parts.remote.perform(command, reply) }
  }

  /// Plays an address now: inserts it behind the current track of the playlist.
  /// - Parameter reply: called with nil for success.
  package func open(_ uri: String, _ reply: @escaping Reply) {
    perform(reply) { parts, reply in
      let playlist = parts.playlist
      let track = PlaylistTrack(uri: uri, metadata: "")
      let id = try? playlist.insert([track], after: playlist.list.currentID, isNext: true).first
      let isOpen = id.map { (try? playlist.seek(toID: $0)) != nil } ?? false
      reply(isOpen ? nil : .playlistFull)
    }
  }

  /// Runs the body on the event loop, which also serves the network and the player, unless this happens too often.
  private func perform(
    _ reply: @escaping Reply, _ body: @escaping @Sendable (Parts, @escaping (RemoteError?) -> Void) -> Void
  ) {
    guard gate.withLock({ $0.admit(at: .now) }) else {
      Task { @CompanionActor in reply(.tooManyCommands) }
      return
    }
    eventLoop.execute { [box] in body(box.value.parts) { error in Task { @CompanionActor in reply(error) } } }
  }

  /// Calls the body with the present state, and again after every change. Changes in one turn of the event loop are
  /// coalesced. The steady advance of the position is not a change.
  package func observe(_ body: @escaping Observer) {
    eventLoop.execute { [self] in
      box.value.parts.observers.append(body)
      let moment = self.moment
      Task { @CompanionActor in body(moment) }
    }
  }

  private func changed() {
    guard !box.value.parts.observers.isEmpty, !box.value.parts.isDue else { return }
    box.value.parts.isDue = true
    eventLoop.execute { [self] in
      box.value.parts.isDue = false
      let (moment, observers) = (self.moment, box.value.parts.observers)
      Task { @CompanionActor in for observer in observers { observer(moment) } }
    }
  }

  private var moment: SpeakerMoment {
    let parts = box.value.parts
    return SpeakerMoment(
      name: parts.name, room: parts.room, parts.player, parts.playlist, parts.radio, parts.pins, parts.remote)
  }
}
