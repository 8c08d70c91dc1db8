/// The state of a pairing window. It has no addresses, because everybody on the network can read it.
package struct PairingReport: Sendable, Equatable, Codable {
  package enum State: String, Sendable, Codable {
    /// BlueZ has been asked to open for pairing.
    case opening
    /// Discovery runs, and devices may pair.
    case open
    /// Pairing with the device that somebody has chosen.
    case pairing
    case paired
    /// Nobody has paired anything in time, or it was closed.
    case closed
    case failed

    /// Whether the window is open or opening.
    var isActive: Bool { self == .opening || self == .open || self == .pairing }
  }

  package struct Device: Sendable, Equatable, Codable {
    /// The number for `PairingDesk.choose`.
    package var number: Int
    package var name: String
    /// The kind of device, such as “phone”.
    package var kind: String

    package init(number: Int, name: String, kind: String) {
      self.number = number
      self.name = name
      self.kind = kind
    }
  }

  package struct Question: Sendable, Equatable, Codable {
    package enum Kind: String, Sendable, Codable {
      /// Does the device show the number? `PairingDesk.answer` answers.
      case confirm
      /// May the device be paired? `PairingDesk.answer` answers.
      case authorize
      /// Type the number on the device. Needs no answer.
      case type
    }

    package var kind: Kind
    package var device: String
    package var number: String?

    package init(kind: Kind, device: String, number: String?) {
      self.kind = kind
      self.device = device
      self.number = number
    }
  }

  package var state: State
  package var devices: [Device]
  package var question: Question?
  /// The paired device's name.
  package var paired: String?
  /// Why it failed, in a sentence.
  package var problem: String?

  package init(
    state: State, devices: [Device] = [], question: Question? = nil, paired: String? = nil, problem: String? = nil
  ) {
    self.state = state
    self.devices = devices
    self.question = question
    self.paired = paired
    self.problem = problem
  }
}
