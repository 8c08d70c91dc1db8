import NIOCore
import SpeakerCore

/// Plays pins that refer to folders of media servers. Used on the event loop.
final class PinnedFolders {
  private let player: FolderPlayer
  private let eventLoop: any EventLoop

  init(player: FolderPlayer, eventLoop: any EventLoop) {
    self.player = player
    self.eventLoop = eventLoop
  }

  /// Replaces the queue by the tracks of a folder.
  /// - Parameter reply: called once, when the first track plays or nothing can be played.
  /// - Returns: a function that cancels it.
  func play(_ folder: PinFolder, shuffles: Bool, reply: @escaping PinInvoker.Reply) -> () -> Void {
    let waiting = NIOLoopBoundBox<PinInvoker.Reply?>(reply, eventLoop: eventLoop)
    // Later calls are ignored.
    let answer: @Sendable (Result<CommandResult, PinFault>) -> Void = { result in waiting.value.take()?(result) }
    let selection: FolderPlayer.Selection = folder.isContainer ? .container(folder.id) : .objects([folder.id])
    let task = Task { [player, eventLoop] in
      var fault = PinFault.nothingToPlay
      do throws(LibraryError) {
        _ = try await player.play(selection, of: "uuid:" + folder.server, .replace, shuffles: shuffles) { _, undo in
          answer(.success(CommandResult(undo: undo)))
        }
      } catch {
        fault = PinFault(error)
      }
      eventLoop.execute { [fault] in answer(.failure(fault)) }
    }
    return { task.cancel() }
  }
}

extension PinFault {
  fileprivate init(_ error: LibraryError) {
    switch error {
    case .unknownObject, .nothingPlayable: self = .nothingToPlay
    case .unknownServer, .notSearchable, .timeout, .server, .queueFull, .busy: self = .failed(error.sentence)
    }
  }
}
