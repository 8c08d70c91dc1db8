import ControlPoint
import UPnP

/// Volumes up to the cap, their decibels, and channels.
enum RenderingVolumeChecks {
  private static let service = "RenderingControl"
  private static let getVolume = Prerequisite.action(service, "GetVolume")
  private static let setVolume = Prerequisite.action(service, "SetVolume")
  private static let getVolumeDB = Prerequisite.action(service, "GetVolumeDB")
  private static let range = Prerequisite.action(service, "GetVolumeDBRange")
  /// A device may have thousands of volumes.
  private static let mostVolumes = 25
  private static let channel = [(name: "InstanceID", value: "0"), (name: "Channel", value: "Master")]

  private static func decibels(_ context: CheckContext) async throws(Finding) -> Int {
    let text = try await context.call(service, "GetVolumeDB", channel)["CurrentVolume"] ?? ""
    guard let value = Int(device: text) else { throw .failure(expected: "a number as VolumeDB", got: "\"\(text)\"") }
    return value
  }

  static let all: [Check] = [
    Check(
      "rcs/2.4/every-volume", .renderingControl, .practice, "Every volume can be set, not only some of them.",
      source: "Home Assistant's dlna_dmr and BubbleUPnP move the volume by single steps",
      needs: [getVolume, setVolume],
      changes: [.volume],
      steps:
        "Sets each volume up to 10 % of the range, at most 25 of them, and reads it. Passes if it reads the same values."
    ) { context async throws(Finding) in
      for volume in try await context.sampledVolumes(mostVolumes) {
        try await context.write(.volume, "\(volume)")
        let value = try await context.read(.volume)
        try context.expect(value == "\(volume)", "the volume \(volume)", got: value)
      }
    },
    Check(
      "rcs/2.4/volume-burst", .renderingControl, .practice, "Of many volumes in a second, the last one counts.",
      source: "a finger on the slider of BubbleUPnP or Kazoo sends dozens", needs: [getVolume, setVolume],
      changes: [.volume],
      steps:
        "Sets 30 volumes without waiting in between, up to 10 % of the range. Passes if GetVolume then returns the last one."
    ) { context async throws(Finding) in
      let range = try await context.quietVolumes(steps: 1)
      let steps = range.count - 1
      let last = range.lowerBound + min(steps, steps / 2 + 1)
      let volumes = (0..<29).map { range.upperBound - $0 % max(1, steps / 2) } + [last]
      let start = context.clock.now
      for volume in volumes { try await context.write(.volume, "\(volume)") }
      context.measure("duration of 30 calls", context.clock.now - start)
      let value = try await context.read(.volume)
      try context.expect(value == "\(last)", "the volume \(last)", got: value)
    },
    Check(
      "rcs/2.4/volume-db-rises", .renderingControl, .practice, "VolumeDB rises with Volume.",
      source: "RenderingControl:1 §2.2 (VolumeDB is the volume in another unit)",
      needs: [getVolume, setVolume, getVolumeDB], changes: [.volume],
      steps:
        "Sets each volume up to 10 % of the range, at most 25 of them, and reads VolumeDB. Passes if it never falls, and has risen at the end."
    ) { context async throws(Finding) in
      var values: [Int] = []
      for volume in try await context.sampledVolumes(mostVolumes) {
        try await context.write(.volume, "\(volume)")
        values.append(try await decibels(context))
      }
      let text = values.map { "\($0)" }.joined(separator: ", ")
      context.measure("VolumeDB", text)
      try context.expect(
        values == values.sorted() && values.first != values.last, "rising values of VolumeDB", got: text)
    },
    Check(
      "rcs/2.4/volume-db-unit", .renderingControl, .practice, "VolumeDB counts 256ths of a decibel.",
      source: "RenderingControl:1 §2.2", needs: [range],
      steps: "Reads GetVolumeDBRange. Passes if the range has at least 10 decibels in that unit."
    ) { context async throws(Finding) in
      let range = try await context.call(service, "GetVolumeDBRange", channel)
      let (minimum, maximum) = (Int(device: range["MinValue"] ?? ""), Int(device: range["MaxValue"] ?? ""))
      guard let minimum, let maximum else { throw .failure(expected: "numbers", got: "\(range)") }
      context.measure("range", "\(minimum / 256) to \(maximum / 256) dB")
      try context.expect(
        maximum - minimum >= 2560, "a range of at least 2560 (10 dB)", got: "\(minimum) to \(maximum)")
    },
    Check(
      "rcs/2.4/set-volume-db", .renderingControl, .practice, "GetVolumeDB returns what SetVolumeDB has set.",
      source: "RenderingControl:1 §2.4", needs: [getVolume, setVolume, getVolumeDB, .action(service, "SetVolumeDB")],
      changes: [.volume],
      steps: "Reads VolumeDB at the capped volume, sets the volume to the minimum, and sets that VolumeDB again. "
        + "Passes if VolumeDB is within one decibel of it."
    ) { context async throws(Finding) in
      let volumes = try await context.quietVolumes(steps: 1)
      try await context.write(.volume, "\(volumes.upperBound)")
      let wanted = try await decibels(context)
      try await context.write(.volume, "\(volumes.lowerBound)")
      try await context.call(service, "SetVolumeDB", channel + [("DesiredVolume", "\(wanted)")])
      let value = try await decibels(context)
      try context.expect(abs(value - wanted) <= 256, "the VolumeDB \(wanted)", got: "\(value)")
    },
    Check(
      "rcs/2.4/unknown-instance", .renderingControl, .practice,
      "All actions for an unknown instance are refused with 702, and change nothing.",
      source: "the tables of error codes in RenderingControl:1 §2.4", needs: [getVolume, setVolume],
      changes: [.volume, .mute],
      steps: """
        Calls the setters and getters of volume and mute, ListPresets and SelectPreset for instance 4711. Passes if all \
        that the SCPD declares are refused with 702, and the volume stays as it is.
        """
    ) { context async throws(Finding) in
      let (volume, scpd) = (try await context.read(.volume), try context.service(service).scpd)
      let quiet = try await context.quietVolumes(steps: 1)
      let other = Int(device: volume) == quiet.lowerBound ? quiet.upperBound : quiet.lowerBound
      let values = [
        "Channel": "Master", "DesiredVolume": "\(other)", "DesiredMute": "0", "PresetName": "FactoryDefaults",
      ]
      for name in ["GetVolume", "SetVolume", "GetMute", "SetMute", "ListPresets", "SelectPreset"] {
        guard let action = scpd?.action(name) else { continue }
        let answer = try await context.answer(
          service, name, action.inputs.map { ($0.name, $0.name == "InstanceID" ? "4711" : values[$0.name] ?? "") })
        try context.expectFault([702], answer, to: "\(name) for instance 4711")
      }
      let after = try await context.read(.volume)
      try context.expect(after == volume, "the volume \(volume) as before", got: after)
    },
    Check(
      "rcs/2.3/initial-mute", .renderingControl, .practice, "The initial LastChange has Mute, if there is a GetMute.",
      source: "RenderingControl:1 §2.3; Home Assistant's dlna_dmr does not poll while it is subscribed",
      needs: [.eventsOf(service), .action(service, "GetMute")],
      steps: "Subscribes and reads the first event. Passes if it has Mute with channel=\"Master\"."
    ) { context async throws(Finding) in
      let variables = try await context.withSubscription(to: context.service(service)) { subscription throws(Finding) in
        try context.variables(try await context.initialEvent(subscription))
      }
      try context.expect(
        variables.contains { $0.name == "Mute" && $0.channel == "Master" }, "Mute of the channel Master", got: "none")
    },
    Check(
      "rcs/2.4/volume-stays", .renderingControl, .practice, "A volume that was set stays.",
      source: "RenderingControl:1 §2.4; a slider of BubbleUPnP jumps back otherwise", needs: [getVolume, setVolume],
      changes: [.volume],
      steps:
        "Sets another volume, at most 10 % of the range, and reads it after four seconds. Passes if it is the same."
    ) { context async throws(Finding) in
      let quiet = try await context.quietVolumes(steps: 1)
      let volume = try await context.read(.volume) == "\(quiet.upperBound)" ? quiet.lowerBound : quiet.upperBound
      try await context.write(.volume, "\(volume)")
      try await context.expect(.volume, among: ["\(volume)"], "the volume \(volume)")
      await context.clock.sleep(real: context.times.late)
      let value = try await context.read(.volume)
      try context.expect(value == "\(volume)", "the volume \(volume) after four seconds", got: value)
    },
    Check(
      "rcs/2.4/factory-defaults", .renderingControl, .practice, "The preset FactoryDefaults can be selected.",
      source: "RenderingControl:1 §2.2, which requires it", needs: [getVolume, .action(service, "SelectPreset")],
      changes: [.volume, .mute],
      steps: "Selects FactoryDefaults while nothing plays. Passes if that succeeds."
    ) { context async throws(Finding) in
      // The factory default volume may be loud.
      if await context.isBusy() { throw .skip("the device is playing") }
      try await context.call(service, "SelectPreset", [("InstanceID", "0"), ("PresetName", "FactoryDefaults")])
    },
    Check(
      "rcs/2.4/listed-channels", .renderingControl, .practice, "Every channel that the SCPD lists has a volume.",
      source: "hzeller/gmrender-resurrect#139, for actions", needs: [getVolume],
      steps: "Calls GetVolume for each channel in the allowedValueList. Passes if each call succeeds."
    ) { context async throws(Finding) in
      let channels = try context.service(service).scpd?.variable("A_ARG_TYPE_Channel")?.allowedValues ?? []
      var problems: [String] = []
      for channel in channels.isEmpty ? ["Master"] : channels {
        let answer = try await context.answer(service, "GetVolume", [("InstanceID", "0"), ("Channel", channel)])
        if answer.results == nil { problems.append("\(answer.summary) for \(channel)") }
      }
      try context.expectNone(problems, "a volume for each channel")
    },
  ]
}
