import ControlPoint

/// Why a command to other speakers fails.
enum SpeakerError: Error, Hashable {
  case unknown
  case timeout
  /// Too many changes wait.
  case busy
  /// The speaker has no volume, or no mute.
  case notOffered
  /// The speaker failed, for this reason, in a sentence.
  case failed(String)
  /// Speakers cannot play together, or playback cannot move.
  case room(RoomError)

  init(_ error: RoomError) {
    switch error {
    case .device(_, let error): self.init(error)
    case .unknown: self = .unknown
    default: self = .room(error)
    }
  }

  init(_ error: ControlPointError) {
    switch error {
    case .timeout: self = .timeout
    case .notOffered: self = .notOffered
    default: self = .failed(error.description)
    }
  }

  /// A sentence for users.
  var sentence: String {
    switch self {
    case .unknown: "The speaker is no longer on the network."
    case .timeout: "The speaker did not answer in time."
    case .busy: "Too many changes at once."
    case .notOffered: "The speaker does not have this control."
    case .failed(let sentence): "The command failed. \(sentence)"
    case .room(let error): error.description
    }
  }
}
