import Companion
import SpeakerCore

extension ConfigurationKind<[PresenceSettings.Person]> {
  static var people: Self {
    tables(
      "a list of tables, each with name, device or ibeacon, and perhaps major, minor and rssi",
      keys: ["name", "device", "ibeacon", "major", "minor", "rssi"],
      read: { table in
        let name = table.required("name", .text)
        let address = table.value("device", .bluetoothAddress)
        let uuid = table.value("ibeacon", .uuid)
        let major = table.value("major", .integer(0...65535))
        let minor = table.value("minor", .integer(0...65535))
        let threshold = table.value("rssi", .presenceThreshold)
        guard table.reasons.isEmpty, let name else { return nil }
        if major != nil, uuid == nil { table.refuse("major", "Only an ibeacon has it.") }
        if minor != nil, major == nil { table.refuse("minor", "It needs major.") }
        guard table.reasons.isEmpty else { return nil }
        switch (address, uuid.flatMap { ProximityUUID($0.description) }) {
        case (let address?, nil): return .init(name: name, device: .address(address), threshold: threshold)
        case (nil, let uuid?):
          let region = BeaconRegion(
            uuid: uuid, major: major.map(UInt16.init(clamping:)), minor: minor.map(UInt16.init(clamping:)))
          return .init(name: name, device: .beacon(region), threshold: threshold)
        case (nil, nil):
          table.refuse("device", "Set device or ibeacon, so that Swiftlet can recognise the person.")
        case (_?, _?): table.refuse("ibeacon", "A person can have only one of device and ibeacon.")
        }
        return nil
      },
      conflict: { person, others in
        if others.contains(where: { $0.name == person.name }) {
          return ("name", "Two people are called “\(person.name)”.")
        }
        guard let other = others.first(where: { $0.device == person.device }) else { return nil }
        let key = if case .address = person.device { "device" } else { "ibeacon" }
        return (key, "“\(other.name)” and “\(person.name)” have the same device.")
      }, write: \.toml)
  }
}

extension PresenceSettings.Person {
  fileprivate var toml: String {
    let device =
      switch device {
      case .address(let address): "device = \(address.tomlText)"
      case .beacon(let region):
        "ibeacon = \(region.uuid.description.tomlText)" + (region.major.map { ", major = \($0)" } ?? "")
          + (region.minor.map { ", minor = \($0)" } ?? "")
      }
    let threshold = threshold.map { ", rssi = \($0)" } ?? ""
    return "{ name = \(name.tomlText), \(device)\(threshold) }"
  }
}

extension ConfigurationKind<String> {
  /// A Bluetooth address, converted to upper case with colons.
  fileprivate static var bluetoothAddress: Self {
    Self(
      "a Bluetooth address such as 00:00:5E:00:53:01",
      reading: { value in
        guard case .text(let text) = value else { return nil }
        let groups = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "-" }
        guard groups.count == 6, groups.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }) else {
          return nil
        }
        return groups.map { $0.uppercased() }.joined(separator: ":")
      }, write: { $0.tomlText })
  }
}

extension ConfigurationKind<Int> {
  /// A threshold in dBm. Radios report at most about -20, so a higher threshold would find nobody.
  static var presenceThreshold: Self { .integer(-120 ... -20) }
}

extension ConfigurationKind<PresenceAction> {
  static var presenceAction: Self {
    let action = ConfigurationKind<CompanionAction>.action
    return Self(
      "\"\(PresenceAction.resumeWord)\", " + action.name,
      read: { node throws(ValueProblem) in
        switch node.value {
        case .text(PresenceAction.resumeWord), .plain(PresenceAction.resumeWord): return .resume
        case .text(let text) where text.isResumeMistyped, .plain(let text) where text.isResumeMistyped:
          throw ValueProblem("“\(text)” is not a command; did you mean \(PresenceAction.resumeWord)?")
        default: return .action(try action.read(node))
        }
      },
      write: { value in
        switch value {
        case .resume: PresenceAction.resumeWord.tomlText
        case .action(let value): action.write(value)
        }
      })
  }
}

extension String {
  /// Whether the text is probably a misspelt `resume`.
  fileprivate var isResumeMistyped: Bool {
    let word = PresenceAction.resumeWord
    return SpeakerCommand(self) == nil && lowercased().nearest(of: SpeakerCommand.verbs + [word]) == word
  }
}
