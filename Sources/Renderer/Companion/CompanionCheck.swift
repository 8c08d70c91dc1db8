import Companion
import SpeakerCore

/// Finds values of beacon, presence and buttons that are valid but cannot work. The speaker runs nevertheless.
extension ConfigurationReading {
  var companionProblems: [ConfigurationProblem] { beaconProblems + presenceProblems + buttonProblems }

  private var beaconProblems: [ConfigurationProblem] {
    let key = ConfigurationKeys.shared.beaconPower.name
    guard !configuration.beacon, origins[key] != nil else { return [] }
    return [problem(with: key, "It has no effect without beacon = true.")]
  }

  // MARK: Presence

  private var presenceProblems: [ConfigurationProblem] {
    let keys = ConfigurationKeys.shared
    let people = keys.presencePeople.name
    guard !configuration.presencePeople.isEmpty else {
      return ConfigurationKeys.all.map(\.name).filter { name in
        name.hasPrefix("presence.") && name != people && origins[name] != nil
      }.map { problem(with: $0, "It has no effect without \(people).") }
    }
    var problems: [ConfigurationProblem] = []
    for (index, person) in configuration.presencePeople.enumerated() {
      if person.name.contains(where: { $0 == "," || $0.isNewline }) {
        let sentence =
          "“\(person.name.asOneLine)” has a comma or a line break, which separate names in SWIFTLET_PRESENCE."
        problems.append(problem(with: people, member: (index, "name"), sentence))
      }
      if case .address(let address) = person.device, ["00:00:00:00:00:00", "FF:FF:FF:FF:FF:FF"].contains(address) {
        problems.append(problem(with: people, member: (index, "device"), "No device has the address \(address)."))
      }
    }
    if configuration.presenceOnReturn == .resume, configuration.presenceOnLeave != .command(.pause) {
      let sentence = "“resume” plays only what presence has paused: set \(keys.presenceOnLeave.name) = \"pause\"."
      problems.append(problem(with: keys.presenceOnReturn.name, sentence))
    }
    var actions: [(String, CompanionAction?)] = [(keys.presenceOnLeave.name, configuration.presenceOnLeave)]
    if case .action(let action)? = configuration.presenceOnReturn {
      actions.append((keys.presenceOnReturn.name, action))
    }
    return problems
      + actions.compactMap { key, action in
        action.flatMap { configuration.problem(with: $0) }.map { problem(with: key, $0) }
      }
  }

  // MARK: Buttons

  private var buttonProblems: [ConfigurationProblem] {
    let bindings = configuration.buttons
    return bindings.enumerated().flatMap { index, binding in
      var problems: [ConfigurationProblem] = []
      if let sentence = binding.device.text.problemAsDevice {
        problems.append(problem(with: "buttons", member: (index, "device"), sentence))
      }
      if let sentence = configuration.problem(with: binding.action) {
        problems.append(problem(with: "buttons", member: (index, "action"), sentence))
      }
      if bindings[..<index].contains(binding) {
        let sentence = "The same binding exists already: the action would be performed twice."
        problems.append(problem(with: "buttons", member: (index, "action"), sentence))
      }
      return problems
    }
  }
}

extension Configuration {
  /// Why an action has no effect with this configuration; nil if it may have one.
  fileprivate func problem(with action: CompanionAction) -> String? {
    guard case .command(let command) = action else { return nil }
    switch command {
    case .setVolume, .changeVolume:
      if self.fixedVolume { return "“\(command)” has no effect with fixed_volume = true." }
      if case .setVolume(let step, _) = command, step > self.maximumVolume {
        return "“\(command)” is more than max_volume, which is \(self.maximumVolume)."
      }
      return command == .changeVolume(by: 0) ? "“\(command)” changes nothing." : nil
    case .skip(by: .zero): return "“\(command)” changes nothing."
    default: return nil
    }
  }
}

extension String {
  fileprivate var asOneLine: String { String(map { $0.isNewline ? " " : $0 }) }

  /// Why no device of a button can match this text; nil if one may.
  fileprivate var problemAsDevice: String? {
    if hasPrefix("/dev/") {
      return "Write the name or address of the device instead of its file; `swiftlet buttons` prints them."
    }
    let groups = split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "-" }
    guard groups.count > 2, groups.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }) else { return nil }
    if groups.count == 6, !utf8.contains(UInt8(ascii: "-")) { return nil }
    return "“\(self)” is not a Bluetooth address such as 00:00:5E:00:53:01, with six groups and colons."
  }
}
