/// A device that could be paired.
package struct PairingDevice: Sendable, Equatable {
  /// Counted from 1 in the order in which devices were found.
  package let number: Int
  /// Its object path.
  let path: String
  var address: String?
  /// Nil if it has not said one yet.
  package var name: String?
  /// The name of an icon, such as `input-keyboard`, as BlueZ derives it from the device's class.
  var icon: String?
  var isPaired = false

  /// For people.
  package var title: String { name ?? "unnamed \(kind)" }

  /// In a word or two.
  package var kind: String {
    switch icon {
    case "input-keyboard": "keyboard or remote control"
    case "input-mouse", "input-tablet", "input-gaming": "input device"
    case "phone": "phone"
    case "computer": "computer"
    case let icon? where icon.hasPrefix("audio"): "sound device"
    default: "device"
    }
  }

  /// Devices without a name are listed only if they are for input: every home is full of nameless others.
  var isListed: Bool { !isPaired && (name != nil || icon?.hasPrefix("input-") == true) }

  /// Whether a person means it by its number, name or address.
  func matches(_ text: String) -> Bool {
    Int(text) == number || name?.lowercased() == text.lowercased() || address?.lowercased() == text.lowercased()
  }
}

/// What the window asks or tells a person about a device.
package enum PairingQuestion: Sendable, Equatable {
  /// Does the device show this number?
  case confirm(passkey: String)
  /// The device asks to be paired, without a number.
  case authorize
  /// To be typed on the device. Needs no answer.
  case type(passkey: String)

  package var needsAnswer: Bool { if case .type = self { false } else { true } }
}
