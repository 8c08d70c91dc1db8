import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// An HTTP media server with configurable faults, for tests of a player.
///
///     let server = try await MediaServer.start()
///     server.put("/tone.flac", .file(path), manners: Manners { $0.earlyClose = .init(after: 100_000, times: 1) })
///     player.play(server.url("/tone.flac"))
///     try await server.waitForRequest("/tone.flac", count: 2)
public final class MediaServer: Sendable {
  public enum Failure: Error, Equatable {
    /// The condition was not met in time.
    case timeout
    /// The server was stopped during the wait.
    case stopped
  }

  private struct Entry {
    var resource: Resource
    var manners: Manners
  }

  private struct Waiter {
    let condition: @Sendable (Journal) -> Bool
    let promise: EventLoopPromise<Journal>
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var folder: String?
    /// Number of times that each limited fault has happened, by fault and target.
    var performed: [String: Int] = [:]
    var journal = Journal()
    var waiters: [Int: Waiter] = [:]
    var children: [Int: any Channel] = [:]
    var counter = 0
    var stopped = false
  }

  /// A fault that may be limited to the first responses.
  enum Fault: String {
    case stall, earlyClose, status
  }

  private let state = Mutex(State())
  private let channel: any Channel
  let time: any TimeSource
  private let log: @Sendable (String) -> Void

  /// The address of the root, `http://127.0.0.1:PORT`.
  public let baseURL: String
  public let port: Int

