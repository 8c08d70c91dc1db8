import NIOCore
import Playback
import Providers

/// Plays pins that refer to folders of media servers. Used on the event loop.
final class PinnedFolders {
  private let player: FolderPlayer
  private let playlist: NIOLoopBound<PlaylistSource>
  private let eventLoop: any EventLoop

  init(player: FolderPlayer, playlist: PlaylistSource, eventLoop: any EventLoop) {
    self.player = player
    self.playlist = NIOLoopBound(playlist, eventLoop: eventLoop)
    self.eventLoop = eventLoop
  }

  /// Replaces the queue by the tracks of a folder.
  /// - Parameter reply: called once, when the first track plays or nothing can be played.
  /// - Returns: a function that cancels it.
  func play(_ folder: PinFolder, shuffles: Bool, reply: @escaping PinInvoker.Reply) -> () -> Void {
    let waiting = NIOLoopBoundBox<PinInvoker.Reply?>(reply, eventLoop: eventLoop)
    // Later calls are ignored.
    let answer: @Sendable (PinFault?) -> Void = { fault in waiting.value.take()?(fault) }
    let added: @Sendable (Int) -> Void = { [playlist] _ in
      guard waiting.value != nil else { return }
      playlist.value.setShuffles(shuffles)
      answer(nil)
    }
    let selection: FolderPlayer.Selection = folder.isContainer ? .container(folder.id) : .objects([folder.id])
    let task = Task { [player, eventLoop] in
      var fault = PinFault.nothingToPlay
      do throws(LibraryError) {
        _ = try await player.play(selection, of: "uuid:" + folder.server, .replace, added: added)
      } catch {
        fault = PinFault(error)
      }
      eventLoop.execute { [fault] in answer(fault) }
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
