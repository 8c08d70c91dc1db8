import Glibc

/// Rights that the service lacks for what the configuration asks for, and the shipped drop-in that grants them.
///
/// The unit is as tight as the speaker allows. Companions that need more have a drop-in each, which the owner links.
enum DropIns {
  /// - Parameters:
  ///   - file: the configuration's path; nil without one.
  ///   - root: before all paths, for tests.
  /// - Returns: nothing unless the service is installed and reads this file.
  static func missing(
    for configuration: Configuration, file: String?, root: String = ""
  ) -> [(key: String, sentence: String)] {
    guard let file, let unit = ServiceUnit(root: root), unit.reads(file) else { return [] }
    var missing: [(key: String, sentence: String)] = []
    if !configuration.buttons.isEmpty, !unit.mayReadInput {
      missing.append(("buttons", "The service may not read input devices. " + unit.remedy("buttons.conf")))
    }
    return missing
  }
}

extension ServiceUnit {
  fileprivate var mayReadInput: Bool {
    let policy = values["DevicePolicy"]?.last ?? "auto"
    let devices = values["DeviceAllow"] ?? []
    let isRestricted = policy != "auto" || !devices.isEmpty
    let isAllowed = devices.contains {
      $0.hasPrefix("char-input") || $0.hasPrefix("char-*") || $0.hasPrefix("/dev/input")
    }
    let isDynamic = ["yes", "true", "on", "1"].contains(values["DynamicUser"]?.last ?? "no")
    let user = values["User"]?.last ?? (isDynamic ? "" : "root")
    let isMember = user == "root" || words("SupplementaryGroups").contains("input") || values["Group"]?.last == "input"
    let isHidden = ["yes", "true", "on", "1"].contains(values["PrivateDevices"]?.last ?? "no")
    return !isHidden && isMember && (!isRestricted || isAllowed)
  }

  /// How to use a drop-in.
  fileprivate func remedy(_ name: String) -> String {
    let program = words("ExecStart").first ?? "/usr/bin/swiftlet"
    let prefix = program.hasSuffix("/bin/swiftlet") ? program.dropLast("/bin/swiftlet".count) : "/usr"
    let folder = "/etc/systemd/system/swiftlet.service.d"
    return
      "Link the drop-in: sudo mkdir -p \(folder) && sudo ln -s \(prefix)/share/swiftlet/drop-ins/\(name) \(folder)/ "
      + "&& sudo systemctl daemon-reload && sudo systemctl restart swiftlet"
  }
}
