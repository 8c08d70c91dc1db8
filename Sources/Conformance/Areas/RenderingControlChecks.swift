import ControlPoint
import UPnP

/// RenderingControl: volume, mute and presets.
enum RenderingControlChecks {
  private static let service = "RenderingControl"
  private static let actions = "RenderingControl:1 §2.4"
  private static let getVolume = Prerequisite.action(service, "GetVolume")
  private static let setVolume = Prerequisite.action(service, "SetVolume")
  private static let setMute = Prerequisite.action(service, "SetMute")

  static let all: [Check] = [
    Check(
      "rcs/2.2/volume-range", .renderingControl, .practice,
      "Volume has a range that begins with 0, and its value is in the range.",
      source: "RenderingControl:1 §2.2; Home Assistant's dlna_dmr divides by the maximum", needs: [getVolume],
      steps:
        "Reads the range of Volume in the SCPD and calls GetVolume. Passes if the range begins with 0 and has the value."
    ) { context async throws(Finding) in
      let range = try context.declaredVolumes()
      try context.expect(range.lowerBound == 0, "the minimum 0", got: "\(range.lowerBound)")
      let volume = try await context.read(.volume)
      try context.expect(
        Int(device: volume).map { range.contains($0) } ?? false,
        "a volume from \(range.lowerBound) to \(range.upperBound)",
        got: "\"\(volume)\"")
    },
    Check(
      "rcs/2.4/volume", .renderingControl, .practice, "GetVolume returns what SetVolume has set.", source: actions,
      needs: [getVolume, setVolume], changes: [.volume],
      steps:
        "Sets the volume to 0 %, 5 % and 10 % of the range. Passes if GetVolume returns each of them within a second."
    ) { context async throws(Finding) in
      for volume in try await context.sampledVolumes(3) {
        try await context.write(.volume, "\(volume)")
        try await context.expect(.volume, among: ["\(volume)"], "the volume \(volume)")
      }
    },
    Check(
      "rcs/2.4/volume-out-of-range", .renderingControl, .practice,
      "A volume above the maximum is refused with 402, 600 or 601, and changes nothing.",
      source: "the table of error codes in UDA 1.0 §3.2.2", needs: [getVolume, setVolume, setMute],
      changes: [.volume, .mute],
      steps:
        "Mutes the device and sets a volume one above the maximum. Passes if that is refused with one of these errors and GetVolume returns what it did before."
    ) { context async throws(Finding) in
      // Muted first: a device that clamps would play at full volume.
      try await context.write(.mute, "1")
      let before = try await context.read(.volume)
      let volume = try await context.volumes().upperBound + 1
      let answer = try await context.answer(
        service, "SetVolume", [("InstanceID", "0"), ("Channel", "Master"), ("DesiredVolume", "\(volume)")])
      let after = try await context.read(.volume)
      if after != before { try await context.write(.volume, before) }
      try context.expectFault([402, 600, 601], answer, to: "the volume \(volume)")
      try context.expect(after == before, "the volume \(before) as before", got: after)
    },
    Check(
      "rcs/2.4/mute", .renderingControl, .practice, "GetMute returns what SetMute has set.", source: actions,
      needs: [setMute], changes: [.mute],
      steps:
        "Sets mute to 1 and to 0. Passes if GetMute returns each of them within a second, in any spelling of a boolean."
    ) { context async throws(Finding) in
      for (value, accepted) in [("1", ["1", "true", "yes"]), ("0", ["0", "false", "no"])] {
        try await context.write(.mute, value)
        try await context.expect(.mute, among: accepted, "the mute \(value)")
      }
    },
    Check(
      "rcs/2.4/mute-words", .renderingControl, .practice, "SetMute takes true and false, too.",
      source: "the data type boolean in UDA 1.0 §2.3", needs: [setMute], changes: [.mute],
      steps: "Sets mute to true and to false. Passes if both calls succeed."
    ) { context async throws(Finding) in
      for value in ["true", "false"] { try await context.write(.mute, value) }
    },
    Check(
      "rcs/2.4/mute-keeps-volume", .renderingControl, .practice, "Mute leaves the volume as it is.", source: actions,
      needs: [getVolume, setMute], changes: [.volume, .mute],
      steps: "Reads the volume, mutes the device and reads the volume again. Passes if it is the same."
    ) { context async throws(Finding) in
      let before = try await context.read(.volume)
      try await context.write(.mute, "1")
      let after = try await context.read(.volume)
      try context.expect(after == before, "the volume \(before)", got: after)
    },
    Check(
      "rcs/2.4/zero-keeps-mute", .renderingControl, .practice, "The volume 0 does not mute.",
      source: "\(actions); a slider that is dragged to 0 and back leaves such a device silent",
      needs: [getVolume, setVolume, setMute], changes: [.volume, .mute],
      steps: "Ends mute and sets the lowest volume. Passes if GetMute still returns false."
    ) { context async throws(Finding) in
      let lowest = try await context.volumes().lowerBound
      try await context.write(.mute, "0")
      try await context.expect(.mute, among: ["0", "false", "no"], "the mute 0")
      try await context.write(.volume, "\(lowest)")
      try await context.expect(.volume, among: ["\(lowest)"], "the volume \(lowest)")
      let mute = try await context.read(.mute)
      try context.expect(["0", "false", "no"].contains(mute), "the mute 0 at the volume \(lowest)", got: "\"\(mute)\"")
    },
    Check(
      "rcs/2.4/presets", .renderingControl, .practice, "ListPresets names the preset FactoryDefaults.",
      source: "RenderingControl:1 §2.2", needs: [.action(service, "ListPresets")],
      steps: "Calls ListPresets. Passes if the list has FactoryDefaults."
    ) { context async throws(Finding) in
      let list = try await context.output("CurrentPresetNameList", of: "ListPresets", service)
      try context.expect(
        list.split(separator: ",").contains("FactoryDefaults"), "FactoryDefaults in the list", got: "\"\(list)\"")
    },
    Check(
      "rcs/2.4/unknown-preset", .renderingControl, .must, "An unknown preset is refused with 402, 600, 601 or 701.",
      source: "the table of error codes in RenderingControl:1 §2.4", needs: [.action(service, "SelectPreset")],
      steps: "Calls SelectPreset with the name NoSuchPreset. Passes with one of these errors."
    ) { context async throws(Finding) in
      let answer = try await context.answer(
        service, "SelectPreset", [("InstanceID", "0"), ("PresetName", "NoSuchPreset")])
      try context.expectFault([402, 600, 601, 701], answer, to: "the preset NoSuchPreset")
    },
    Check(
      "rcs/2.4/volume-db", .renderingControl, .practice, "VolumeDB is within the range of GetVolumeDBRange.",
      source: actions, needs: [.action(service, "GetVolumeDB"), .action(service, "GetVolumeDBRange")],
      steps: "Calls GetVolumeDBRange and GetVolumeDB. Passes if the value is in the range."
    ) { context async throws(Finding) in
      let arguments = [(name: "InstanceID", value: "0"), (name: "Channel", value: "Master")]
      let range = try await context.call(service, "GetVolumeDBRange", arguments)
      let value = try await context.call(service, "GetVolumeDB", arguments)["CurrentVolume"] ?? ""
      guard let minimum = range["MinValue"].flatMap({ Int(device: $0) }),
        let maximum = range["MaxValue"].flatMap({ Int(device: $0) }),
        minimum < maximum
      else { throw .failure(expected: "MinValue below MaxValue", got: "\(range["MinValue"] ?? "none")") }
      try context.expect(
        Int(device: value).map { (minimum...maximum).contains($0) } ?? false, "a value from \(minimum) to \(maximum)",
        got: "\"\(value)\"")
    },
    Check(
      "rcs/2.3/last-change", .renderingControl, .practice,
      "LastChange is an <Event> in urn:schemas-upnp-org:metadata-1-0/RCS/ with an <InstanceID>.",
      source: "RenderingControl:1 §2.3; hzeller/gmrender-resurrect#42", needs: [.eventsOf(service)],
      steps:
        "Subscribes and reads LastChange in the first event. Passes if it has this form and only variables that the SCPD declares."
    ) { context async throws(Finding) in
      try await LastChange.check(
        context, try context.service(service), namespace: "urn:schemas-upnp-org:metadata-1-0/RCS/")
    },
    Check(
      "rcs/2.3/channel", .renderingControl, .practice, "Volume and Mute in LastChange have channel=\"Master\".",
      source: "hzeller/gmrender-resurrect#42", needs: [.eventsOf(service), getVolume],
      steps: "Subscribes and reads the first event. Passes if Volume is there, and Volume and Mute have this attribute."
    ) { context async throws(Finding) in
      let variables = try await context.withSubscription(to: context.service(service)) { subscription throws(Finding) in
        try context.variables(try await context.initialEvent(subscription))
      }
      for name in ["Volume", "Mute"] {
        let found = variables.filter { $0.name == name }
        try context.expect(
          found.isEmpty || found.contains { $0.channel == "Master" }, "\(name) with channel=\"Master\"",
          got: found.first?.channel ?? "none")
      }
      try context.expect(variables.contains { $0.name == "Volume" }, "Volume in the initial event", got: "none")
    },
    Check(
      "rcs/2.3/volume-event", .renderingControl, .practice, "A change of the volume is evented.",
      source: "Home Assistant's dlna_dmr does not poll while it is subscribed", needs: [.eventsOf(service), setVolume],
      changes: [.volume],
      steps:
        "Subscribes and sets another volume, at most 10 % of the range. Passes if an event with the new volume arrives within 5 seconds."
    ) { context async throws(Finding) in
      let highest = try await context.quietVolumes(steps: 1).upperBound
      let current = Int(device: try await context.read(.volume)) ?? 0
      let volume = "\(current == highest ? highest - 1 : highest)"
      try await context.withSubscription(to: context.service(service)) { subscription throws(Finding) in
        _ = try await context.initialEvent(subscription)
        try await context.write(.volume, volume)
        let seen = await subscription.wait(context.times.event) { events in
          let values = events.dropFirst().flatMap { (try? EventReader.read($0.body).variables) ?? [] }
          return values.contains { $0.name == "Volume" && $0.value == volume } ? true : nil
        }
        try context.expect(seen == true, "an event with the volume \(volume)", got: "none")
      }
    },
    Check(
      "rcs/2.3/mute-event", .renderingControl, .practice, "A change of mute is evented.",
      source: "Home Assistant's dlna_dmr does not poll while it is subscribed", needs: [.eventsOf(service), setMute],
      changes: [.mute],
      steps: "Subscribes and mutes the device. Passes if an event with Mute 1 arrives within 5 seconds."
    ) { context async throws(Finding) in
      try await LastChange.check(context, service, "Mute", changing: .mute, from: "0", to: "1", or: ["true", "yes"])
    },
    Check(
      "uda/4.3/seq-rises", .eventing, .must, "The SEQ of each event is one more than that of the event before.",
      source: "UDA 1.0 §4.1", needs: [.eventsOf(service), setVolume], changes: [.volume],
      steps:
        "Subscribes and sets the volume five times, to at most 10 % of its range. Passes if the events have SEQ 0, 1, 2 and so on."
    ) { context async throws(Finding) in
      let highest = try await context.quietVolumes(steps: 1).upperBound
      try await context.withSubscription(to: context.service(service)) { subscription throws(Finding) in
        _ = try await context.initialEvent(subscription)
        let offset = try await context.read(.volume) == "\(highest)" ? 1 : 0
        for index in 0..<5 {
          try await context.write(.volume, "\(highest - (index + offset) % 2)")
          let isEvented = await subscription.wait(context.times.event) { $0.count >= index + 2 ? true : nil }
          if isEvented == nil { break }
        }
        let numbers = await subscription.wait(.zero) { events in events.map { $0.header("seq") } } ?? []
        guard numbers.count > 1 else { throw .inconclusive("the device sent no event after the initial one") }
        try context.expect(
          numbers == (0..<numbers.count).map(String.init), "SEQ 0, 1, 2 …", got: numbers.joined(separator: ", "))
      }
    },
  ]
}

