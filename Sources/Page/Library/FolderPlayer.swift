import ControlPoint
import NIOCore
import Playback
import PlaybackModel
import SpeakerCore
import UPnP

/// Reads tracks, albums and folders of a media server, and adds them to the queue. The first tracks play while the rest is
/// being read.
///
/// An actor on the event loop, which is also the player's executor.
actor FolderPlayer {
  /// Children per request to a media server.
  private static let pageSize = 100
  /// Maximum concurrent requests of all clients. Each holds some hundred objects.
  private static let maximumRequests = 2
  /// The rest is for the owner.
  private static let maximumGuestRequests = 1
  /// Time limit for a whole request. Tracks that were added in time stay.
  private static let timeLimit = Duration.seconds(120)
  /// Maximum tracks for another speaker, which takes them one by one.
  private static let maximumElsewhere = 500

  /// The objects that a person chose.
  enum Selection: Hashable {
    /// Containers and items, by id.
    case objects([String])
    /// A container, from one of its tracks on; nil for the first one.
    case container(String, from: PlayWalk.Start? = nil)
    /// The tracks that a search for these words finds, from one of them on; nil for the first one.
    case search(String, from: PlayWalk.Start? = nil)

    fileprivate func walk(_ limits: PlayWalk.Limits) -> PlayWalk {
      switch self {
      case .objects(let ids): PlayWalk(ids: ids, limits: limits)
      case .container(let id, let start): PlayWalk(container: id, from: start, limits: limits)
      // The results are read like a container.
      case .search(_, let start): PlayWalk(container: "", from: start, limits: limits)
      }
    }

    fileprivate var search: MediaSearch? { if case .search(let words, _) = self { MediaSearch(words) } else { nil } }
  }

  private let library: MusicLibrary
  private let playlist: NIOLoopBound<PlaylistSource>
  private let history: NIOLoopBound<QueueHistory>
  private let choice: ResourceChoice
  private let executor: any SerialExecutor
  private var running = 0
  private var guestsRunning = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameter protocolInfo: the playable formats, as a Sink list.
  init(
    library: MusicLibrary, playlist: NIOLoopBound<PlaylistSource>, history: NIOLoopBound<QueueHistory>,
    protocolInfo: String, eventLoop: any EventLoop
  ) {
    self.library = library
    self.playlist = playlist
    self.history = history
    choice = ResourceChoice(sink: ProtocolInfo.list(protocolInfo))
    executor = eventLoop.executor
  }

  /// Adds the selection to the queue. Cancelling the task ends it before the next tracks are added.
  /// - Parameters:
  ///   - shuffles: the value of Shuffle for a replaced queue; nil to keep it.
  ///   - guestLimit: maximum number of tracks for a guest; nil for the owner.
  ///   - added: called on the event loop after each addition, with the number of tracks and the token that undoes a
  ///     replacement.
  /// - Throws: if nothing could be added. The queue is then unchanged. Tracks that were added before an error stay.
  func play(
    _ selection: Selection, of serverID: String, _ place: QueuePlace, shuffles: Bool? = nil, guestLimit: Int? = nil,
    added: @escaping @Sendable (Int, _ undo: String?) -> Void
  ) async throws(LibraryError) -> LibraryAddition {
    guard running < Self.maximumRequests else { throw .busy }
    let isGuest = guestLimit != nil
    guard !isGuest || guestsRunning < Self.maximumGuestRequests else { throw .busy }
    running += 1
    if isGuest { guestsRunning += 1 }
    defer {
      running -= 1
      if isGuest { guestsRunning -= 1 }
    }
    let (server, _) = try await library.server(serverID)
    var limits = PlayWalk.Limits()
    if let guestLimit { limits.tracks = min(limits.tracks, guestLimit) }
    var job = Job(
      server: serverID, search: selection.search, choice: choice, walk: selection.walk(limits),
      addition: QueueAddition(playlist.value, place, shuffles: shuffles), onAdded: added)
    var failure: LibraryError?
    do throws(LibraryError) {
      try await perform(&job, server)
    } catch {
      guard job.added > 0 else { throw error }
      failure = error
    }
    return LibraryAddition(
      added: job.added, complete: job.walk.isComplete && !job.isCutShort && failure == nil,
      undo: job.undo, failure: failure)
  }

  /// The tracks of the selection.
  /// - Parameter sink: the formats that another speaker accepts; nil for this one.
  func tracks(
    _ selection: Selection, of serverID: String, for sink: [ProtocolInfo]? = nil
  ) async throws(LibraryError) -> (tracks: [PlaylistTrack], isComplete: Bool) {
    guard running < Self.maximumRequests else { throw .busy }
    running += 1
    defer { running -= 1 }
    let (server, _) = try await library.server(serverID)
    var limits = PlayWalk.Limits()
    if sink != nil { limits.tracks = Self.maximumElsewhere }
    var job = Job(
      server: serverID, search: selection.search, choice: sink.map { ResourceChoice(sink: $0) } ?? choice,
      walk: selection.walk(limits), addition: nil, onAdded: { _, _ in })
    try await perform(&job, server)
    return (job.gathered, job.walk.isComplete && !job.isCutShort)
  }

  /// One request.
  private struct Job {
    /// The UDN.
    let server: String
    /// Nil to read containers.
    let search: MediaSearch?
    let choice: ResourceChoice
    var walk: PlayWalk
    /// Nil to gather the tracks.
    var addition: QueueAddition?
    var gathered: [PlaylistTrack] = []
    let onAdded: @Sendable (Int, String?) -> Void
    /// Tracks that wait for the end of a step.
    var tracks: [PlaylistTrack] = []
    var added = 0
    /// Undoes the replacement of the queue; nil if there is nothing to bring back.
    var undo: String?
    var isCutShort = false
    /// Why the first object that was left out cannot be read or played.
    var refusal: LibraryError?
  }

  private func perform(_ job: inout Job, _ server: MediaServer) async throws(LibraryError) {
    let end = ContinuousClock.now + Self.timeLimit
    while ContinuousClock.now < end {
      switch job.walk.next() {
      case .item(let item): consider(item, &job)
      case .front:
        guard try flush(&job) else { return }
        job.addition?.continueAtFront()
      case .find(let ids):
        guard try flush(&job) else { return }
        try await find(ids, &job, server)
      case .read(let container, let start):
        // Add the tracks so far before the next request.
        guard try flush(&job) else { return }
        try await read(container, start, &job, server)
      case .end:
        guard try flush(&job) else { return }
        if job.walk.start != nil { throw job.refusal ?? .unknownObject }
        if job.added == 0, let refusal = job.refusal { throw refusal }
        return
      }
    }
    job.isCutShort = true
    _ = try flush(&job)
  }

  private func read(
    _ container: String, _ start: Int, _ job: inout Job, _ server: MediaServer
  ) async throws(LibraryError) {
    if let search = job.search {
      let slice = try await library.found(search, on: job.server, from: start, count: Self.pageSize)
      return job.walk.received(slice.objects, total: slice.total, count: Self.pageSize)
    }
    do throws(ControlPointError) {
      let isBegin = start == 0 || job.walk.start != nil
      if isBegin, let album = try await library.album(container, of: job.server) {
        job.walk.received(album.objects, from: 0, total: album.objects.count, count: album.objects.count)
        return
      }
      let slice = try await server.children(of: container, from: start, count: Self.pageSize)
      await library.remember(slice.objects, of: job.server)
      job.walk.received(slice.objects, total: slice.total, count: Self.pageSize)
    } catch {
      job.walk.failed()
      try leaveOut(error, &job)
    }
  }

  /// Reads objects by id at the same time.
  private func find(_ ids: [String], _ job: inout Job, _ server: MediaServer) async throws(LibraryError) {
    var answers = await withTaskGroup(of: Answer.self) { group in
      for (index, id) in ids.enumerated() {
        group.addTask {
          do throws(ControlPointError) {
            return Answer(index: index, result: .success(try await server.object(id)))
          } catch {
            return Answer(index: index, result: .failure(error))
          }
        }
      }
      var answers: [Answer] = []
      for await answer in group { answers.append(answer) }
      return answers
    }
    answers.sort { $0.index < $1.index }
    var objects: [MediaObject?] = []
    for answer in answers {
      switch answer.result {
      case .success(let object): objects.append(object)
      case .failure(let error):
        try leaveOut(error, &job)
        objects.append(nil)
      }
    }
    await library.remember(objects.compactMap(\.self), of: job.server)
    job.walk.found(objects)
  }

  /// The object with this index of a request for several. A struct, because Swift 6.3 loses members of a tuple that a task
  /// returns (swiftlang/swift#91911); `Tests/upstream/task_tuple.swift` shows it.
  private struct Answer {
    let index: Int
    let result: Result<MediaObject, ControlPointError>
  }

  /// An object that the server refuses is left out. Other errors end the request.
  private func leaveOut(_ error: ControlPointError, _ job: inout Job) throws(LibraryError) {
    guard case .fault = error else { throw LibraryError(error) }
    job.refusal = job.refusal ?? LibraryError(error)
  }

  private func consider(_ item: MediaObject, _ job: inout Job) {
    do throws(ResourceChoice.Failure) {
      let resource = try job.choice.best(of: item)
      job.tracks.append(PlaylistTrack(uri: resource.uri, metadata: item.didlLite))
      job.walk.accepted()
    } catch {
      job.refusal = job.refusal ?? .nothingPlayable(error.description)
    }
  }

  /// The replacement can be undone from its first tracks on.
  private func keepUndo(_ job: inout Job) {
    guard let replaced = job.addition?.replaced else { return }
    if job.added == 0 {
      job.undo = history.value.keep(.replaced(replaced))
    } else if let undo = job.undo {
      history.value.update(undo, to: .replaced(replaced))
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
    let tracks = job.tracks
    job.tracks = []
    guard let (added, failure) = job.addition?.add(tracks) else {
      job.gathered += tracks
      job.added += tracks.count
      return true
    }
    if added > 0 {
      keepUndo(&job)
      job.added += added
      job.onAdded(added, job.undo)
    }
    switch failure {
    case nil: return true
    case .full: throw .queueFull
    case .idNotFound:
      job.isCutShort = true
      return false
    }
  }
}
