/// A track that could not be played, and why.
public struct TrackFailure: Sendable, Equatable {
  public let error: PlaybackError
  /// The address of the track: the item's own unless the item is a list of several tracks.
  public let uri: String
  /// The title that the stream or the list gave the track.
  public let title: String?
  /// The metadata of the item; empty if the item is a list of several tracks.
  public let metadata: String
  /// The tag of the item that the track belongs to.
  public let tag: UInt32

  package init(error: PlaybackError, uri: String, title: String? = nil, metadata: String = "", tag: UInt32 = 0) {
    self.error = error
    self.uri = uri
    self.title = title
    self.metadata = metadata
    self.tag = tag
  }

  /// The host of the address; nil for local files and malformed addresses.
  public var host: String? { HTTPAddress(uri)?.host }
}

extension PlaybackError {
  /// A stable name for programs.
  public var code: String {
    switch self {
    case .notFound: "not_found"
    case .notAuthorized: "not_authorized"
    case .serverError: "server_error"
    case .refused: "refused"
    case .unknownHost: "unknown_host"
    case .unreachable: "unreachable"
    case .certificate(.expired): "expired_certificate"
    case .certificate(.notYetValid): "future_certificate"
    case .certificate(.otherName): "foreign_certificate"
    case .certificate: "untrusted_certificate"
    case .insecure: "insecure"
    case .tooManyRedirects: "too_many_redirects"
    case .notAudio: "not_audio"
    case .unsupportedFormat: "unsupported_format"
    case .unsupportedScheme: "unsupported_scheme"
    case .badAddress: "bad_address"
    case .forbiddenFolder: "forbidden_folder"
    case .truncated: "truncated"
    case .empty: "empty"
    case .damaged: "damaged"
    case .timedOut: "timed_out"
    case .nothingSent: "nothing_sent"
    case .notHTTP: "not_http"
    case .stalled: "stalled"
    case .badPlaylist: "bad_playlist"
    case .deviceBusy: "device_busy"
    case .deviceMissing: "device_missing"
    case .deviceForbidden: "device_forbidden"
    case .outputUnreachable: "output_unreachable"
    case .deviceFailed: "device_failed"
    case .failed: "failed"
    }
  }

  /// The variable part of the description; nil if it has none.
  public var detail: String? {
    switch self {
    case .serverError(let status): "\(status)"
    case .unsupportedFormat(let text), .unsupportedScheme(let text), .outputUnreachable(let text),
      .deviceFailed(let text), .failed(let text):
      text
    default: nil
    }
  }
}
