import ControlPoint
import MediaFiles
import MediaStream
import NIOCore
import NIOHTTP1
import UPnP

/// A picture that the proxy has fetched.
struct Picture: Sendable {
  var type: ImageType
  var data: ByteBuffer
  /// Counts the bytes until the last copy is gone.
  let memory: PictureMemory.Share
  /// An entity tag with quotes (RFC 9110 §8.8.3). Changes with the bytes.
  var tag: String

  init(type: ImageType, data: ByteBuffer, memory: PictureMemory.Share) {
    self.type = type
    self.memory = memory
    self.data = data
    var hasher = Hasher()
    data.withUnsafeReadableBytes { hasher.combine(bytes: $0) }
    tag = "\"\(String(UInt64(bitPattern: Int64(hasher.finalize())), radix: 16))-\(data.readableBytes)\""
  }
}

/// Why there is no picture.
enum ArtError: Error, Hashable {
  /// The key was never issued.
  case unknown
  /// The URL, or one that it redirects to, is on a host that may not be contacted.
  case notAllowed
  case timeout
  case tooLarge
  case noPicture
  /// The server failed, for this reason, in a sentence.
  case failed(String)
  /// Too many pictures are being fetched or read.
  case busy
}

/// Fetches artwork from media servers and the web for the page, which may load only from the speaker itself.
///
/// An actor on the event loop.
actor ArtProxy {
  static let maximumSize = 8 << 20
  static let timeout = TimeAmount.seconds(8)
  static let maximumRedirects = 3
  private static let maximumFetches = 6
  private static let maximumWaiting = 64
  private static let cacheSize = 2 << 20
  /// Maximum bytes of all pictures that are being fetched, cached, or not yet read by a client.
  private static let memoryLimit = 12 << 20
  /// Larger pictures would push everything else out of the cache.
  private static let maximumCached = cacheSize / 4

  /// SVG is missing because it may contain scripts.
  private static let accepted = "image/jpeg, image/png, image/webp, image/gif, image/*;q=0.1"

  private let eventLoop: any EventLoop
  private let executor: any SerialExecutor
  private let http: any HTTPSending
  private let resolver: any NameResolving
  var policy: ArtPolicy
  private let servers: any LocalServing
  private let memory = PictureMemory(limit: memoryLimit)
  private let links: ArtLinks
  private var cache = LRUCache<ArtSource, Picture>(limit: cacheSize)
  private var fetches: [ArtSource: Task<Result<Picture, ArtError>, Never>] = [:]
  private let limiter = TaskLimiter(limit: maximumFetches, waitingLimit: maximumWaiting)

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - links: the URLs that may be fetched.
  ///   - http: sends requests on the event loop. Must resolve no names and follow no redirects.
  ///   - resolver: finds the addresses of names.
  ///   - servers: the servers on the speaker's machine.
  init(
    eventLoop: any EventLoop, links: ArtLinks, http: any HTTPSending, resolver: any NameResolving, policy: ArtPolicy,
    servers: any LocalServing
  ) {
    self.servers = servers
    self.links = links
    executor = eventLoop.executor
    self.eventLoop = eventLoop
    self.http = http
    self.resolver = resolver
    self.policy = policy
  }

  func cached(_ key: String) -> Picture? { links.source(key).flatMap { cache.value($0) } }

  /// The picture, from the cache or from its server.
  func picture(_ key: String) async throws(ArtError) -> Picture {
    guard let source = links.source(key) else { throw .unknown }
    if let picture = cache.value(source) { return picture }
    if let task = fetches[source] { return try await task.value.get() }
    let task = Task { await fetch(source) }
    fetches[source] = task
    return try await task.value.get()
  }

  private func fetch(_ source: ArtSource) async -> Result<Picture, ArtError> {
    defer { fetches[source] = nil }
    guard await limiter.enter() else { return .failure(.busy) }
    defer { limiter.leave() }
    do throws(ArtError) {
      var picture: Picture?
      if let track = source.track { picture = await embedded(in: track) }
      let found = if let picture { picture } else { try await download(source.url) }
      let size = found.data.readableBytes
      if size <= Self.maximumCached { cache.insert(found, for: source, cost: size) }
      return .success(found)
    } catch {
      return .failure(error)
    }
  }

  private func download(_ url: ArtURL) async throws(ArtError) -> Picture {
    let deadline = NIODeadline.now() + Self.timeout
    var url = url
    // A server on the internet must not redirect into the local network.
    var isRedirected = false
    for _ in 0...Self.maximumRedirects {
      let address = try await address(url, isRedirected: isRedirected, deadline)
      isRedirected = isRedirected || policy.isPublic(address)
      let share = memory.share()
      let response = try await send(url, to: address, deadline, share)
      switch response.status.code {
      case 200:
        guard let type = ImageType(response.body.readableBytesView) else { throw .noPicture }
        return Picture(type: type, data: response.body, memory: share)
      case 301, 302, 303, 307, 308:
        guard let next = response.headers.first(name: "location").flatMap({ url.resolve($0) }) else {
          throw .failed("The server redirects to an address that is not http or https.")
        }
        url = next
      default: throw .failed("The server answered with HTTP status \(response.status.code).")
      }
    }
    throw .failed("The server redirects more than \(Self.maximumRedirects) times.")
  }

  /// The picture in a track of the house, from the start of its file; nil if there is none.
  private func embedded(in track: ArtSource.Track) async -> Picture? {
    let deadline = NIODeadline.now() + Self.timeout
    guard !track.url.isSecure, let address = try? await address(track.url, isRedirected: false, deadline),
      !policy.isPublic(address)
    else { return nil }
    let share = memory.share()
    var head: [UInt8] = []
    var end = PictureHead.firstRead
    // Minidlna refuses ranges that end after the file.
    while head.count < min(end, track.size) {
      let range = head.count..<min(end, track.size)
      guard let response = try? await send(track.url, to: address, deadline, share, range),
        response.status == .partialContent, response.body.readableBytes == range.count
      else { return nil }
      head += response.body.readableBytesView
      guard let needed = PictureHead.end(head) else { return nil }
      end = needed
    }
    // Beside the event loop: it may be some megabytes.
    let picture = await Task.detached(priority: .utility) { [head] in AudioPicture(head: head) }.value
    let own = memory.share()
    guard let bytes = picture?.bytes, let type = ImageType(bytes), own.grow(to: bytes.count) else { return nil }
    return Picture(type: type, data: ByteBuffer(bytes: bytes), memory: own)
  }

  /// The address to connect to, which the policy allows.
  private func address(
    _ url: ArtURL, isRedirected: Bool, _ deadline: NIODeadline
  ) async throws(ArtError) -> IPAddress {
    switch policy.verdict(url, isRedirected: isRedirected) {
    case .connect(let address): return address
    case .askLocal(let address):
      guard await servers.hasMusic(at: address, port: url.location.port) else { throw .notAllowed }
      return address
    case .refuse: throw .notAllowed
    case .resolve(let name):
      let found = try await resolver.addresses(of: name, timeout: try Self.remaining(deadline))
      guard !found.isEmpty else { throw .failed("The address of its server is unknown.") }
      // The networks may have changed meanwhile.
      guard let address = policy.address(of: found) else { throw .notAllowed }
      return address
    }
  }

  /// - Parameters:
  ///   - share: grows with the body. The request ends when the memory is full.
  ///   - range: the bytes of a track; nil for a whole picture.
  private func send(
    _ url: ArtURL, to address: IPAddress, _ deadline: NIODeadline, _ share: PictureMemory.Share,
    _ range: Range<Int>? = nil
  ) async throws(ArtError) -> ClientResponse {
    let headers: HTTPHeaders =
      if let range { ["RANGE": "bytes=\(range.lowerBound)-\(range.upperBound - 1)"] } else { ["ACCEPT": Self.accepted] }
    var request = ClientRequest(
      .GET, url.location, headers: headers, maximumBody: range?.count ?? Self.maximumSize,
      timeout: try Self.remaining(deadline))
    request.authority = url.authority
    request.route = .address(address)
    let before = range?.lowerBound ?? 0
    request.admitsBody = { share.grow(to: before + $0) }
    guard url.isSecure else { return try await send(request, share) }
    let tunnel = try await tunnel(to: url, address, timeout: request.timeout)
    defer { tunnel.cancel() }
    request.route = .socket(tunnel.descriptor)
    request.timeout = max(.milliseconds(1), deadline - .now())
    return try await send(request, share)
  }

  private func tunnel(
    to url: ArtURL, _ address: IPAddress, timeout: TimeAmount
  ) async throws(ArtError) -> TLSTunnel {
    let server = TLSTunnel.Server(host: "\(address)", port: url.location.port, name: url.location.host)
    do {
      return try await TLSTunnel.open(to: server, timeout: timeout, on: eventLoop).get()
    } catch {
      switch error as? StreamFailure {
      case .timedOut: throw .timeout
      case .certificate: throw .failed("The certificate of the server is not trusted.")
      case .tlsUnavailable: throw .failed("TLS needs the package glib-networking.")
      default: throw .failed("The server cannot be reached with TLS.")
      }
    }
  }

  private static func remaining(_ deadline: NIODeadline) throws(ArtError) -> TimeAmount {
    let remaining = deadline - .now()
    guard remaining > .zero else { throw .timeout }
    return remaining
  }

  private func send(
    _ request: ClientRequest, _ share: PictureMemory.Share
  ) async throws(ArtError) -> ClientResponse {
    do throws(ControlPointError) {
      return try await http.send(request)
    } catch {
      switch error {
      case .timeout: throw .timeout
      case .tooLarge: throw share.isRefused ? .busy : .tooLarge
      default: throw .failed(error.description)
      }
    }
  }
}
