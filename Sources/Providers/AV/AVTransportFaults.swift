import PlaybackModel
import UPnP

/// AVTransport's own faults (AVTransport:1 §2.4).
enum AVTransportFaults {
  static let transitionNotAvailable = ActionFault(701, "Transition not available")
  static let seekModeNotSupported = ActionFault(710, "Seek mode not supported")
  static let illegalSeekTarget = ActionFault(711, "Illegal seek target")

  /// The player's refusal as the fault that AVTransport has for it.
  static func fault(_ error: PlayerError) -> ActionFault {
    switch error {
    case .transitionNotAvailable, .noContents: transitionNotAvailable
    case .seekNotAvailable: seekModeNotSupported
    case .illegalSeekTarget: illegalSeekTarget
    }
  }
}
