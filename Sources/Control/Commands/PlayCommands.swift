import ArgumentParser
import ControlPoint
import Glibc

/// `swiftlet-control play`
struct PlayCommand: SpeakerCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play items now, or resume playback.",
    discussion: """
      Without an ITEM, playback resumes. An ITEM is a URL, a file or folder beginning with / or ./, a path of titles on a \
      media server such as Library:/Music/Album, or words to search for on all media servers. Files are served by this \
      command, which stays until they have been played; so it does for a speaker that has no queue of its own.
      """)

  @Argument(help: .speaker, completion: .devices) var device: String
  @Argument(help: "URL, ./file, SERVER:/path or words to search for.") var items: [String] = []
  @Flag(help: "Replace the speaker's queue instead of inserting the items after the current track.") var replace = false
  @OptionGroup var options: NetworkOptions

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    guard !items.isEmpty else {
      try await speaker.play()
      return try report(["done": "play"])
    }
    let playable = try await PlayableItems.resolve(items, for: speaker, session)
    let reporter = PlaybackReporter(json: options.json)
    if speaker.capabilities.needsFeeding, playable.items.count > 1 {
      try await playable.feed(speaker, reporter)
    } else {
      try await playable.play(on: speaker, reporter) {
        try await speaker.play(playable.items, placing: replace ? .replacingQueue : .afterCurrent)
      }
    }
  }
}

/// `swiftlet-control add`
struct AddCommand: SpeakerCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Append items to the speaker's queue.",
    discussion: "An ITEM is the same as for play. A speaker without a queue takes one next track.")

  @Argument(help: .speaker, completion: .devices) var device: String
  @Argument(help: "URL, ./file, SERVER:/path or words to search for.") var items: [String]
  @Flag(help: "Insert the items after the current track.") var next = false
  @OptionGroup var options: NetworkOptions

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    let playable = try await PlayableItems.resolve(items, for: speaker, session)
    try await playable.play(on: speaker, PlaybackReporter(json: options.json)) {
      try await speaker.enqueue(playable.items, next: next)
    }
  }
}
