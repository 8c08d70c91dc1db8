import ArgumentParser
import ControlPoint
import FileServing
import Glibc
import Stations
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

  /// Starts the items with a request, and serves local files until they have been played. Then, and on Ctrl-C, it
  /// removes them from the speaker, which could no longer read them.
  func play(
    on speaker: RemoteSpeaker, _ reporter: PlaybackReporter, _ start: @escaping @Sendable () async throws -> Void
  ) async throws {
    guard let server else {
      try await start()
      reporter.show(items)
      for id in stations { await directory?.played(id) }
      return
    }
    do {
      try await Interruption.cancels { [self] in
        try await start()
        reporter.show(items)
        reporter.note("Serving these files until the speaker has played them. Ctrl-C stops that.")
        try await serveUntilPlayed(speaker, reporter)
      }
    } catch {
      await withdraw(from: speaker)
      throw error
    }
    await withdraw(from: speaker)
    await server.stop()
  }

  private func serveUntilPlayed(_ speaker: RemoteSpeaker, _ reporter: PlaybackReporter) async throws {
    var playback = ServedPlayback(urls: served)
    var reported: String?
    while true {
      try await Task.sleep(for: .seconds(1))
      let now: NowPlaying
      let observation: ServedPlayback.Observation
      do {
        now = try await speaker.now()
        observation = try await observe(speaker, now, playback)
      } catch {
        guard !Task.isCancelled, playback.canMissAnswer() else { throw error }
        continue
      }
      if let track = now.track, now.state == .playing, track.uri != reported, served.contains(PlayedURI(track.uri)) {
        reporter.playing(track, number: items.firstIndex { $0.uri == track.uri }.map { $0 + 1 }, of: items.count)
        reported = track.uri
      }
      if playback.observe(observation) == .end { return }
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
    let feed = try speaker.feed(items, isPlaying: isPlaying)
    reporter.note("\(speaker.name) has no queue, so this command sends one track after another. Ctrl-C stops that.")
    let isInterrupted = try await Interruption.cancels { [items] in
      let ending = await feed.run { progress in
        switch progress {
        case .playing(let index): reporter.playing(items[index].track, number: index + 1, of: items.count)
        case .failed(let index): Terminal.complain("The speaker cannot play \(TrackText.name(items[index].track)).")
        case .ended(let ending): reporter.ended(ending)
        }
      }
      if [.givenUp, .unreachable].contains(ending) { throw ExitCode(EX_UNAVAILABLE) }
    }
    if isInterrupted { await withdraw(from: speaker) }
    await server?.stop()
  }
}
