import Glibc
import PlaybackModel
import Synchronization

/// The connection to the `tcp` source of a Snapcast server, which only takes samples and answers nothing.
///
/// Resolving the name and connecting can block, so each attempt has a thread, at most one at a time.
final class SnapcastConnection: Sendable {
  private struct State {
    /// Connected, and not blocking.
    var descriptor: Int32?
    var isConnecting = false
    /// Whether a connection is to be kept when it has been made.
    var isWanted = false
    /// Bytes of silence that were sent.
    var filled: Int64 = 0
  }

  /// How long an attempt may take for each address of the server, in milliseconds.
  private static let patience: Int32 = 3_000
  /// Addresses of the server that are tried.
  private static let mostAddresses = 4
  /// The connection breaks when the server takes nothing for this long, in milliseconds: it hangs, or its cable is out.
  private static let silence: Int32 = 10_000
  /// snapserver reads this much at a time unless its `chunk_ms` says otherwise. It keeps the beginning of a chunk until
  /// the rest arrives.
  private static let chunk = Duration.milliseconds(20)

  private let stream: SnapcastStream
  private let state = Mutex(State())

  init(_ stream: SnapcastStream) { self.stream = stream }

  deinit { disconnect() }

  var isConnected: Bool { descriptor != nil }

  /// The socket; nil while there is no connection.
  var descriptor: Int32? { state.withLock(\.descriptor) }

  /// Begins to connect, unless an attempt is being made.
  /// - Parameter ended: called on the attempt's thread, with the reason of a failure; not called after `disconnect`.
  func connect(_ ended: @escaping @Sendable (_ failure: String?) -> Void) {
    let begins = state.withLock { state in
      state.isWanted = true
      defer { state.isConnecting = true }
      return !state.isConnecting
    }
    guard begins else { return }
    NamedThread.start("snapcast") { [self] in
      let result = Self.open(stream)
      let isWanted = state.withLock { state in
        state.isConnecting = false
        if state.isWanted, case .connected(let descriptor) = result {
          (state.descriptor, state.filled) = (descriptor, 0)
        }
        return state.isWanted
      }
      switch result {
      case .connected(let descriptor): if isWanted { ended(nil) } else { close(descriptor) }
      case .failed(let reason): if isWanted { ended(reason) }
      }
    }
  }

  func disconnect() {
    let descriptor = state.withLock { state in
      state.isWanted = false
      defer { state.descriptor = nil }
      return state.descriptor
    }
    if let descriptor { close(descriptor) }
  }

  /// Fills the last chunk with silence, so that its sound is heard, and the next sound begins with a whole frame. Ends the
  /// connection if the server does not take the silence. Called while nothing else is sent.
  /// - Parameter sent: bytes sent since the connection was made, without silence.
  func fill(after sent: Int64) {
    let chunk = Int64(stream.format.rate) * Self.chunk.nanoseconds / 1_000_000_000 * Int64(stream.bytesPerFrame)
    state.withLock { state in
      guard let descriptor = state.descriptor else { return }
      let missing = Int((chunk - (sent + state.filled) % chunk) % chunk)
      let silence = [UInt8](repeating: 0, count: missing)
      state.filled += Int64(missing)
      // The sink may still use the socket, so it stays open.
      if missing > 0, send(descriptor, silence, missing, Int32(MSG_NOSIGNAL)) != missing {
        shutdown(descriptor, Int32(SHUT_RDWR))
      }
    }
  }

  // MARK: Connecting

  private enum Attempt {
    case connected(Int32)
    case failed(String)
  }

  private static func open(_ stream: SnapcastStream) -> Attempt {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_protocol = Int32(IPPROTO_TCP)
    var list: UnsafeMutablePointer<addrinfo>?
    let error = getaddrinfo(stream.host, String(stream.port), &hints, &list)
    guard error == 0 else { return .failed("“\(stream.host)”: \(String(cString: gai_strerror(error)))") }
    defer { freeaddrinfo(list) }
    var failure = ENOENT
    var next = list
    for _ in 0..<mostAddresses {
      guard let entry = next?.pointee else { break }
      next = entry.ai_next
      let descriptor = socket(
        entry.ai_family, entry.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), entry.ai_protocol)
      guard descriptor >= 0 else {
        failure = errno
        continue
      }
      guard let error = self.failure(of: descriptor, to: entry) else { return .connected(descriptor) }
      close(descriptor)
      failure = error
    }
    return .failed("\(stream.host):\(stream.port): \(String(cString: strerror(failure)))")
  }

  /// Connects a socket.
  /// - Returns: the errno of a failure.
  private static func failure(of descriptor: Int32, to address: addrinfo) -> Int32? {
    set(descriptor, TCP_NODELAY, 1)
    set(descriptor, TCP_USER_TIMEOUT, silence)
    if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return nil }
    guard errno == EINPROGRESS else { return errno }
    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    switch poll(&ready, 1, patience) {
    case 0: return ETIMEDOUT
    case ..<0: return errno
    default: break
    }
    var error: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 else { return errno }
    return error == 0 ? nil : error
  }

  private static func set(_ descriptor: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, Int32(IPPROTO_TCP), option, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}
