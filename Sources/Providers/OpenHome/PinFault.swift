import PlaybackModel
import UPnP

/// Why a pin cannot be played or stored. The codes are those of OpenHome's own player.
enum PinFault: Error, Equatable {
  case indexOutOfRange
  /// The ids are not a JSON array of numbers.
  case invalidIDs
  case idNotFound
  case modeNotSupported
  case nothingToPlay
  case uriNotSupported
  case textTooLong

  init(_ error: PinError) {
    switch error {
    case .indexOutOfRange: self = .indexOutOfRange
    case .idNotFound: self = .idNotFound
    }
  }

  var actionFault: ActionFault {
    switch self {
    case .indexOutOfRange: ActionFault(801, "Pin index out of range")
    case .invalidIDs: ActionFault(801, "Pin ids invalid")
    case .idNotFound: ActionFault(802, "Pin id not found")
    case .modeNotSupported: ActionFault(803, "Pin mode not supported")
    case .nothingToPlay: ActionFault(805, "Nothing to play")
    case .uriNotSupported: ActionFault(806, "Pin uri not supported")
    case .textTooLong: ActionFault(605)
    }
  }
}
