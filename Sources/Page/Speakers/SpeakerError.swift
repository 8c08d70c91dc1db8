import ControlPoint

/// Why a command to another speaker fails.
enum SpeakerError: Error, Hashable {
  case unknown
  case timeout
  /// The speaker has no volume, or no mute.
  case notOffered
  /// The speaker failed, for this reason, in a sentence.
  case failed(String)

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
    case .notOffered: "The speaker does not have this control."
    case .failed(let sentence): "The command failed. \(sentence)"
    }
  }
}
