import ArgumentParser
import ControlPoint
import FileServing
import Glibc
import Stations
import Synchronization
import UPnP

/// Items for a speaker. Local files among them are served by this program as long as the value is used.
struct PlayableItems: Sendable {
  /// Time limit for `withdraw`, so that a speaker that hangs does not keep the command from ending.
  private static let withdrawalTimeout = Duration.seconds(5)

  private(set) var items: [SpeakerItem]
  private var served: Set<PlayedURI> = []
  /// The stations among the items, by their ids in the directory.
  private var stations: [String] = []
  private var directory: StationDirectory?
  private var server: FileServer?

  /// Whether this program serves files, so that it must run until they have been played.
  var isServing: Bool { server != nil }

  /// Items that the speaker opens itself.
  init(_ items: [SpeakerItem] = []) { self.items = items }

  /// - Parameters:
  ///   - texts: item references that the user typed.
  ///   - directory: where stations are found; nil if none may be named.
  /// - Throws: `ExitCode`, after a message, when one of them cannot be found.
  static func resolve(
    _ texts: [String], for speaker: RemoteSpeaker, _ session: Session,
    _ directory: StationDirectory? = nil
  ) async throws -> PlayableItems {
    var playable = PlayableItems()
    playable.directory = directory
    var resolver = try await ItemResolver(session, for: speaker)
    for reference in ItemReference.list(texts) {
      switch reference {
      case .path(let path): try await playable.serve(path, to: speaker, resolver)
      case .station(let words):
        guard let directory else {
          Terminal.complain("A station cannot be used here.")
          throw ExitCode(EX_USAGE)
        }
        let station = try await directory.station(named: words)
        playable.stations.append(station.id)
        playable.items.append(SpeakerItem(station))
      default: playable.items += try await resolver.resolve(reference)
      }
    }
    return playable
  }

  private mutating func serve(_ path: String, to speaker: RemoteSpeaker, _ resolver: ItemResolver) async throws {
    let scan: MediaScan
    do throws(MediaScan.Problem) {
      scan = try MediaScan(path)
    } catch {
      Terminal.complain("\(error)")
      throw ExitCode(EX_NOINPUT)
    }
    for problem in scan.problems { Terminal.complain("\(problem)") }
    guard scan.count > 0 else {
      Terminal.complain("\(path) contains no audio files.")
      throw ExitCode(EX_NOINPUT)
    }
    let tracks: [ServedTrack]
    if let links = Self.links(in: scan) {
      tracks = links
    } else {
      let server = try await runningServer(for: speaker)
      tracks = scan.folders.flatMap { server.publish($0) }
    }
    items += try resolver.playable(tracks.map(\.object))
    served.formUnion(Self.served(tracks))
  }

  /// The tracks of playlist files with nothing but URLs, which the speaker opens itself; nil if there are files to serve.
  static func links(in scan: MediaScan) -> [ServedTrack]? {
    let folders = scan.folders.map(FileServer.links)
    return folders.contains { $0 == nil } ? nil : folders.flatMap { $0 ?? [] }
  }

  /// The tracks that this program serves, and removes from the speaker in the end.
  static func served(_ tracks: [ServedTrack]) -> Set<PlayedURI> {
    Set(tracks.filter { $0.path != nil }.map { PlayedURI($0.url) })
  }

  private mutating func runningServer(for speaker: RemoteSpeaker) async throws -> FileServer {
    if let server { return server }
    let hosts = speaker.devices.descriptions.compactMap(\.location.address)
    guard let host = hosts.first, let address = LocalAddress.reaching(host) else {
      throw ControlPointError.unreachable("no route to the speaker")
    }
    do {
      let server = try await FileServer.start(on: address) { hosts.contains($0) || $0 == address }
      self.server = server
      return server
    } catch {
      throw ControlPointError.unreachable("cannot serve files on \(address): \(error)")
    }
  }

