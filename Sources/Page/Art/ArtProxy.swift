import ControlPoint
import NIOCore
import UPnP

/// A picture that the proxy has fetched.
struct Picture: Sendable {
  var type: ImageType
  var data: ByteBuffer
  /// An entity tag with quotes (RFC 9110 §8.8.3). Changes with the bytes.
  var tag: String

  init(type: ImageType, data: ByteBuffer) {
    self.type = type
    self.data = data
    var hasher = Hasher()
    data.withUnsafeReadableBytes { hasher.combine(bytes: $0) }
    tag = "\"\(String(UInt64(bitPattern: Int64(hasher.finalize())), radix: 16))-\(data.readableBytes)\""
  }
}

/// Why there is no picture.
enum ArtError: Error, Hashable {
  /// The key was never handed out, or is forgotten.
  case unknown
  /// The URL, or one that it redirects to, is on a host that may not be asked.
  case notAllowed
  case timeout
  case tooLarge
  case noPicture
  /// The server failed; one sentence.
  case failed(String)
  /// Too many pictures are being fetched.
  case busy
}

/// Fetches artwork from media servers for the page, which may load only from the speaker itself.
///
/// An actor on the event loop.
actor ArtProxy {
  static let maximumSize = 8 << 20
  static let timeout = TimeAmount.seconds(8)
  static let maximumRedirects = 3
  private static let maximumFetches = 6
  private static let maximumWaiting = 64
  private static let cacheSize = 2 << 20
  /// Larger pictures would push everything else out of the cache.
  private static let maximumCached = cacheSize / 4

  private let executor: any SerialExecutor
  private let http: any HTTPSending
  private let policy: @Sendable () -> ArtPolicy
  private let links: NIOLoopBound<ArtLinks>
  private var cache = LRUCache<HTTPURL, Picture>(limit: cacheSize)
  private var fetches: [HTTPURL: Task<Result<Picture, ArtError>, Never>] = [:]
  private let turnstile = Turnstile(limit: maximumFetches, waitingLimit: maximumWaiting)

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - links: the URLs that may be fetched.
  ///   - http: sends requests on the event loop. Must resolve no names and follow no redirects.
  ///   - policy: which URLs may be fetched now. Called on the event loop.
  init(
    eventLoop: any EventLoop, links: NIOLoopBound<ArtLinks>, http: any HTTPSending,
    policy: @escaping @Sendable () -> ArtPolicy
  ) {
    self.links = links
    executor = eventLoop.executor
    self.http = http
    self.policy = policy
  }

  /// The picture if it is in the cache.
  func cached(_ key: String) -> Picture? { links.value.url(key).flatMap { cache.value($0) } }

  /// The picture, from the cache or from its server.
  func picture(_ key: String) async throws(ArtError) -> Picture {
    guard let url = links.value.url(key) else { throw .unknown }
    if let picture = cache.value(url) { return picture }
    if let task = fetches[url] { return try await task.value.get() }
    let task = Task { await fetch(url) }
    fetches[url] = task
    return try await task.value.get()
  }

  private func fetch(_ url: HTTPURL) async -> Result<Picture, ArtError> {
    defer { fetches[url] = nil }
    guard await turnstile.enter() else { return .failure(.busy) }
    defer { turnstile.leave() }
    do throws(ArtError) {
      let picture = try await download(url)
      let size = picture.data.readableBytes
      if size <= Self.maximumCached { cache.insert(picture, for: url, cost: size) }
      return .success(picture)
    } catch {
      return .failure(error)
    }
  }

  private func download(_ url: HTTPURL) async throws(ArtError) -> Picture {
    let deadline = NIODeadline.now() + Self.timeout
    var url = url
    for _ in 0...Self.maximumRedirects {
      guard policy().allows(url) else { throw .notAllowed }
      let remaining = deadline - .now()
      guard remaining > .zero else { throw .timeout }
      let response = try await send(
        ClientRequest(
          .GET, url, headers: ["ACCEPT": "image/*"], maximumBody: Self.maximumSize, timeout: remaining))
      switch response.status.code {
      case 200:
        guard let type = ImageType(response.body.readableBytesView) else { throw .noPicture }
        return Picture(type: type, data: response.body)
      case 301, 302, 303, 307, 308:
        guard let next = response.headers.first(name: "location").flatMap({ url.resolve($0) }) else {
          throw .failed("The server redirects to no http URL.")
        }
        url = next
      default: throw .failed("The server answered with HTTP status \(response.status.code).")
      }
    }
    throw .failed("The server redirects more than \(Self.maximumRedirects) times.")
  }

  private func send(_ request: ClientRequest) async throws(ArtError) -> ClientResponse {
    do throws(ControlPointError) {
      return try await http.send(request)
    } catch {
      switch error {
      case .timeout: throw .timeout
      case .tooLarge: throw .tooLarge
      default: throw .failed(error.description)
      }
    }
  }
}
