import ControlPoint
import UPnP

/// OpenHome's Volume: volume and mute.
enum VolumeChecks {
  static let service = "Volume"
  static let wiki = OpenHomeWiki.volume
  private static let player = "openhome/ohPipeline: OpenHome/Av/ProviderVolume.cpp"
  private static let characteristics = Prerequisite.action(service, "Characteristics")
  private static let setVolume = Prerequisite.action(service, "SetVolume")
  private static let setMute = Prerequisite.action(service, "SetMute")
  private static let event = "UDA 1.0 §4.2: the SCPD events it"

  static let all: [Check] = limits + volume + mute

  // MARK: Limits

  private static let limits: [Check] = [
    Check(
      "oh/volume/characteristics", .openHome, .practice,
      "VolumeMax, VolumeSteps and VolumeMilliDbPerStep are greater than 0, and VolumeUnity is at most VolumeMax.",
      source: "\(wiki); control points draw their scale with them", needs: [characteristics],
      steps: "Reads Characteristics. A VolumeMax of 0 means that the device has no volume."
    ) { context async throws(Finding) in
      let characteristics = try await VolumeCharacteristics.read(context)
      for (name, value) in [
        ("VolumeSteps", characteristics.steps), ("VolumeMilliDbPerStep", characteristics.milliDBPerStep),
      ] {
        try context.expect(value > 0, "\(name) greater than 0", got: "\(value)")
      }
      try context.expect(
        characteristics.unity <= characteristics.maximum, "VolumeUnity at most \(characteristics.maximum)",
        got: "\(characteristics.unity)")
    },
    Check(
      "oh/volume/percent", .openHome, .practice, "VolumeMax is 100.",
      source: "home-assistant/core: components/openhome/media_player.py divides the volume by 100",
      needs: [characteristics], steps: "Reads VolumeMax of Characteristics."
    ) { context async throws(Finding) in
      let maximum = try await VolumeCharacteristics.read(context).maximum
      try context.expect(maximum == 100, "VolumeMax 100", got: "\(maximum)")
    },
    Check(
      "oh/volume/limit", .openHome, .must, "Volume is at most VolumeLimit, and VolumeLimit at most VolumeMax.",
      source: wiki, needs: [characteristics, .action(service, "VolumeLimit")],
      steps: "Compares Volume, VolumeLimit and VolumeMax."
    ) { context async throws(Finding) in
      let maximum = try await context.volumes().upperBound
      let limit = try await context.integer(of: "VolumeLimit", service)
      let volume = try await context.integer(of: "Volume", service)
      try context.expect((0...maximum).contains(limit), "VolumeLimit from 0 to \(maximum)", got: "\(limit)")
      try context.expect((0...max(0, limit)).contains(volume), "Volume from 0 to \(limit)", got: "\(volume)")
    },
    tooLoud(
      "above-limit", .must, "A volume above VolumeLimit sets VolumeLimit.",
      steps: "Mutes the device and sets the volume VolumeLimit + 1. Passes if Volume is at most VolumeLimit afterwards."
    ) { context, maximum, set async throws(Finding) in
      let limit = try await context.integer(of: "VolumeLimit", service)
      guard limit < maximum else { throw .skip("VolumeLimit is VolumeMax") }
      let (answer, volume) = try await set(limit + 1)
      try context.expect(answer.results != nil, "success for a volume up to VolumeMax", got: answer.summary)
      try context.expect(volume <= limit, "a volume of at most \(limit)", got: "\(volume)")
    },
    tooLoud(
      "above-maximum", .must, "A volume above VolumeMax is refused.",
      steps: "Mutes the device and sets the volume VolumeMax + 1. Passes if that is refused and Volume stays as it was."
    ) { context, maximum, set async throws(Finding) in
      let before = try await context.integer(of: "Volume", service)
      let (answer, after) = try await set(maximum + 1)
      // 811 is the error of OpenHome's own player.
      try context.expectFault([402, 600, 601, 811], answer, to: "the volume \(maximum + 1)")
      try context.expect(after == before, "the volume \(before) as before", got: "\(after)")
    },
  ]