/// The form of LastChange.
enum LastChange {
  /// Checks that a change is evented with the new value.
  /// - Parameter others: other spellings of the new value.
  static func check(
    _ context: CheckContext, _ service: String, _ variable: String, changing setting: Setting, from old: String,
    to new: String, or others: [String] = []
  ) async throws(Finding) {
    let accepted = [new] + others
    do throws(Finding) {
      try await context.write(setting, old)
    } catch {
      throw .inconclusive("the device does not set \(variable) to \"\(old)\"")
    }
    try await context.withSubscription(to: context.service(service)) { subscription throws(Finding) in
      _ = try await context.initialEvent(subscription)
      try await context.write(setting, new)
      let seen = await subscription.wait(context.times.event) { events in
        let variables = events.dropFirst().flatMap { (try? EventReader.read($0.body).variables) ?? [] }
        let values = variables.filter { $0.name == variable }.map(\.value)
        return values.contains(where: { accepted.contains($0) }) ? values : nil
      }
      let last = await subscription.folded(after: 1)[variable]
      try context.expect(
        seen != nil, "an event with \(variable) \(new)",
        got: last.map { "\"\($0)\" in the last event that has it" } ?? "none within \(context.times.event)")
    }
  }

  /// Checks the initial event of a service.
  static func check(
    _ context: CheckContext, _ service: Target.Service, namespace: String
  ) async throws(Finding) {
    let event = try await context.withSubscription(to: service) { subscription throws(Finding) in
      try await context.initialEvent(subscription)
    }
    let root = try context.lastChange(event)
    try context.expect(
      root.name == "Event" && root.namespace == namespace, "<Event xmlns=\"\(namespace)\">",
      got: "<\(root.name) xmlns=\"\(root.namespace)\">")
    try context.expect(
      root.children.first?.name == "InstanceID" && root.children.first?.attributes["val"] == "0",
      "<InstanceID val=\"0\">", got: root.children.first.map { "<\($0.name)>" } ?? "nothing")
    let declared = service.scpd?.variables.map(\.name) ?? []
    let others = root.children.flatMap(\.children).map(\.name).filter { !declared.contains($0) }
    try context.expectNone(others, "variables that the SCPD declares")
  }
}
