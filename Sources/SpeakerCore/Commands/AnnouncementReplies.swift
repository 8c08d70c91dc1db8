import Playback
import PlaybackModel

/// Tells the senders of announcements what becomes of them. Lives on the player's executor.
package final class AnnouncementReplies {
  private struct Waiting {
    /// Whether the sender waits until the announcement has ended, and not only until it is queued.
    let waits: Bool
    let reply: SpeakerControl.Reply
  }

  /// Lets the group whose sound this speaker receives hear an announcement. The reply says whether this speaker has to play
  /// it, too.
  package typealias Group = (
    AnnouncementRequest, _ waits: Bool, _ reply: @escaping (Result<Bool, AnnouncementError>) -> Void
  ) -> Void

  /// Nil if other speakers cannot be asked.
  package var group: Group?
  private let player: Player
  private var waiting: [Int: Waiting] = [:]

  init(player: Player) { self.player = player }

  /// - Parameter reply: called once, later.
  func announce(
    _ request: AnnouncementRequest, waits: Bool, _ reply: @escaping SpeakerControl.Reply
  ) throws(CommandError) {
    do throws(AnnouncementError) {
      let id = try player.immediately { player throws(AnnouncementError) in try player.announce(request) }
      waiting[id] = Waiting(waits: waits, reply: reply)
    } catch {
      throw .announcement(error)
    }
  }

  /// Announces in the group whose sound this speaker receives.
  /// - Parameter reply: called once, later.
  func announceInGroup(
    _ request: AnnouncementRequest, waits: Bool, _ reply: @escaping SpeakerControl.Reply
  ) throws(CommandError) {
    // A file of this machine is for this machine.
    guard let group, request.content.isForOthers else { return try announce(request, waits: waits, reply) }
    group(request, waits) { [self] result in
      do throws(CommandError) {
        switch result {
        case .success(true): try announce(request, waits: waits, reply)
        case .success(false): reply(.success(CommandResult()))
        case .failure(let error): throw .announcement(error)
        }
      } catch {
        reply(.failure(error))
      }
    }
  }

  package func update(_ changes: PlayerChanges) {
    guard changes.contains(.announcement) else { return }
    for (id, outcome) in player.immediately({ $0.takeAnnouncementOutcomes() }) {
      guard let sender = waiting[id] else { continue }
      switch outcome {
      case .queued:
        if sender.waits { continue }
        sender.reply(.success(CommandResult()))
      case .finished(let error?): sender.reply(.failure(.announcement(error)))
      case .finished(nil): sender.reply(.success(CommandResult()))
      }
      waiting[id] = nil
    }
  }
}