  /// - Parameters:
  ///   - host: a literal address to listen on.
  ///   - port: 0 for any free port.
  ///   - folder: its files are served at `/`, with faults from each request's query.
  ///   - peer: the only literal address that is served; nil for any.
  ///   - time: the time of pauses, limits and the journal.
  ///   - log: called with a line for each response.
  /// - Throws: `IOError` if listening fails.
  public static func start(
    host: String = "127.0.0.1", port: Int = 0, folder: String? = nil, peer: String? = nil,
    time: any TimeSource = SystemTime(), log: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> MediaServer {
    // Connections get the server from here: it does not exist before the listening channel.
    let owner = Mutex<MediaServer?>(nil)
    let ready = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: Void.self)
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        if let peer, channel.remoteAddress?.ipAddress != peer { return channel.close() }
        return ready.futureResult.hop(to: channel.eventLoop).flatMapThrowing {
          guard let server = owner.withLock({ $0 }) else { return }
          try channel.pipeline.syncOperations.addHandlers([
            ByteToMessageHandler(HTTPRequestDecoder()), ConnectionHandler(server: server),
          ])
        }
      }
      .bind(host: host, port: port).get()
    let server = MediaServer(channel: channel, host: host, folder: folder, time: time, log: log)
    owner.withLock { $0 = server }
    ready.succeed()
    return server
  }

  private init(
    channel: any Channel, host: String, folder: String?, time: any TimeSource,
    log: @escaping @Sendable (String) -> Void
  ) {
    self.channel = channel
    self.time = time
    self.log = log
    port = channel.localAddress?.port ?? 0
    baseURL = "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    state.withLock { $0.folder = folder }
  }

  /// Serves a resource at a path, replacing an earlier one. Counting of limited faults restarts.
  /// - Parameter path: begins with a slash.
  public func put(_ path: String, _ resource: Resource, manners: Manners = Manners()) {
    state.withLock { state in
      state.entries[path] = Entry(resource: resource, manners: manners)
      for fault in [Fault.stall, .earlyClose, .status] { state.performed["\(fault) \(path)"] = nil }
    }
  }

  /// Serves a resource at a path without faults except for those that the closure sets.
  public func put(_ path: String, _ resource: Resource, change: (inout Manners) -> Void) {
    put(path, resource, manners: Manners(change))
  }

  /// Stops serving a resource. Responses that have begun continue.
  public func remove(_ path: String) { state.withLock { $0.entries[path] = nil } }

  public func url(_ path: String) -> String { baseURL + Target.encode(path: path) }

  public var requests: [RecordedRequest] { journal.requests }

  public var journal: Journal { state.withLock { $0.journal } }

  /// Waits until the journal meets a condition.
  /// - Returns: the journal at that moment.
  /// - Throws: ``Failure``.
  @discardableResult
  public func wait(
    timeout: Duration = .seconds(30), until condition: @escaping @Sendable (Journal) -> Bool
  ) async throws -> Journal {
    let loop = channel.eventLoop
    let promise = loop.makePromise(of: Journal.self)
    let number = state.withLock { state in
      state.counter += 1
      if state.stopped {
        promise.fail(Failure.stopped)
      } else if condition(state.journal) {
        promise.succeed(state.journal)
      } else {
        state.waiters[state.counter] = Waiter(condition: condition, promise: promise)
      }
      return state.counter
    }
    let timer = Task {
      await time.sleep(until: time.now + timeout)
      self.state.withLock { $0.waiters.removeValue(forKey: number) }?.promise.fail(Failure.timeout)
    }
    defer { timer.cancel() }
    return try await promise.futureResult.get()
  }

  /// Waits for a number of requests for a path.
  /// - Returns: the last of them.
  /// - Throws: ``Failure``.
  @discardableResult
  public func waitForRequest(
    _ path: String, count: Int = 1, timeout: Duration = .seconds(30)
  ) async throws -> RecordedRequest {
    let journal = try await wait(timeout: timeout) { $0.requests(for: path).count >= count }
    return journal.requests(for: path)[count - 1]
  }

  /// Closes the connections whose last request was for a path.
  public func closeConnections(for path: String) {
    let channels = state.withLock { state in
      state.journal.openConnections(for: path).compactMap { state.children[$0] }
    }
    for channel in channels { channel.close(promise: nil) }
  }

  /// Stops listening and closes all connections.
  public func stop() async {
    for channel in channelsToClose() { try? await channel.close() }
  }

  /// Stops without waiting for the end.
  public func close() {
    for channel in channelsToClose() { channel.close(promise: nil) }
  }

  private func channelsToClose() -> [any Channel] {
    let (children, waiters) = state.withLock { state in
      state.stopped = true
      defer { state.waiters = [:] }
      return (Array(state.children.values), Array(state.waiters.values))
    }
    for waiter in waiters { waiter.promise.fail(Failure.stopped) }
    return [channel] + children
  }

  // MARK: Called by connections

  /// Records a request and plans its answer.
  func answer(_ request: Answer.Request, connection: Int) -> Answer {
    update { state in
      state.journal.requests.append(
        RecordedRequest(
          method: request.method, path: request.target.path, target: request.target.text, headers: request.headers,
          connection: connection, time: time.now))
    }
    let answer = plan(request)
    log("\(request.method) \(request.target.text) \(request["Range"] ?? "-") → \(answer.status)")
    return answer
  }

  private func plan(_ request: Answer.Request) -> Answer {
    let path = request.target.path
    let (entry, folder) = state.withLock { ($0.entries[path], $0.folder) }
    if let entry {
      return Answer.to(request, content: entry.resource.open(), manners: current(entry.manners, key: path))
    }
    guard let folder, !path.split(separator: "/").contains("..") else {
      return Answer.to(request, content: nil, manners: Manners())
    }
    if path == "/" { return Answer.text(200, names(in: folder).joined(separator: "\n"), to: request) }
    do {
      let manners = try Manners(query: request.target.query)
      return Answer.to(
        request, content: Resource.file(folder + path).open(), manners: current(manners, key: request.target.text))
    } catch {
      return Answer.text(400, error.sentence, to: request)
    }
  }

  /// Removes the faults that have reached their limit. A status counts when it is planned, the others when they happen.
  private func current(_ manners: Manners, key: String) -> Manners {
    var manners = manners
    state.withLock { state in
      func spent(_ fault: Fault, _ times: Int?) -> Bool {
        times.map { state.performed["\(fault) \(key)", default: 0] >= $0 } ?? false
      }
      if spent(.stall, manners.stall?.times) { manners.stall = nil }
      if spent(.earlyClose, manners.earlyClose?.times) { manners.earlyClose = nil }
      if spent(.status, manners.status?.times) { manners.status = nil }
      if manners.status != nil { state.performed["\(Fault.status) \(key)", default: 0] += 1 }
    }
    return manners
  }

  /// Counts a fault that has happened.
  func performed(_ fault: Fault, target: Target) {
    state.withLock { state in
      let key = state.entries[target.path] == nil ? target.text : target.path
      state.performed["\(fault) \(key)", default: 0] += 1
    }
  }

  /// Notes a new connection.
  /// - Returns: its number.
  func opened(_ channel: any Channel) -> Int {
    update { state in
      state.counter += 1
      state.journal.open.insert(state.counter)
      state.children[state.counter] = channel
      return state.counter
    }
  }

  func closed(connection: Int) {
    update { state in
      state.journal.open.remove(connection)
      state.journal.closed[connection] = time.now
      state.children[connection] = nil
    }
  }

  /// Notes body bytes handed to the network.
  func sent(_ count: Int, path: String) {
    update { $0.journal.bytesSent[path, default: 0] += count }
  }

  /// Changes the state and fulfils the waiters whose condition is now met.
  private func update<Result: Sendable>(_ change: (inout sending State) -> Result) -> Result {
    let (result, journal, released) = state.withLock { state in
      let result = change(&state)
      let journal = state.journal
      let released = state.waiters.filter { $0.value.condition(journal) }
      for number in released.keys { state.waiters[number] = nil }
      return (result, journal, released.map(\.value.promise))
    }
    for promise in released { promise.succeed(journal) }
    return result
  }

  private func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(url("/\(name)")) }
    }
    return names.sorted()
  }
}
