import NIOCore
import Playback
import PlaybackModel
import Providers

/// Connects the companions, which have a thread of their own, to the speaker on the event loop.
package final class SpeakerLink: Sendable {
  package typealias Observer = @CompanionActor @Sendable (SpeakerMoment) -> Void

  private struct Parts {
    var name: String
    let player: Player
    let playlist: PlaylistSource
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

  /// Must be called on the event loop.
  /// - Parameter name: the speaker's name.
  package init(
    name: String, eventLoop: any EventLoop, player: Player, playlist: PlaylistSource, remote: SpeakerRemote
  ) {
    self.eventLoop = eventLoop
    box = NIOLoopBound(
      Box(Parts(name: name, player: player, playlist: playlist, remote: remote)), eventLoop: eventLoop)
    player.immediately { player in _ = player.observe { _ in self.changed() } }
    playlist.observe { [weak self] in self?.changed() }
  }

  /// Replaces the speaker's name.
  package func rename(_ name: String) {
    eventLoop.execute { [self] in
      guard box.value.parts.name != name else { return }
      box.value.parts.name = name
      changed()
    }
  }

  /// Performs a command.
  /// - Parameter reply: called with nil for success.
  package func send(
    _ command: RemoteCommand, _ reply: @escaping @CompanionActor @Sendable (RemoteError?) -> Void = { _ in }
  ) {
    eventLoop.execute { [box] in
      box.value.parts.remote.perform(command) { error in Task { @CompanionActor in reply(error) } }
    }
  }

  /// Plays an address now: inserts it behind the current track of the play list.
  /// - Parameter reply: called with false if the play list is full.
  package func open(_ uri: String, _ reply: @escaping @CompanionActor @Sendable (Bool) -> Void) {
    eventLoop.execute { [box] in
      let playlist = box.value.parts.playlist
      let track = PlaylistTrack(uri: uri, metadata: "")
      let id = try? playlist.insert([track], after: playlist.list.currentID, isNext: true).first
      let isOpen = id.map { (try? playlist.seek(toID: $0)) != nil } ?? false
      Task { @CompanionActor in reply(isOpen) }
    }
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
    return SpeakerMoment(name: parts.name, parts.player, parts.playlist, parts.remote)
  }
}
