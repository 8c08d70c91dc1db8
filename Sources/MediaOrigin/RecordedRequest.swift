/// A request as it arrived, for assertions.
public struct RecordedRequest: Sendable, Equatable {
  /// GET, HEAD, …
  public let method: String
  /// The path, percent-decoded, without the query.
  public let path: String
  /// The target as it stood on the wire, with the query.
  public let target: String
  /// The headers in their order.
  public let headers: [Header]
  /// Which of the server's connections it came on, counted from 1.
  public let connection: Int
  /// When its head had arrived.
  public let time: ContinuousClock.Instant

  /// The value of the first header of that name, whatever its case.
  public subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// What a server has seen and done so far.
public struct Journal: Sendable {
  /// The requests in the order of their arrival.
  public internal(set) var requests: [RecordedRequest] = []
  /// Bytes of bodies handed to the network, by path.
  public internal(set) var bytesSent: [String: Int] = [:]
  /// Connections that are open now.
  public internal(set) var openConnections = 0

  /// The requests for a path.
  public func requests(for path: String) -> [RecordedRequest] { requests.filter { $0.path == path } }
}
