import Glibc

/// Finds rights that the configuration needs and the service lacks, and the shipped drop-ins that grant them.
///
/// The unit grants only the rights that the speaker always needs. A companion that needs more has a drop-in, which the
/// owner links.
enum DropIns {
  /// - Parameters:
  ///   - file: the path of the configuration; nil if there is no file.
  ///   - root: the prefix of all paths, for tests.
  /// - Returns: one sentence per problem; empty unless the service is installed and reads this file.
  static func missing(
    for configuration: Configuration, file: String?, root: String = ""
  ) -> [(key: String, sentence: String)] {
    guard let file, let unit = ServiceUnit(root: root), unit.reads(file) else { return [] }
    var missing: [(key: String, sentence: String)] = []
    if !configuration.buttons.isEmpty, !unit.mayReadInput {
      missing.append(("buttons", "The service may not read input devices. " + unit.remedy("buttons.conf")))
    }
    if BluetoothPolicy(root: root).isForGroupOnly, !unit.mayUseBluetooth {
      let sentence = "The service may not use Bluetooth. " + unit.remedy("bluetooth.conf")
      if configuration.beacon { missing.append(("beacon", sentence)) }
      if !configuration.presencePeople.isEmpty { missing.append(("presence.people", sentence)) }
      // With buttons the page offers pairing, too.
      if !configuration.buttons.isEmpty, !configuration.beacon, configuration.presencePeople.isEmpty {
        missing.append(("buttons", "The page cannot pair devices. " + sentence))
      }
    }
    switch configuration.mpris {
    case .session:
      missing.append(("mpris", "The service has no session: write \"system\" for the bus of the machine."))
    case .system where !SystemBus(root: root).hasPolicy(owning: MPRISName.service):
      missing.append(("mpris", MPRISName.missingPolicy))
    case .system, .off: break
    }
    return missing
  }
}

private enum MPRISName {
  static let service = "org.mpris.MediaPlayer2.swiftlet"
  static let missingPolicy =
    "The system bus does not allow the name \(service): its policy file is missing. Install the package again, or run "
    + "“make install” in the source, and then: sudo systemctl reload dbus"
}

/// The policies of the system bus.
private struct SystemBus {
  static let folders = ["/etc/dbus-1/system.d", "/usr/share/dbus-1/system.d"]

  /// The prefix of all paths, for tests.
  let root: String

  /// Whether the policy of the system bus allows anybody to own the name.
  func hasPolicy(owning name: String) -> Bool {
    let paths = Self.folders.flatMap { folder in
      ServiceUnit.files(in: root + folder).filter { $0.hasSuffix(".conf") }.map { "\(root)\(folder)/\($0)" }
    }
    return paths.contains { ServiceUnit.text($0)?.firstRange(of: "own=\"\(name)\"") != nil }
  }
}

/// The policy of the system bus for BlueZ.
private struct BluetoothPolicy {
  /// Whether only members of the group `bluetooth` may call it. Debian lets everybody.
  let isForGroupOnly: Bool

  /// - Parameter root: the prefix of all paths, for tests.
  init(root: String) {
    let texts = SystemBus.folders.compactMap { ServiceUnit.text("\(root)\($0)/bluetooth.conf") }
    let policies = texts.flatMap { $0.split(separator: "<policy").dropFirst() }
    func allows(_ policy: Substring) -> Bool { policy.firstRange(of: "<allow send_destination=\"org.bluez\"") != nil }
    func head(_ policy: Substring) -> Substring { policy.prefix { $0 != ">" } }
    let isForGroup = policies.contains { head($0).firstRange(of: "group=\"bluetooth\"") != nil && allows($0) }
    let isForAll = policies.contains { head($0).firstRange(of: "context=\"default\"") != nil && allows($0) }
    isForGroupOnly = isForGroup && !isForAll
  }
}

extension ServiceUnit {
  fileprivate var mayUseBluetooth: Bool { isRoot || isMember(of: "bluetooth") }

  private var isRoot: Bool {
    let isDynamic = ["yes", "true", "on", "1"].contains(values["DynamicUser"]?.last ?? "no")
    return (values["User"]?.last ?? (isDynamic ? "" : "root")) == "root"
  }

  private func isMember(of group: String) -> Bool {
    words("SupplementaryGroups").contains(group) || values["Group"]?.last == group
  }

  fileprivate var mayReadInput: Bool {
    let policy = values["DevicePolicy"]?.last ?? "auto"
    let devices = values["DeviceAllow"] ?? []
    let isRestricted = policy != "auto" || !devices.isEmpty
    let isAllowed = devices.contains {
      $0.hasPrefix("char-input") || $0.hasPrefix("char-*") || $0.hasPrefix("/dev/input")
    }
    let isHidden = ["yes", "true", "on", "1"].contains(values["PrivateDevices"]?.last ?? "no")
    return !isHidden && (isRoot || isMember(of: "input")) && (!isRestricted || isAllowed)
  }

  /// A sentence with the command that links a drop-in.
  fileprivate func remedy(_ name: String) -> String {
    let program = words("ExecStart").first ?? "/usr/bin/swiftlet"
    let prefix = program.hasSuffix("/bin/swiftlet") ? program.dropLast("/bin/swiftlet".count) : "/usr"
    let folder = "/etc/systemd/system/swiftlet.service.d"
    return
      "Link the drop-in: sudo mkdir -p \(folder) && sudo ln -s \(prefix)/share/swiftlet/drop-ins/\(name) \(folder)/ "
      + "&& sudo systemctl daemon-reload && sudo systemctl restart swiftlet"
  }
}
