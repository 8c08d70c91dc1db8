import ControlPoint

/// Why a request to the library fails.
enum LibraryError: Error, Hashable {
  case unknownServer
  /// The server has no such container or item.
  case unknownObject
  case notSearchable
  case timeout
  /// The server failed, for this reason, in a sentence.
  case server(String)
  /// None of the chosen items can be played; the reason.
  case nothingPlayable(String)
  case queueFull
  /// Other folders are being read.
  case busy

  /// - Parameter error: the error of a request to a media server.
  init(_ error: ControlPointError) {
    switch error {
    // No such object; no such container (ContentDirectory:1 §2.7.4.4, §2.7.5.4).
    case .fault(code: 701, _), .fault(code: 710, _): self = .unknownObject
    case .timeout: self = .timeout
    default: self = .server(error.description)
    }
  }

  /// A sentence for users.
  var sentence: String {
    switch self {
    case .unknownServer: "The media server is no longer on the network."
    case .unknownObject: "The media server no longer has this."
    case .notSearchable: "This media server cannot search."
    case .timeout: "The media server did not answer in time."
    case .server(let sentence): "The media server failed. \(sentence)"
    case .nothingPlayable(let reason): "Nothing here can be played. \(reason)"
    case .queueFull: "The queue is full."
    case .busy: "The speaker is reading other folders. Try again in a moment."
    }
  }
}
