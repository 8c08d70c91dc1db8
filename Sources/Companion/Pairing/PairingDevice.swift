/// A device that could be paired.
package struct PairingDevice: Sendable, Equatable {
  /// Counted from 1 in the order in which devices were found.
  package let number: Int
  /// The object path of the device.
  let path: String
  var address: String?
  /// Nil until the device has sent its name.
  package var name: String?
  /// The name of an icon, such as `input-keyboard`, as BlueZ derives it from the device's class.
  var icon: String?
  var isPaired = false

  /// The name; `unnamed` and the kind if there is none.
  package var title: String { name ?? "unnamed \(kind)" }

  /// The kind of device, in a few words.
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

  /// Whether to offer the device. Of the many unnamed devices in a home, only input devices are listed.
  var isListed: Bool { !isPaired && (name != nil || icon?.hasPrefix("input-") == true) }

  /// Whether the text is the device's number, name or address.
  func matches(_ text: String) -> Bool {
    Int(text) == number || name?.lowercased() == text.lowercased() || address?.lowercased() == text.lowercased()
  }
}

/// A question or an instruction about a device, for a person.
package enum PairingQuestion: Sendable, Equatable {
  /// Does the device show this number?
  case confirm(passkey: String)
  /// The device asks to be paired, without a number.
  case authorize
  /// Type this number on the device. Needs no answer.
  case type(passkey: String)

  package var needsAnswer: Bool { if case .type = self { false } else { true } }
}
