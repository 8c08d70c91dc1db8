/// Why an item cannot be played.
public enum PlaybackError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The server has no such file (404, 410), or there is no such local file.
  case notFound
  /// The server requires a login or denies access (401, 403, 407).
  case notAuthorized
  /// The server answered with this HTTP status.
  case serverError(Int)
  /// The server refused the connection.
  case refused
  /// The host name cannot be resolved.
  case unknownHost
  /// There is no route to the server.
  case unreachable
  /// The server's certificate is not accepted.
  case certificate(CertificateProblem)
  /// The TLS handshake failed.
  case insecure
  /// The server redirects too often.
  case tooManyRedirects
  /// The data is not audio.
  case notAudio
  /// No installed decoder supports this format.
  case unsupportedFormat(String)
  /// Addresses with this scheme, such as `ftp`, are not played.
  case unsupportedScheme(String)
  /// The address is malformed.
  case badAddress
  /// The file is outside the folders that may be played.
  case forbiddenFolder
  /// The stream broke off and could not be resumed.
  case truncated
  /// The file is empty.
  case empty
  /// The audio is too damaged to decode.
  case damaged
  /// The server did not answer in time.
  case timedOut
  /// The server accepts the connection and closes it without a byte.
  case nothingSent
  /// The answer of the server is no HTTP.
  case notHTTP
  /// The server stopped sending and did not resume in time.
  case stalled
  /// The playlist has no playable entry, or is nested too deeply.
  case badPlaylist
  /// Another program uses the audio device.
  case deviceBusy
  /// The audio device does not exist, or was unplugged.
  case deviceMissing
  /// This user has no access to the audio device.
  case deviceForbidden
  /// The server that the output sends sound to cannot be reached; the reason, for the user.
  case outputUnreachable(String)
  /// The audio device failed, or supports no format that we can produce.
  case deviceFailed(String)
  /// Any other failure, with the library's message.
  case failed(String)

  /// One sentence for the user.
  public var description: String {
    switch self {
    case .notFound: "There is no such file."
    case .notAuthorized: "Access is denied or requires a login."
    case .serverError(let status): "The server answered with status \(status)."
    case .refused: "The server refuses connections."
    case .unknownHost: "The host name of the server cannot be resolved."
    case .unreachable: "The server cannot be reached."
    case .certificate(let problem): problem.description
    case .insecure: "The TLS handshake with the server failed."
    case .tooManyRedirects: "The server redirects too often."
    case .notAudio: "The stream contains no audio."
    case .unsupportedFormat(let format): "There is no decoder for \(format)."
    case .unsupportedScheme(let scheme): "The scheme “\(scheme)” is not supported: use http or https."
    case .badAddress: "The address is not valid."
    case .forbiddenFolder: "The file is outside the allowed folders."
    case .truncated: "The stream broke off and could not be resumed."
    case .empty: "The file is empty."
    case .damaged: "The audio is damaged."
    case .timedOut: "The server did not answer in time."
    case .nothingSent: "The server accepts connections but sends nothing."
    case .notHTTP: "The server does not answer as HTTP requires."
    case .stalled: "The server stopped sending."
    case .badPlaylist: "The playlist has no playable entry."
    case .deviceBusy: "The audio device is in use by another program."
    case .deviceMissing: "The audio device is missing or was unplugged."
    case .deviceForbidden: "No permission to use the audio device: add this user to the group “audio”."
    case .outputUnreachable(let reason): "The server of the output cannot be reached: \(reason)."
    case .deviceFailed(let reason): "The audio device failed: \(reason)."
    case .failed(let reason): "Playback failed: \(reason)."
    }
  }

  /// Whether the connection to the server failed, so that a retry may succeed.
  package var isConnectionFailure: Bool {
    switch self {
    case .refused, .unknownHost, .unreachable, .truncated, .timedOut, .stalled: true
    case .serverError(let status): status >= 500
    default: false
    }
  }

  /// Whether the server or the network is down, so that other tracks on the server will fail as well.
  package var isServerAbsent: Bool {
    switch self {
    case .refused, .unknownHost, .unreachable, .timedOut: true
    default: false
    }
  }

  /// Whether no installed decoder supports the format.
  package var isUnsupportedFormat: Bool {
    if case .unsupportedFormat = self { true } else { false }
  }

  /// Whether the audio device failed, not the item.
  public var isDeviceFailure: Bool {
    switch self {
    case .deviceBusy, .deviceMissing, .deviceForbidden, .outputUnreachable, .deviceFailed: true
    default: false
    }
  }
}

/// Why a server's certificate is not accepted.
public enum CertificateProblem: Sendable, Equatable, CustomStringConvertible {
  /// Self-signed, or signed by an unknown authority.
  case unknownAuthority
  case otherName
  case expired
  case notYetValid
  case other

  /// One sentence for the user.
  public var description: String {
    switch self {
    case .unknownAuthority:
      "The server's certificate is self-signed or of an unknown authority; the key tls.accept can accept it."
    case .otherName: "The server's certificate is for another host."
    case .expired: "The server's certificate has expired."
    case .notYetValid: "The server's certificate is not valid yet: check the clock of this machine."
    case .other: "The server's certificate is not trusted."
    }
  }
}
