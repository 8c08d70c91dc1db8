import ArgumentParser
import Glibc
import LocalLibrary
import Logging
import UPnP

/// Indexes folders like the speaker's library, and browses or searches them.
@main
struct RunLibrary: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run-library", abstract: "Indexes folders like the speaker's library, and browses or searches them.")

  @Argument(help: "Folders with music.", completion: .directory)
  var folders: [String]

  @Option(help: "The folder of the index, which is kept.")
  var index: String

  @Option(help: "Lists the children of this container, such as 0 or albums.")
  var browse: [String] = []

  @Option(help: "Searches with these criteria of ContentDirectory.")
  var search: [String] = []

  @Option(help: "Lists at most this many entries.")
  var limit = 20

  @Flag(help: "Scans with a low priority, like the speaker.")
  var background = false

  @Flag(help: "Follows changes until it is stopped.")
  var follow = false

  func run() async throws {
    var logger = Logger(label: "library") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .info
    var settings = LibrarySettings(folders: folders)
    settings.isInBackground = background
    let library = MusicLibrary(settings: settings, in: index, logger: logger)
    let task = Task { await library.run() }
    while library.status.lastScan == nil { try await Task.sleep(for: .milliseconds(20)) }
    let status = library.status
    print("\(status.tracks) tracks, \(status.albums) albums, scanned in \(status.scanTime ?? 0) s")
    for problem in status.problems { print("problem: \(problem)") }
    for text in browse {
      guard let container = LibraryContainerID(text) else { throw ValidationError("There is no container \(text).") }
      try await show(text) { () async throws(LibraryError) in
        try await library.children(of: container, sort: [], range: 0..<limit)
      }
    }
    for text in search {
      let criteria = try SearchCriteria(text)
      try await show(text) { () async throws(LibraryError) in
        try await library.search(criteria, in: .root, sort: [], range: 0..<limit)
      }
    }
    if follow {
      for await change in library.changes() {
        print("update \(change.systemUpdateID): \(library.status.tracks) tracks")
        fflush(nil)
      }
    }
    task.cancel()
    await task.value
  }

  private func show(_ title: String, _ query: () async throws(LibraryError) -> LibraryPage) async throws {
    // The first query opens the database.
    _ = try await query()
    let begin = ContinuousClock.now
    let page = try await query()
    print("\(title): \(page.total) entries, \((ContinuousClock.now - begin) / .milliseconds(1)) ms")
    for entry in page.entries {
      switch entry {
      case .container(let container):
        let facts = [container.artist, container.date, container.genre, container.cover?.text]
        print("  \(container.id.text): \(container.title) (\(container.childCount)) \(facts.compactMap(\.self))")
      case .track(let track, _):
        let facts: [String?] = [track.artists.joined(separator: ", "), track.albumTitle, track.date, track.cover?.text]
        print("  \(LibraryID.text(track.id)): \(track.title) \(facts.compactMap(\.self))")
      case .link(let url, let title, _, _): print("  \(url): \(title)")
      }
    }
  }
}