  /// Serves local files during the body.
  func whileServing(_ body: @escaping @Sendable () async throws -> Void) async throws {
    guard let server else { return try await body() }
    do {
      try await Interruption.cancels { try await body() }
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  // MARK: Playback

  /// Starts the items with a request, and reports what the speaker plays and what it cannot play. Local files are served until
  /// they have been played. Then, and on Ctrl-C, they are removed from the speaker, which could no longer read them.
  /// - Parameters:
  ///   - beginsNow: false if the items were added to the end of the queue.
  ///   - start: returns the ids of the new entries of the queue.
  /// - Throws: `ExitCode` if an item cannot be played.
  func play(
    on speaker: RemoteSpeaker, _ reporter: PlaybackReporter, beginsNow: Bool,
    _ start: @escaping @Sendable () async throws -> [UInt32]
  ) async throws {
    guard let server else {
      let ids = try await start()
      reporter.show(items)
      for id in stations { await directory?.played(id) }
      if beginsNow { try await follow(speaker, reporter, ids: ids, beginsNow: true) }
      return
    }
    do {
      try await Interruption.cancels { [self] in
        let ids = try await start()
        reporter.show(items)
        reporter.note("Serving these files until the speaker has played them. Ctrl-C stops that.")
        try await follow(speaker, reporter, ids: ids, beginsNow: beginsNow)
      }
    } catch {
      await withdraw(from: speaker)
      await server.stop()
      throw error
    }
    await withdraw(from: speaker)
    await server.stop()
  }

  /// Whether an item is known to be no stream.
  private func isFile(_ item: SpeakerItem) -> Bool {
    item.track.duration != nil || served.contains(PlayedURI(item.uri))
  }

  /// Follows the speaker until all served files have been played, otherwise until an item is heard or all have failed.
  /// Removes items that failed from the queue.
  private func follow(
    _ speaker: RemoteSpeaker, _ reporter: PlaybackReporter, ids: [UInt32], beginsNow: Bool
  ) async throws {
    var playback = ServedPlayback(urls: served)
    var watch = PlaybackWatch(
      items.map { .init(uri: $0.uri, duration: $0.track.duration, isFile: isFile($0)) }, beginsNow: beginsNow)
    let start = ContinuousClock.now
    var isEnded = false
    while !isEnded {
      try await Task.sleep(for: .milliseconds(500))
      do {
        let now = try await speaker.now()
        let observation = try await speaker.observation(of: now)
        for finding in watch.observe(observation, at: start.duration(to: .now)) {
          report(finding, reporter)
          if case .failed(let index, _) = finding { playback.fail(PlayedURI(items[index].uri)) }
        }
        isEnded = watch.isOver
        if served.isEmpty {
          isEnded = watch.isDecided
        } else if playback.observe(try await observe(speaker, now, playback), at: start.duration(to: .now)) == .end {
          isEnded = true
        }
      } catch {
        guard !Task.isCancelled, playback.canMissAnswer() else { throw error }
      }
    }
    guard !watch.failed.isEmpty else { return }
    let removable = watch.failed.compactMap { ids.indices.contains($0) ? ids[$0] : nil }
    if !removable.isEmpty, (try? await speaker.remove(ids: removable)) != nil {
      reporter.note("Removed from the queue: \(removable.count == 1 ? "this track" : "\(removable.count) tracks").")
    }
    throw ExitCode(1)
  }

  private func report(_ finding: PlaybackWatch.Finding, _ reporter: PlaybackReporter) {
    switch finding {
    case .heard(let index): reporter.playing(items[index].track, number: index + 1, of: items.count)
    case .unproven(let index):
      reporter.playing(items[index].track, number: index + 1, of: items.count)
      reporter.note("The speaker reports no position that would prove it.")
    case .failed(let index, let failure):
      reporter.failed(items[index].track, number: index + 1, of: items.count, failure)
    }
  }

  /// Reads the queue only if it matters, since it may be long.
  private func observe(
    _ speaker: RemoteSpeaker, _ now: NowPlaying, _ playback: ServedPlayback
  ) async throws(ControlPointError) -> ServedPlayback.Observation {
    let current = now.track.map { PlayedURI($0.uri) }
    guard !playback.isPlaying(now.state, current) else {
      return .init(state: now.state, current: current, queue: [])
    }
    let queue = try await speaker.queue().entries
    return .init(state: now.state, current: current, queue: Set(queue.map { PlayedURI($0.item.uri) }))
  }

  /// Removes the served files from the speaker.
  private func withdraw(from speaker: RemoteSpeaker) async {
    // A new task, since the current one may be cancelled. Errors are ignored: the speaker may have gone.
    let removal = Task { [served] in
      if let now = try? await speaker.now(), let uri = now.track?.uri, served.contains(PlayedURI(uri)) {
        try? await speaker.stop()
      }
      guard let queue = try? await speaker.queue() else { return }
      let ids = queue.entries.filter { served.contains(PlayedURI($0.item.uri)) }.compactMap(\.id)
      if !ids.isEmpty { try? await speaker.remove(ids: ids) }
    }
    let timeout = Task {
      try await Task.sleep(for: Self.withdrawalTimeout)
      removal.cancel()
    }
    await removal.value
    timeout.cancel()
  }

  /// Plays the items one after the other on a speaker without a queue, until the last one has been played.
  /// - Parameter isPlaying: the speaker plays the first item already.
  /// - Throws: `ExitCode` if no item could be played, or the speaker has gone.
  func feed(_ speaker: RemoteSpeaker, _ reporter: PlaybackReporter, isPlaying: Bool = false) async throws {
    let files = Set(items.indices.filter { isFile(items[$0]) })
    let feed = try speaker.feed(items, isPlaying: isPlaying, files: files)
    reporter.note("\(speaker.name) has no queue, so this command sends one track after another. Ctrl-C stops that.")
    let hasFailed = Mutex(false)
    let isInterrupted = try await Interruption.cancels { [items] in
      let ending = await feed.run { progress in
        switch progress {
        case .playing(let index): reporter.playing(items[index].track, number: index + 1, of: items.count)
        case .failed(let index):
          hasFailed.withLock { $0 = true }
          reporter.failed(items[index].track, number: index + 1, of: items.count, nil)
        case .ended(let ending): reporter.ended(ending)
        }
      }
      if [.givenUp, .unreachable].contains(ending) { throw ExitCode(EX_UNAVAILABLE) }
    }
    if isInterrupted { await withdraw(from: speaker) }
    await server?.stop()
    if hasFailed.withLock({ $0 }) { throw ExitCode(1) }
  }
}
