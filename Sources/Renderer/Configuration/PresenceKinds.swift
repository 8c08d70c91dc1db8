import Companion

extension ConfigurationKind<[PresenceSettings.Person]> {
  static var people: Self {
    tables(
      "a list of tables, each with name, device or ibeacon, and perhaps rssi",
      keys: ["name", "device", "ibeacon", "rssi"],
      read: { table in
        let name = table.required("name", .text)
        let address = table.value("device", .bluetoothAddress)
        let uuid = table.value("ibeacon", .uuid)
        let threshold = table.value("rssi", .integer(-120...0))
        guard table.reasons.isEmpty, let name else { return nil }
        switch (address, uuid.flatMap { ProximityUUID($0.description) }) {
        case (let address?, nil): return .init(name: name, device: .address(address), threshold: threshold)
        case (nil, let uuid?): return .init(name: name, device: .beacon(uuid), threshold: threshold)
        case (nil, nil):
          table.refuse("device", "One of device and ibeacon is missing: it says how to recognise the person.")
        case (_?, _?): table.refuse("ibeacon", "A person has either device or ibeacon.")
        }
        return nil
      }, write: \.toml
    ).distinct
  }

  /// Names and devices are different.
  private var distinct: Self {
    Self(
      name, isList: isList,
      read: { node throws(ValueProblem) in
        let people = try read(node)
        for (index, person) in people.enumerated() {
          if people[..<index].contains(where: { $0.name == person.name }) {
            throw ValueProblem("Two people are called “\(person.name)”.")
          }
          if let other = people[..<index].first(where: { $0.device == person.device }) {
            throw ValueProblem("“\(other.name)” and “\(person.name)” have the same device.")
          }
        }
        return people
      }, write: write)
  }
}

extension PresenceSettings.Person {
  fileprivate var toml: String {
    let device =
      switch device {
      case .address(let address): "device = \(address.tomlText)"
      case .beacon(let uuid): "ibeacon = \(uuid.description.tomlText)"
      }
    let threshold = threshold.map { ", rssi = \($0)" } ?? ""
    return "{ name = \(name.tomlText), \(device)\(threshold) }"
  }
}

extension ConfigurationKind<String> {
  /// In upper case, with colons.
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

extension ConfigurationKind<PresenceAction> {
  static var presenceAction: Self {
    let action = ConfigurationKind<CompanionAction>.action
    return Self(
      "\"\(PresenceAction.resumeWord)\", " + action.name,
      read: { node throws(ValueProblem) in
        switch node.value {
        case .text(PresenceAction.resumeWord), .plain(PresenceAction.resumeWord): return .resume
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
