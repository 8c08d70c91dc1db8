import Playback
import PlaybackModel
import UPnP

/// Plays pins. Lives on the player's executor.
package final class PinInvoker {
  package typealias Reply = (Result<CommandResult, PinFault>) -> Void
  /// Replaces the playlist by the tracks of a folder, and replies once the first one plays. Returns a closure that
  /// cancels it.
  package typealias FolderPlay = (PinFolder, _ shuffles: Bool, _ reply: @escaping Reply) -> () -> Void

  /// Limit for each text of a pin, in bytes.
  private static let maximumBytes = 4096

  /// An invocation whose playlist document is being read.
  private struct Waiting {
    let request: Int
    let pin: Pin
    let reply: Reply
  }

  private let player: Player
  private let radio: RadioSource
  private let playlist: PlaylistSource
  private let announcements: AnnouncementReplies
  private var waiting: Waiting?
  private var playFolder: FolderPlay?
  private var cancelFolder: () -> Void = {}
  /// Called when the modes have changed.
  package var onModes: () -> Void = {}

  init(player: Player, radio: RadioSource, playlist: PlaylistSource, announcements: AnnouncementReplies) {
    self.player = player
    self.announcements = announcements
    self.radio = radio
    self.playlist = playlist
  }

  /// Lets pins refer to folders of media servers from now on.
  package func playFolders(with play: @escaping FolderPlay) {
    playFolder = play
    onModes()
  }

  /// The modes of the pins that can be played.
  package var modes: [PinTarget.Mode] { PinTarget.Mode.allCases.filter { $0 != .folder || playFolder != nil } }

  /// Refuses a pin that cannot be played or stored.
  func check(_ pin: Pin) throws(PinFault) {
    let texts = [pin.type, pin.uri, pin.title, pin.description, pin.artworkURI]
    guard texts.allSatisfy({ $0.utf8.count <= Self.maximumBytes }) else { throw .textTooLong }
    _ = try target(of: pin)
    try PinTarget.checkVersion(of: pin)
  }

  /// Resolves a pin without playing it.
  private func target(of pin: Pin) throws(PinFault) -> PinTarget {
    let target = try PinTarget(pin)
    if case .folder = target, playFolder == nil { throw .modeNotSupported }
    return target
  }

  /// Plays a pin. A playlist document is read first while playback continues; a newer pin cancels the reading.
  /// - Parameter reply: called once, now or later.
  func invoke(_ pin: Pin, _ reply: @escaping Reply) throws(PinFault) {
    let target = try target(of: pin)
    // An announcement does not replace what another pin is about to play.
    if case .announcement(let uri) = target { return try announce(uri, reply) }
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
    case .announcement: return
    }
    reply(.success(CommandResult()))
  }

  /// Plays the waiting pin once its playlist document has been read.
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

  private func announce(_ uri: String, _ reply: @escaping Reply) throws(PinFault) {
    do throws(CommandError) {
      try announcements.announce(AnnouncementRequest(.address(uri)), waits: false) { result in
        reply(result.mapError { .failed($0.description) })
      }
    } catch {
      throw .failed(error.description)
    }
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
    do throws(PresetError) {
      try radio.play(at: number - 1)
    } catch {
      throw .nothingToPlay
    }
  }

  /// Replaces the playlist by the tracks.
  private func play(_ tracks: [ListedTrack], _ pin: Pin) -> Result<CommandResult, PinFault> {
    let tracks = tracks.map { track in
      PlaylistTrack(
        uri: track.address,
        metadata: DIDLLite.item(
          title: track.title ?? DIDLLite.title(ofURI: track.address), uri: track.address, artwork: pin.artworkURI))
    }
    guard let replaced = try? playlist.replaceAll(with: tracks, shuffles: pin.shuffles), !replaced.added.isEmpty else {
      return .failure(.nothingToPlay)
    }
    var result = CommandResult()
    (result.ids, result.change) = (replaced.added, .replaced(replaced))
    return .success(result)
  }
}
