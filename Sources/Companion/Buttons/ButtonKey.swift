/// A key, or one step of a dial in one direction.
package enum ButtonKey: Sendable, Hashable {
  /// A key code of linux/input-event-codes.h.
  case key(UInt16)
  /// A step of a dial or a wheel: the axis and its direction.
  case step(axis: UInt16, isUp: Bool)

  /// The highest key code, KEY_MAX.
  package static let lastKey: UInt16 = 0x2FF

  /// Whether a binding without a key matches this one. Pointers are excluded: each of their movements is many steps.
  var isForAnyKey: Bool {
    switch self {
    case .key: true
    // REL_HWHEEL, REL_DIAL and REL_WHEEL
    case .step(let axis, _): (6...8).contains(axis)
    }
  }
}

/// Keys by their codes, then steps by their axes.
extension ButtonKey: Comparable {
  package static func < (first: Self, second: Self) -> Bool { first.order < second.order }

  private var order: (UInt8, UInt16, UInt8) {
    switch self {
    case .key(let code): (0, code, 0)
    case .step(let axis, let isUp): (1, axis, isUp ? 1 : 0)
    }
  }
}

/// The notation of keys: `KEY_PLAYPAUSE`, `BTN_0`, `164`, `REL_DIAL+`, `REL_DIAL-`.
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

  /// The names of all keys, for spelling suggestions.
  package static var names: [String] { KeyNames.keys.map(\.name) }
  /// The names of all axes without a direction, for spelling suggestions.
  package static var axes: [String] { KeyNames.axes }
}

/// A gesture on a key.
package enum ButtonTrigger: String, Sendable, CaseIterable, Codable {
  case click, double, hold, down, up
  /// Fires repeatedly while the key is held.
  case `repeat`
}

/// One binding of the configuration: the action for a trigger of a key.
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

/// A device as the configuration names it: by its name, which may end with a star, or by its address.
package struct DeviceName: Sendable, Hashable {
  package let text: String

  package init(_ text: String) { self.text = text }

  func matches(_ device: InputIdentity) -> Bool {
    if text == device.name { return true }
    if text.hasSuffix("*"), device.name.hasPrefix(text.dropLast()) { return true }
    // An empty address matches nothing. BlueZ writes addresses in both cases.
    let addresses = [device.address, device.place].filter { !$0.isEmpty }
    return addresses.contains { $0.lowercased() == text.lowercased() }
  }
}

/// Identifies an input device.
package struct InputIdentity: Sendable, Hashable {
  package var name: String
  /// The address of a Bluetooth device, or the serial number of a USB device; often empty.
  package var address: String
  /// The port or adapter that it is connected to, as the kernel names it; often empty.
  package var place: String

  package init(name: String, address: String = "", place: String = "") {
    self.name = name
    self.address = address
    self.place = place
  }
}
