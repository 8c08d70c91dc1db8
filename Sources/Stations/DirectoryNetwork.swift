import MediaStream
import PlaybackModel

/// What the directory needs of the network. Both functions block.
struct DirectoryNetwork: Sendable {
  typealias Fetched = Result<[UInt8], DirectoryError>

  /// Finds the servers: those of equal rank in one group, the best rank first.
  var servers: @Sendable () -> [[String]]
  /// Reads a document of at most so many bytes.
  var fetch: @Sendable (_ address: String, _ limit: Int) -> Fetched
}

extension DirectoryNetwork {
  /// Time limit for a connection, an answer, and each pause within a body.
  private static let patience = Duration.seconds(6)
  /// Time limit for a whole document.
  private static let longest = Duration.seconds(10)

  /// - Parameters:
  ///   - place: Radio Browser or a mirror.
  ///   - product: name and version of the program, which Radio Browser asks for.
  static func live(_ place: StationDirectory.Place, product: String) -> DirectoryNetwork {
    DirectoryNetwork(
      servers: {
        switch place {
        case .off: []
        case .service: ServerLookup.servers()
        case .mirror(let base): [[base]]
        }
      },
      fetch: { address, limit in
        guard let url = StreamURL(address) else { return .failure(.failed("Its address is not valid.")) }
        var request = StreamRequest(url: url, userAgent: product)
        request.headers = [("Accept", "application/json")]
        request.wantsTitles = false
        request.timeout = patience
        request.mayRedirect = { mayRedirect(from: $0.address, to: $1.address, place) }
        return read(StreamReader(request), host: url.address.host, limit: limit)
      })
  }

  /// A redirect must not hand a search on to others, nor in plain text.
  private static func mayRedirect(from: HTTPAddress, to: HTTPAddress, _ place: StationDirectory.Place) -> Bool {
    guard to.isSecure || !from.isSecure else { return false }
    return to.host.lowercased() == from.host.lowercased() || place == .service && ServerLookup.isServer(to.host)
  }

  private static func read(_ reader: StreamReader, host: String, limit: Int) -> Fetched {
    defer { reader.close() }
    let end = ContinuousClock.now + longest
    var document: [UInt8] = []
    reader.start()
    while true {
      switch reader.next() {
      case .bytes:
        let taken = reader.take()
        withExtendedLifetime(taken.owner) { document += taken.bytes }
        guard document.count <= limit else { return .failure(.failed("The answer of \(host) is too large.")) }
        guard ContinuousClock.now < end else { return .failure(.timeout) }
      case .title: break
      case .end: return .success(document)
      case .failed(.timedOut): return .failure(.timeout)
      case .failed(let failure): return .failure(.failed(failure.sentence(about: host)))
      case .interrupted: return .failure(.timeout)
      }
    }
  }
}

extension StreamFailure {
  fileprivate func sentence(about host: String) -> String {
    switch self {
    case .unknownHost: "The address of \(host) is unknown."
    case .refused: "\(host) accepts no connection."
    case .unreachable: "\(host) cannot be reached."
    case .certificate: "The certificate of \(host) is not trusted."
    case .insecure: "\(host) cannot be reached with TLS."
    case .tlsUnavailable: "TLS needs the package glib-networking."
    case .otherHost: "\(host) redirects to another host."
    case .status(let status): "\(host) answered with HTTP status \(status)."
    default: "\(host) sent no complete answer."
    }
  }
}