  /// Tries a volume that would be loud. The device is muted, and does not play unless the volume can be set without
  /// unmuting it. The previous volume is restored at once.
  private static func tooLoud(
    _ id: String, _ level: Level, _ requirement: String, steps: String,
    _ body:
      @escaping @Sendable (
        CheckContext, _ maximum: Int,
        _ set: (Int) async throws(Finding) -> (answer: SOAPAnswer, volume: Int)
      ) async throws(Finding) -> Void
  ) -> Check {
    Check(
      "oh/volume/\(id)", .openHome, level, requirement, source: wiki,
      needs: [characteristics, setVolume, setMute, .action(service, "VolumeLimit")], changes: [.volume, .mute],
      steps: steps
    ) { context async throws(Finding) in
      let isSilent = try context.service(service).scpd?.action("SetVolumeNoUnmute") != nil
      let isPlaying = await context.isBusy()
      guard isSilent || !isPlaying else { throw .skip("the device is playing") }
      let maximum = try await context.volumes().upperBound
      try await context.write(.mute, "1")
      let before = try await context.read(.volume)
      try await body(context, maximum) { volume throws(Finding) in
        let action = isSilent ? "SetVolumeNoUnmute" : "SetVolume"
        let answer = try await context.answer(service, action, [("Value", "\(volume)")])
        let after = try await context.integer(of: "Volume", service)
        try await context.write(.volume, before)
        return (answer, after)
      }
    }
  }

  // MARK: Volume

  private static let volume: [Check] = [
    Check(
      "oh/volume/set", .openHome, .must, "Volume returns what SetVolume has set.", source: wiki,
      needs: [characteristics, setVolume], changes: [.volume, .mute],
      steps: "Sets the volume to 0, 5 % and 10 % of VolumeMax. Volume becomes each of them."
    ) { context async throws(Finding) in
      for volume in try await context.sampledVolumes(3) {
        try await context.write(.volume, "\(volume)")
        try await context.expectSoon("\(volume)", of: "Volume", service, "after SetVolume")
      }
    },
    step("step-up", .must, "VolumeInc", by: 1, "VolumeInc raises the volume by 1."),
    step("step-down", .must, "VolumeDec", by: -1, "VolumeDec lowers the volume by 1."),
    step("quiet-step-up", .practice, "VolumeIncNoUnmute", by: 1, "VolumeIncNoUnmute raises the volume by 1."),
    step("quiet-step-down", .practice, "VolumeDecNoUnmute", by: -1, "VolumeDecNoUnmute lowers the volume by 1."),
    Check(
      "oh/volume/lowest", .openHome, .must, "VolumeDec at 0 leaves the volume at 0.", source: wiki,
      needs: [setVolume, .action(service, "VolumeDec")], changes: [.volume, .mute],
      steps: "Sets the volume to 0 and calls VolumeDec. Volume stays 0, whether the call succeeds or not."
    ) { context async throws(Finding) in
      try await context.write(.volume, "0")
      try await context.expectSoon("0", of: "Volume", service, "after SetVolume")
      _ = try await context.answer(service, "VolumeDec")
      let volume = try await context.integer(of: "Volume", service)
      if volume > 0 { try await context.write(.volume, "0") }
      try context.expect(volume == 0, "the volume 0", got: "\(volume)")
    },
    Check(
      "oh/volume/volume-event", .openHome, .practice, "A change of the volume is evented.", source: event,
      needs: [characteristics, setVolume, .eventsOf(service)], changes: [.volume, .mute],
      steps: "Subscribes to Volume, and sets another volume up to 10 %."
    ) { context async throws(Finding) in
      let highest = try await context.quietVolumes(steps: 1).upperBound
      let volume = try await context.integer(of: "Volume", service) == highest ? highest - 1 : highest
      try await context.expectEvent(service, "Volume", "\(volume) after SetVolume") {
        $0 == "\(volume)"
      } after: {
        () async throws(Finding) in
        try await context.write(.volume, "\(volume)")
      }
    },
    Check(
      "oh/volume/burst", .openHome, .practice, "After many changes of the volume, the last one counts and is evented.",
      source: "a slider that is dragged sends them; openhome/ohPipeline: OpenHome/Av/VolumeManager.cpp",
      needs: [characteristics, setVolume, .eventsOf(service)], changes: [.volume, .mute],
      steps:
        "Subscribes to Volume and sets 20 volumes from 1 to 10 % without a pause. Volume and the last event have the last one."
    ) { context async throws(Finding) in
      let highest = try await context.quietVolumes(steps: 2).upperBound
      try await context.withSubscription(to: context.service(service)) { subscription throws(Finding) in
        _ = try await context.initialEvent(subscription)
        for number in 0..<20 { try await context.write(.volume, "\(1 + number % highest)") }
        let last = "\(1 + 19 % highest)"
        try await context.expectSoon(last, of: "Volume", service, "after the last SetVolume")
        let isSeen = await subscription.wait(context.times.event) { events in
          let values = events.flatMap { (try? EventReader.read($0.body).variables) ?? [] }
          return values.last { $0.name == "Volume" }?.value == last ? true : nil
        }
        try context.expect(isSeen == true, "the volume \(last) in the last event", got: "another one")
      }
    },
  ]

