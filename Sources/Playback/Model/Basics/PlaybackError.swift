/// Why an item does not sound.
public enum PlaybackError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The server has no such thing (404, 410), or there is no such file.
  case notFound
  /// The server wants a name and a password, or forbids it (401, 403).
  case notAuthorized
  /// The server answered with this HTTP status.
  case serverError(Int)
  /// Nobody listens at the address.
  case refused
  /// No machine of that name.
  case unknownHost
  /// The machine cannot be reached from here.
  case unreachable
  /// The server's certificate is of nobody whom this machine trusts, of another server, or out of date.
  case untrustedCertificate
  /// The server does not speak TLS, or none that is spoken here.
  case insecure
  /// A chain of redirects that does not end.
  case tooManyRedirects
  /// Something was delivered, and it is not sound.
  case notAudio
  /// It is sound in a form for which there is no decoder here.
  case unsupportedFormat(String)
  /// The address is of a kind that is not played, such as `ftp`.
  case unsupportedScheme(String)
  /// The address is not one.
  case badAddress
  /// A file outside the folders that may be played.
  case forbiddenFolder
  /// The stream broke off and could not be resumed.
  case truncated
  /// There was nothing in it.
  case empty
  /// The sound is damaged beyond decoding.
  case damaged
  /// The server did not begin to deliver in time.
  case timedOut
  /// The server stopped delivering and did not come back in time.
  case stalled
  /// A play list without anything playable, or lists within lists without end.
  case badPlaylist
  /// Another program has the audio device.
  case deviceBusy
  /// The audio device is not there.
  case deviceMissing
  /// The system does not let us use the audio device.
  case deviceForbidden
  /// The audio device failed, or takes none of the formats we can make.
  case deviceFailed(String)
  /// Something else, in the words of the library.
  case failed(String)

  /// One sentence for people.
  public var description: String {
    switch self {
    case .notFound: "The server has no such file."
    case .notAuthorized: "The server does not allow us to read it."
    case .serverError(let status): "The server answered with status \(status)."
    case .refused: "The server refuses connections."
    case .unknownHost: "There is no server of that name."
    case .unreachable: "The server cannot be reached."
    case .untrustedCertificate: "The server's certificate is not trusted."
    case .insecure: "No secure connection to the server comes about."
    case .tooManyRedirects: "The server redirects without end."
    case .notAudio: "It is not audio."
    case .unsupportedFormat(let format): "There is no decoder for \(format)."
    case .unsupportedScheme(let scheme): "Addresses of the kind “\(scheme)” are not played."
    case .badAddress: "The address is not valid."
    case .forbiddenFolder: "Files in that folder may not be played."
    case .truncated: "The stream broke off and could not be resumed."
    case .empty: "The file is empty."
    case .damaged: "The audio is damaged."
    case .timedOut: "The server did not answer in time."
    case .stalled: "The server stopped sending."
    case .badPlaylist: "The playlist holds nothing that can be played."
    case .deviceBusy: "The audio device is in use by another program."
    case .deviceMissing: "The audio device is not there."
    case .deviceForbidden: "The audio device may not be used: add this user to the group “audio”."
    case .deviceFailed(let reason): "The audio device failed: \(reason)."
    case .failed(let reason): "Playback failed: \(reason)."
    }
  }

  /// Whether the way to the server failed, which may be better in a moment.
  package var isOfConnection: Bool {
    switch self {
    case .refused, .unknownHost, .unreachable, .truncated, .timedOut, .stalled: true
    case .serverError(let status): status >= 500
    default: false
    }
  }

  /// Whether the server, or the network, was not there at all: then nothing else that it has can be heard either.
  package var isOfAbsence: Bool {
    switch self {
    case .refused, .unknownHost, .unreachable, .timedOut: true
    default: false
    }
  }

  /// Whether what was delivered is in a form that is not decoded here.
  package var isOfFormat: Bool {
    if case .unsupportedFormat = self { true } else { false }
  }

  /// Whether it is the audio device that failed, not the item.
  public var isOfDevice: Bool {
    switch self {
    case .deviceBusy, .deviceMissing, .deviceForbidden, .deviceFailed: true
    default: false
    }
  }
}
