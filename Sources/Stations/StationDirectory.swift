import PlaybackModel
import Synchronization

/// Searches the public directory of internet radio, Radio Browser, or a mirror of it.
///
/// Contacts nobody before the first request. Requests block on threads of their own, so that they delay nothing else.
package final class StationDirectory: Sendable {
  /// Where the directory is.
  package enum Place: Sendable, Equatable {
    case off
    /// Radio Browser, whose servers are found in the DNS.
    case service
    /// The address of a server, without a slash at the end.
    case mirror(String)
  }

  /// Maximum bytes of an answer.
  private static let maximumAnswer = 4 << 20
  private static let maximumRequests = 4
  /// Time limit for a request, with all attempts.
  private static let timeout = Duration.seconds(20)

  private struct State {
    var servers = DirectoryServers()
    var memory = StationMemory()
    var running = 0
  }

  private let network: DirectoryNetwork
  private let home: CountryCode?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - product: name and version of the program, for the directory's operators.
  ///   - home: where the listeners are; nil if it is unknown.
  package convenience init(_ place: Place, product: String, home: CountryCode?) {
    self.init(.live(place, product: product), home: home)
  }

  init(_ network: DirectoryNetwork, home: CountryCode? = nil) {
    self.network = network
    self.home = home
  }

  // MARK: Requests

  /// The stations that match, those with the most votes first, at most `StationQuery.limit`. An empty query finds the popular ones of
  /// the home country.
  package func search(_ query: StationQuery) async throws(DirectoryError) -> [Station] {
    var query = query
    if query.isEmpty { query.country = home?.text }
    return try await answer(to: query)
  }

  private func answer(to query: StationQuery) async throws(DirectoryError) -> [Station] {
    if let known = state.withLock({ $0.memory.answer(to: query, at: .now) }) { return known }
    return try await onThread { [self] deadline throws(DirectoryError) in
      var stations = try read(query.path, until: deadline, Station.list)
      if stations.isEmpty, let loosened = query.loosened {
        stations = try read(loosened.path, until: deadline, Station.list).filter(query.matches)
      }
      state.withLock { [stations] in $0.memory.store(stations, for: query, at: .now) }
      return stations
    }
  }

  /// A station of an earlier answer.
  package func known(_ id: String) -> Station? { state.withLock { $0.memory.station(id) } }

  /// A station by its id.
  package func station(_ id: String) async throws(DirectoryError) -> Station {
    guard Station.isID(id) else { throw .unknownStation }
    if let known = known(id) { return known }
    return try await onThread { [self] deadline throws(DirectoryError) in
      guard let station = try read("/json/stations/byuuid/\(id)", until: deadline, Station.list).first else {
        throw .unknownStation
      }
      return station
    }
  }

  /// Tells the directory that a person plays a station, at most once a day. Failures are ignored.
  package func played(_ id: String) async {
    guard Station.isID(id), state.withLock({ $0.memory.clicked(id, at: .now) }) else { return }
    _ = try? await onThread { [self] deadline throws(DirectoryError) in
      try read("/json/url/\(id)", until: deadline) { $0 }
    }
  }

  // MARK: On a thread of its own

  private func read<Value>(
    _ path: String, until deadline: ContinuousClock.Instant, _ value: ([UInt8]) -> Value?
  ) throws(DirectoryError) -> Value {
    var failure = DirectoryError.failed("The names of its servers are unknown. Is there a connection to the internet?")
    for base in candidates() {
      guard ContinuousClock.now < deadline else { throw .timeout }
      switch network.fetch(base + path, Self.maximumAnswer) {
      case .success(let document):
        if let value = value(document) {
          state.withLock { $0.servers.answered(base) }
          return value
        }
        failure = .failed("\(HTTPAddress(base)?.host ?? base) sent an answer that cannot be read.")
      case .failure(let error): failure = error
      }
      state.withLock { $0.servers.failed(base) }
    }
    throw failure
  }

  private func candidates() -> [String] {
    if state.withLock({ $0.servers.isStale(at: .now) }) {
      let found = network.servers()
      state.withLock { state in
        var random = SystemRandomNumberGenerator()
        state.servers.found(found, at: .now, using: &random)
      }
    }
    return Array(state.withLock { $0.servers.candidates })
  }

  /// Runs blocking work on a thread.
  private func onThread<Value: Sendable>(
    _ work: @escaping @Sendable (_ deadline: ContinuousClock.Instant) throws(DirectoryError) -> Value
  ) async throws(DirectoryError) -> Value {
    let isFree = state.withLock { state in
      guard state.running < Self.maximumRequests else { return false }
      state.running += 1
      return true
    }
    guard isFree else { throw .busy }
    let deadline = ContinuousClock.now + Self.timeout
    let result: Result<Value, DirectoryError> = await withCheckedContinuation { continuation in
      let reply = SingleReply(continuation)
      // A name server that does not answer takes longer.
      let timer = Task {
        do { try await Task.sleep(until: deadline) } catch { return }
        reply.resume(.failure(.timeout))
      }
      NamedThread.start("directory") { [self] in
        let result = Result { () throws(DirectoryError) in try work(deadline) }
        state.withLock { $0.running -= 1 }
        timer.cancel()
        reply.resume(result)
      }
    }
    return try result.get()
  }
}

/// A continuation that the first of several answers resumes.
private final class SingleReply<Value: Sendable>: Sendable {
  private let continuation: Mutex<CheckedContinuation<Value, Never>?>

  init(_ continuation: CheckedContinuation<Value, Never>) { self.continuation = Mutex(continuation) }

  func resume(_ value: Value) {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(returning: value)
  }
}

/// Why the directory has no answer.
package enum DirectoryError: Error, Equatable {
  case timeout
  /// The reason, in a sentence.
  case failed(String)
  /// Too many requests are running.
  case busy
  case unknownStation

  /// A sentence for users.
  package var sentence: String {
    switch self {
    case .timeout: "The radio directory did not answer in time."
    case .failed(let reason): "The radio directory cannot be used. \(reason)"
    case .busy: "The radio directory is busy with other searches. Try again in a moment."
    case .unknownStation: "The radio directory does not have this station any more."
    }
  }
}

extension StationDirectory.Place: CustomStringConvertible {
  /// Reads `on`, `off` or an `http` or `https` address.
  package init?(_ text: String) {
    switch text {
    case "on": self = .service
    case "off": self = .off
    default:
      guard HTTPAddress(text) != nil, !text.contains(where: { $0.isWhitespace || "?#".contains($0) }) else {
        return nil
      }
      self = .mirror(text.hasSuffix("/") ? String(text.dropLast()) : text)
    }
  }

  package var description: String {
    switch self {
    case .service: "on"
    case .off: "off"
    case .mirror(let base): base
    }
  }
}
