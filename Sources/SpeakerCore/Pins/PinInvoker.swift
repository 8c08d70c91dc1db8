import Playback
import PlaybackModel
import UPnP

/// Plays pins. Lives on the player's executor.
package final class PinInvoker {
  package typealias Reply = (Result<PlayedPin, PinFault>) -> Void
  /// Replaces the playlist by the tracks of a folder, and replies once the first one plays. Returns a closure that
  /// cancels it.
  package typealias FolderPlay = (PinFolder, _ shuffles: Bool, _ reply: @escaping Reply) -> () -> Void
  /// Keeps a replaced playlist. Returns the token that brings it back; nil if it was empty.
  package typealias UndoKeeper = (ReplacedTracks) -> String?

  /// An invocation whose play list is being read.
  private struct Waiting {
    let request: Int
    let pin: Pin
    let reply: Reply
  }

  private let player: Player
  private let radio: RadioSource
  private let playlist: PlaylistSource
  private let sources: [Source]
  private var waiting: Waiting?
  private var playFolder: FolderPlay?
  private var keepUndo: UndoKeeper = { _ in nil }
  private var cancelFolder: () -> Void = {}
  /// Called when the modes have changed.
  package var onModes: () -> Void = {}

  package init(player: Player, radio: RadioSource, playlist: PlaylistSource, sources: [Source]) {
    self.player = player
    self.radio = radio
    self.playlist = playlist
    self.sources = sources
  }

  /// Lets pins refer to folders of media servers from now on.
  /// - Parameter keepUndo: for pins with a playlist document. `play` keeps what it replaces itself.
  package func playFolders(with play: @escaping FolderPlay, keepUndo: @escaping UndoKeeper = { _ in nil }) {
    playFolder = play
    self.keepUndo = keepUndo
    onModes()
  }

  /// The modes of the pins that can be played.
  package var modes: [PinTarget.Mode] { PinTarget.Mode.allCases.filter { $0 != .folder || playFolder != nil } }

  /// Resolves a pin without playing it.
  package func target(of pin: Pin) throws(PinFault) -> PinTarget {
    let target = try PinTarget(pin, sources: sources)
    if case .folder = target, playFolder == nil { throw .modeNotSupported }
    return target
  }

  /// Plays a pin. A play list is read first while playback continues; a newer pin cancels the reading.
  /// - Parameter reply: called once, now or later.
  package func invoke(_ pin: Pin, _ reply: @escaping Reply) throws(PinFault) {
    let target = try target(of: pin)
    cancel()
    switch target {
    case .stream(let uri): play(uri, pin)
    case .source(let source): try play(source)
    case .preset(let number): try play(preset: number)
    case .playlist(let uri):
      waiting = Waiting(request: player.immediately { $0.readList(at: uri) }, pin: pin, reply: reply)
      return
    case .folder(let folder):
      cancelFolder = playFolder?(folder, pin.shuffles, reply) ?? {}
      return
    }
    reply(.success(PlayedPin()))
  }

  /// Plays the waiting pin once its play list has been read.
  package func update(_ changes: PlayerChanges) {
    guard changes.contains(.list), let waiting else { return }
    let request = waiting.request
    guard let found = player.immediately({ $0.takeList(request) }) else { return }
    self.waiting = nil
    switch found {
    case .success(let tracks): waiting.reply(play(tracks, waiting.pin))
    case .failure(let error): waiting.reply(.failure(.failed("\(error)")))
    }
  }

  private func cancel() {
    waiting?.reply(.failure(.nothingToPlay))
    waiting = nil
    cancelFolder()
    cancelFolder = {}
  }

  private func play(_ uri: String, _ pin: Pin) {
    let metadata = DIDLLite.item(
      title: pin.title.isEmpty ? DIDLLite.title(ofURI: uri) : pin.title, uri: uri, class: .audioBroadcast,
      description: pin.description, artwork: pin.artworkURI)
    radio.setChannel(uri: uri, metadata: metadata)
    player.immediately { try? $0.play(.radio) }
  }

  private func play(_ source: Source) throws(PinFault) {
    guard (player.immediately { $0.deck(source) }).item != nil else { throw .nothingToPlay }
    player.immediately { player in
      player.transaction { player in
        player.selectSource(source)
        try? player.play(source)
      }
    }
  }

  private func play(preset number: Int) throws(PinFault) {
    do throws(RadioError) {
      try radio.play(radio.presets.id(at: number - 1) ?? 0)
    } catch {
      throw .nothingToPlay
    }
  }

  /// Replaces the playlist by the tracks.
  private func play(_ tracks: [ListedTrack], _ pin: Pin) -> Result<PlayedPin, PinFault> {
    let tracks = tracks.map { track in
      PlaylistTrack(
        uri: track.address,
        metadata: DIDLLite.item(
          title: track.title ?? DIDLLite.title(ofURI: track.address), uri: track.address, artwork: pin.artworkURI))
    }
    guard let replaced = try? playlist.replaceAll(with: tracks, shuffles: pin.shuffles), !replaced.added.isEmpty else {
      return .failure(.nothingToPlay)
    }
    return .success(PlayedPin(undo: keepUndo(replaced)))
  }
}

/// A pin that plays.
package struct PlayedPin: Sendable {
  /// The token that brings back the playlist that it replaced; nil if there was none.
  package var undo: String?

  package init(undo: String? = nil) { self.undo = undo }
}