  /// Calls an action that changes the volume, starting at 5 % of VolumeMax.
  private static func step(_ id: String, _ level: Level, _ action: String, by step: Int, _ requirement: String) -> Check
  {
    Check(
      "oh/volume/\(id)", .openHome, level, requirement, source: level == .must ? wiki : player,
      needs: [characteristics, setVolume, .action(service, action)], changes: [.volume, .mute],
      steps: "Sets the volume to 5 % of VolumeMax and calls \(action)."
    ) { context async throws(Finding) in
      let volumes = try await context.quietVolumes(steps: 1)
      // With a single step, one down starts at the top.
      let start = max(volumes.upperBound / 2, step < 0 ? 1 : 0)
      try await context.write(.volume, "\(start)")
      try await context.expectSoon("\(start)", of: "Volume", service, "after SetVolume")
      try await context.call(service, action)
      try await context.expectSoon("\(start + step)", of: "Volume", service, "after \(action)")
    }
  }

  // MARK: Mute

  private static let mute: [Check] = [
    Check(
      "oh/volume/mute", .openHome, .must, "Mute returns what SetMute has set.", source: wiki, needs: [setMute],
      changes: [.mute], steps: "Sets mute to 1, 0, true and false. Mute becomes each of them."
    ) { context async throws(Finding) in
      for value in ["1", "0", "true", "false"] {
        try await context.write(.mute, value)
        try await context.expectSoon(value, of: "Mute", service, "after SetMute with \(value)")
      }
    },
    Check(
      "oh/volume/mute-keeps-volume", .openHome, .practice, "Mute leaves the volume as it is.",
      source: "\(player): unmuting restores the volume", needs: [setMute], changes: [.mute],
      steps: "Mutes the device. Volume stays the same."
    ) { context async throws(Finding) in
      let before = try await context.read(.volume)
      try await context.write(.mute, "1")
      let after = try await context.read(.volume)
      try context.expect(after == before, "the volume \(before)", got: after)
    },
    Check(
      "oh/volume/zero-keeps-mute", .openHome, .practice, "The volume 0 does not mute.",
      source: "\(wiki): Mute and Volume are two variables", needs: [characteristics, setVolume, setMute],
      changes: [.volume, .mute], steps: "Ends mute and sets the volume 0. Mute stays false."
    ) { context async throws(Finding) in
      try await context.write(.mute, "0")
      try await context.write(.volume, "0")
      try await context.expectSoon("0", of: "Volume", service, "after SetVolume")
      let isMuted = try await context.boolean(of: "Mute", service)
      try context.expect(!isMuted, "no mute at the volume 0", got: "mute")
    },
    Check(
      "oh/volume/no-unmute", .openHome, .practice, "SetVolumeNoUnmute leaves the device muted.",
      source: "its name; \(player)", needs: [characteristics, setMute, .action(service, "SetVolumeNoUnmute")],
      changes: [.volume, .mute], steps: "Mutes the device and calls SetVolumeNoUnmute with 10 %. Mute stays true."
    ) { context async throws(Finding) in
      let volume = try await context.quietVolumes(steps: 1).upperBound
      try await context.write(.mute, "1")
      try await context.expectSoon("1", of: "Mute", service, "after SetMute")
      try await context.call(service, "SetVolumeNoUnmute", [("Value", "\(volume)")])
      try await context.expectSoon("\(volume)", of: "Volume", service, "after SetVolumeNoUnmute")
      let isMuted = try await context.boolean(of: "Mute", service)
      try context.expect(isMuted, "mute", got: "none")
    },
    Check(
      "oh/volume/mute-event", .openHome, .practice, "A change of mute is evented.", source: event,
      needs: [setMute, .eventsOf(service)], changes: [.mute],
      steps: "Subscribes to Volume, and sets mute to the other value."
    ) { context async throws(Finding) in
      let isMuted = try await context.boolean(of: "Mute", service)
      try await context.expectEvent(service, "Mute", "after SetMute") {
        CheckContext.boolean($0) == !isMuted
      } after: {
        () async throws(Finding) in
        try await context.write(.mute, isMuted ? "0" : "1")
      }
    },
  ]
}
