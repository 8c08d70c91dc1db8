/// What a person presses or turns.
package enum ButtonKey: Sendable, Hashable {
  /// A code of linux/input-event-codes.h.
  case key(UInt16)
  /// A step of a dial or a wheel: the axis and its direction.
  case step(axis: UInt16, isUp: Bool)

  /// KEY_MAX.
  package static let lastKey: UInt16 = 0x2FF

  /// Whether a binding without a key means this one. Pointers are excluded: each of their movements is many steps.
  var isForAnyKey: Bool {
    switch self {
    case .key: true
    // REL_HWHEEL, REL_DIAL and REL_WHEEL
    case .step(let axis, _): (6...8).contains(axis)
    }
  }
}

/// `KEY_PLAYPAUSE`, `BTN_0`, `164`, `REL_DIAL+`, `REL_DIAL-`.
extension ButtonKey: LosslessStringConvertible {
  package init?(_ text: String) {
    if let code = UInt16(text) {
      guard code <= Self.lastKey else { return nil }
      self = .key(code)
    } else if let code = KeyNames.key(text) {
      self = .key(code)
    } else if let sign = text.last, sign == "+" || sign == "-", let axis = KeyNames.axis(String(text.dropLast())) {
      self = .step(axis: axis, isUp: sign == "+")
    } else {
      return nil
    }
  }

  package var description: String {
    switch self {
    case .key(let code): KeyNames.name(ofKey: code)
    case .step(let axis, let isUp): (KeyNames.name(ofAxis: axis) ?? "\(axis)") + (isUp ? "+" : "-")
    }
  }

  /// For suggestions.
  package static var names: [String] { KeyNames.keys.map(\.name) }
  /// For suggestions: dials and wheels, without a direction.
  package static var axes: [String] { KeyNames.axes }
}

/// What a person does with a key.
package enum ButtonTrigger: String, Sendable, CaseIterable, Codable {
  case click, double, hold, down, up
  /// Again and again while the key is held.
  case `repeat`
}

/// A line of the configuration: what happens when a key of a device is used.
package struct ButtonBinding: Sendable, Equatable {
  package var device: DeviceName
  /// Nil for every key of the device that no other binding with the same trigger names.
  package var key: ButtonKey?
  package var trigger: ButtonTrigger
  package var action: CompanionAction

  package init(device: DeviceName, key: ButtonKey?, trigger: ButtonTrigger, action: CompanionAction) {
    self.device = device
    self.key = key
    self.trigger = trigger
    self.action = action
  }
}

/// How the configuration names a device: by its name, perhaps with a star at the end, or by its address.
package struct DeviceName: Sendable, Hashable {
  package let text: String

  package init(_ text: String) { self.text = text }

  func matches(_ device: InputIdentity) -> Bool {
    if text == device.name { return true }
    if text.hasSuffix("*"), device.name.hasPrefix(text.dropLast()) { return true }
    // An empty address matches nothing, and BlueZ writes them in both cases.
    let addresses = [device.address, device.place].filter { !$0.isEmpty }
    return addresses.contains { $0.lowercased() == text.lowercased() }
  }
}

/// Who an input device is.
package struct InputIdentity: Sendable, Hashable {
  package var name: String
  /// Of a Bluetooth device; the serial number of a USB one; often empty.
  package var address: String
  /// Where it is connected.
  package var place: String

  package init(name: String, address: String = "", place: String = "") {
    self.name = name
    self.address = address
    self.place = place
  }
}
