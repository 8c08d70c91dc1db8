import ArgumentParser
import ControlPoint
import Glibc

/// `swiftlet-control play`
struct PlayCommand: DeviceCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play items now, or resume playback.",
    discussion: """
      Without an item, playback resumes. An item is one of these:
        http://192.0.2.1/a.mp3   a URL, which the speaker opens itself
        ./Album, /music/a.flac   a file or folder of this machine
        Library:/Music/Album     a path of titles on a media server
        station:radio paradise   words to search for in the directory of internet radio
        kind of blue             words to search for on all media servers
      A search plays the track with exactly that title, otherwise that album, otherwise the tracks of that artist, \
      otherwise all tracks that match. Quote the words to search for several titles: "so what" "blue in green".
      The command ends when something is heard, or has failed: then it says why, with the exit status 1. It serves files \
      itself and stays until they have been played, and also while it plays several items on a speaker without a queue. \
      Ctrl-C stops the files and removes them from the queue.
      """)

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(help: .item, completion: .file()) var items: [String] = []
  @Flag(help: "Replace the speaker's queue instead of inserting the items after the current track.") var replace = false
  @Flag(help: "End once the speaker has the items, before it plays them; not with local files.") var noWait = false
  @OptionGroup var stations: DirectoryOptions
  @OptionGroup var options: NetworkOptions

  func validate() throws { try ItemReference.validate(items) }

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    guard !items.isEmpty else {
      try await speaker.play()
      return try report(["done": "play"])
    }
    let playable = try await PlayableItems.resolve(items, for: speaker, session, stations.directory)
    let reporter = PlaybackReporter(json: options.json)
    let needsFeeding = speaker.capabilities.needsFeeding && playable.items.count > 1
    guard !noWait || !playable.isServing && !needsFeeding else {
      let reason = needsFeeding ? "a speaker without a queue plays several items" : "the files are played"
      Terminal.complain("--no-wait is not possible: the command must run until \(reason).")
      throw ExitCode(EX_USAGE)
    }
    if needsFeeding { return try await playable.feed(speaker, reporter) }
    let placement = replace ? QueuePlacement.replacingQueue : .afterCurrent
    try await playable.play(on: speaker, reporter, beginsNow: !noWait) {
      try await speaker.play(playable.items, placing: placement)
    }
  }
}

/// `swiftlet-control add`
struct AddCommand: DeviceCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Append items to the speaker's queue.",
    discussion: """
      Items are the same as for play. The command runs until the speaker has played local files, and says which of them \
      it cannot play. A speaker without a queue accepts one next track.
      """)

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(help: .item, completion: .file()) var items: [String]
  @Flag(help: "Insert the items after the current track.") var next = false
  @OptionGroup var stations: DirectoryOptions
  @OptionGroup var options: NetworkOptions

  func validate() throws { try ItemReference.validate(items) }

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    let playable = try await PlayableItems.resolve(items, for: speaker, session, stations.directory)
    try await playable.play(on: speaker, PlaybackReporter(json: options.json), beginsNow: false) { [next] in
      try await speaker.enqueue(playable.items, next: next)
    }
  }
}

extension ArgumentHelp {
  fileprivate static let item = ArgumentHelp(
    "URL, ./file, SERVER:/path, station:NAME or words to search for.", valueName: "item")
}

extension ItemReference {
  /// - Throws: for an empty text, such as a variable of the shell that is not set. It would match all tracks.
  fileprivate static func validate(_ texts: [String]) throws {
    if texts.contains(where: { $0.allSatisfy(\.isWhitespace) }) { throw ValidationError("An item is empty.") }
  }
}
