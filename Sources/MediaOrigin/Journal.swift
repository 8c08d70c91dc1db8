public struct RecordedRequest: Sendable, Equatable {
  /// GET, HEAD, …
  public let method: String
  /// The path, percent-decoded, without the query.
  public let path: String
  /// The request target as sent, with the query.
  public let target: String
  /// In the order in which they were sent.
  public let headers: [Header]
  /// The number of the connection, from 1.
  public let connection: Int
  /// When the head had arrived.
  public let time: ContinuousClock.Instant

  /// The value of the first header with the name, ignoring case.
  public subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// Everything that the server has received and sent.
public struct Journal: Sendable {
  /// In order of arrival.
  public internal(set) var requests: [RecordedRequest] = []
  /// Body bytes handed to the network, by path.
  public internal(set) var bytesSent: [String: Int] = [:]
  /// The numbers of the open connections.
  public internal(set) var open: Set<Int> = []
  /// When each closed connection ended, by number.
  public internal(set) var closed: [Int: ContinuousClock.Instant] = [:]

  public var openConnections: Int { open.count }

  public func requests(for path: String) -> [RecordedRequest] { requests.filter { $0.path == path } }

  /// The open connections whose last request was for a path.
  public func openConnections(for path: String) -> Set<Int> {
    open.filter { number in requests.last { $0.connection == number }?.path == path }
  }
}

public struct Header: Sendable, Equatable {
  /// In the case in which it was sent.
  public var name: String
  /// Without surrounding whitespace.
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
