import CGStreamer
import Glibc
import PlaybackModel

/// Finds out why a server could not be reached.
///
/// Workaround: for a refused connection, an unknown host, a missing route and a failed TLS handshake, souphttpsrc
/// reports the same error without a cause.
/// - Affected: GStreamer 1.22 with libsoup 3.2.
/// - Upstream: gst_soup_http_src_parse_status in ext/soup/gstsouphttpsrc.c; no issue known.
/// - Test: FailuresTests.anErrorIsReportedAndTheNextItemPlays.
/// - GStreamer 1.26: needed (1.26.2).
enum ConnectionDiagnosis {
  /// Resolves the host and connects again. Blocks on the name service and TCP.
  /// - Returns: nil if the server accepts the connection.
  static func run(_ address: HTTPAddress) -> PlaybackError? {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address.host, String(address.port), &hints, &list) == 0 else { return .unknownHost }
    defer { freeaddrinfo(list) }
    var result: PlaybackError?
    var entry = list
    while let candidate = entry?.pointee {
      entry = candidate.ai_next
      switch connect(to: candidate) {
      case 0: return address.isSecure ? handshake(address) : nil
      case ECONNREFUSED: result = .refused
      case ETIMEDOUT, EINPROGRESS, EAGAIN: result = result ?? .timedOut
      default: result = result ?? .unreachable
      }
    }
    return result ?? .unreachable
  }

  /// The failure of the TLS handshake; nil if it succeeds.
  private static func handshake(_ address: HTTPAddress) -> PlaybackError? {
    switch swiftlet_tls_handshake(address.host, guint16(address.port), 2) {
    case SWIFTLET_TLS_UNTRUSTED: .untrustedCertificate
    case SWIFTLET_TLS_FAILED: .insecure
    default: nil
    }
  }

  /// Connects with a timeout.
  /// - Returns: an errno; 0 for success.
  private static func connect(to candidate: addrinfo) -> Int32 {
    let socket = Glibc.socket(candidate.ai_family, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { return errno }
    defer { close(socket) }
    var timeout = timeval(tv_sec: 2, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    return Glibc.connect(socket, candidate.ai_addr, candidate.ai_addrlen) == 0 ? 0 : errno
  }
}
