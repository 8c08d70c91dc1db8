import PlaybackModel

/// Why a stream could not be read, or not to its end.
package enum StreamFailure: Error, Sendable, Equatable {
  case badAddress
  case unknownHost
  case refused
  /// There is no route to the server.
  case unreachable
  /// The server did not accept the connection, or did not answer, in time.
  case timedOut
  case certificate(CertificateProblem)
  /// The TLS handshake failed for another reason.
  case insecure
  /// GIO's TLS backend (glib-networking) is not installed.
  case tlsUnavailable
  /// An HTTP status that is neither success nor a redirect to an address that can be requested.
  case status(Int)
  /// Too many redirects, or a loop.
  case redirects
  /// A redirect to a host that the request does not allow.
  case otherHost
  /// The server closed the connection without a byte.
  case nothingSent
  /// The answer is not HTTP.
  case malformed
  /// The body is compressed, although that was not asked for.
  case encoded
  /// The body ended or broke off before its end.
  case endedEarly
  /// The server answered a range request with the whole file.
  case rangeIgnored
}
