import DeviceStack
import Playback

/// AVTransport's own faults (AVTransport:1 §2.4).
enum AVTransportFaults {
  static let transitionNotAvailable = ActionFault(701, "Transition not available")
  static let noContents = ActionFault(702, "No contents")
  static let seekModeNotSupported = ActionFault(710, "Seek mode not supported")
  static let illegalSeekTarget = ActionFault(711, "Illegal seek target")

  /// Does a command of the player's, its refusal as the fault that AVTransport has for it.
  static func translating(_ command: () throws(PlayerError) -> Void) throws(ActionFault) {
    do throws(PlayerError) {
      try command()
    } catch {
      switch error {
      case .transitionNotAvailable: throw transitionNotAvailable
      case .noContents: throw noContents
      case .seekNotAvailable: throw seekModeNotSupported
      case .illegalSeekTarget: throw illegalSeekTarget
      }
    }
  }
}
