import ControlPoint
import NIOCore
import Playback
import PlaybackModel
import UPnP

/// Adds tracks, albums and folders of a media server to the queue. The first tracks play while the rest is being read.
///
/// An actor on the event loop, which is also the player's executor.
actor FolderPlayer {
  /// Children per request to a media server.
  private static let pageSize = 100
  /// Maximum concurrent requests of all clients. Each holds some hundred objects.
  private static let maximumRequests = 2
  /// Time limit for a whole request. Tracks that were added in time stay.
  private static let timeLimit = Duration.seconds(120)
  /// Maximum items of one request whose metadata is read at the same time.
  private static let parallelReads = 4

  /// The objects that a person chose.
  enum Selection: Hashable {
    /// Containers and items, by id.
    case objects([String])
    case container(String)
  }

  private let library: MusicLibrary
  private let playlist: NIOLoopBound<PlaylistSource>
  private let choice: ResourceChoice
  private let executor: any SerialExecutor
  private var running = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameter protocolInfo: the playable formats, as a Sink list.
  init(
    library: MusicLibrary, playlist: NIOLoopBound<PlaylistSource>, protocolInfo: String, eventLoop: any EventLoop
  ) {
    self.library = library
    self.playlist = playlist
    choice = ResourceChoice(sink: ProtocolInfo.list(protocolInfo))
    executor = eventLoop.executor
  }

  /// Adds the selection to the queue. Cancelling the task ends it before the next tracks are added.
  /// - Parameter started: called once the first tracks have been added.
  /// - Throws: if nothing could be added, or not everything because of an error. Tracks that were added stay in the queue.
  func play(
    _ selection: Selection, of serverID: String, _ place: QueuePlace, started: @escaping @Sendable () -> Void = {}
  ) async throws(LibraryError) -> LibraryAddition {
    guard running < Self.maximumRequests else { throw .busy }
    running += 1
    defer { running -= 1 }
    let (server, _) = try await library.server(serverID)
    let walk: PlayWalk
    switch selection {
    case .container(let id): walk = PlayWalk(container: id)
    case .objects(let ids): walk = PlayWalk(try await objects(ids, of: server))
    }
    var job = Job(server: serverID, walk: walk, addition: QueueAddition(playlist.value, place), started: started)
    try await perform(&job, server)
    return LibraryAddition(added: job.added, complete: job.walk.isComplete && !job.isCutShort)
  }

  /// One request.
  private struct Job {
    /// The UDN.
    let server: String
    var walk: PlayWalk
    var addition: QueueAddition
    let started: @Sendable () -> Void
    /// Tracks that wait for the end of a step.
    var tracks: [PlaylistTrack] = []
    var added = 0
    var isCutShort = false
    /// Why the first unplayable item cannot be played.
    var refusal: String?
  }

  private func perform(_ job: inout Job, _ server: MediaServer) async throws(LibraryError) {
    let end = ContinuousClock.now + Self.timeLimit
    while ContinuousClock.now < end {
      switch job.walk.next() {
      case .item(let item): consider(item, &job)
      case .read(let container, let start):
        // Add the tracks so far before the next request.
        guard try flush(&job) else { return }
        try await read(container, start, &job, server)
      case .end:
        guard try flush(&job) else { return }
        if job.added == 0, let refusal = job.refusal { throw .nothingPlayable(refusal) }
        return
      }
    }
    job.isCutShort = true
    _ = try flush(&job)
  }

  private func read(
    _ container: String, _ start: Int, _ job: inout Job, _ server: MediaServer
  ) async throws(LibraryError) {
    do throws(ControlPointError) {
      if start == 0, let album = try await library.album(container, of: job.server) {
        job.walk.received(album.objects, total: album.objects.count, count: album.objects.count)
        return
      }
      let slice = try await server.children(of: container, from: start, count: Self.pageSize)
      await library.remember(slice.objects, of: job.server)
      job.walk.received(slice.objects, total: slice.total, count: Self.pageSize)
    } catch {
      job.walk.failed()
      // A folder that the server refuses is left out, unless it is what the person chose.
      if case .fault = error, job.added > 0 { return }
      throw LibraryError(error)
    }
  }

  private func consider(_ item: MediaObject, _ job: inout Job) {
    do throws(ResourceChoice.Failure) {
      let resource = try choice.best(of: item)
      job.tracks.append(PlaylistTrack(uri: resource.uri, metadata: item.didlLite))
      job.walk.accepted()
    } catch {
      job.refusal = job.refusal ?? error.description
    }
  }

  /// Adds the tracks that were found so far.
  /// - Returns: false if the task was cancelled, or a person has deleted the tracks before.
  private func flush(_ job: inout Job) throws(LibraryError) -> Bool {
    guard !job.tracks.isEmpty else { return true }
    guard !Task.isCancelled else {
      job.isCutShort = true
      return false
    }
    let (added, failure) = job.addition.add(job.tracks)
    job.tracks = []
    if job.added == 0, added > 0 { job.started() }
    job.added += added
    switch failure {
    case nil: return true
    case .full: throw .queueFull
    case .withdrawn:
      job.isCutShort = true
      return false
    }
  }

  /// Reads objects by id, some at the same time, in the order of the ids.
  private func objects(_ ids: [String], of server: MediaServer) async throws(LibraryError) -> [MediaObject] {
    let results = await withTaskGroup(of: (Int, Result<MediaObject, ControlPointError>).self) { group in
      var remaining = ids.enumerated().makeIterator()
      func begin() {
        guard let (index, id) = remaining.next() else { return }
        group.addTask {
          do throws(ControlPointError) {
            return (index, .success(try await server.object(id)))
          } catch {
            return (index, .failure(error))
          }
        }
      }
      for _ in 0..<Self.parallelReads { begin() }
      var results: [Int: Result<MediaObject, ControlPointError>] = [:]
      for await (index, result) in group {
        results[index] = result
        if case .failure(.fault) = result { begin() } else if case .success = result { begin() }
      }
      return results
    }
    var objects: [MediaObject] = []
    for index in ids.indices {
      do throws(ControlPointError) {
        if let object = try results[index]?.get() { objects.append(object) }
      } catch {
        throw LibraryError(error)
      }
    }
    return objects
  }
}
