import ControlPoint
import UPnP

/// AVTransport, as far as it can be judged without playing.
enum AVTransportChecks {
  private static let service = "AVTransport"
  private static let position = Prerequisite.action(service, "GetPositionInfo")
  private static let states: Set = [
    "STOPPED", "PLAYING", "TRANSITIONING", "PAUSED_PLAYBACK", "PAUSED_RECORDING", "RECORDING", "NO_MEDIA_PRESENT",
  ]

  private static func information(_ action: String, _ context: CheckContext) async throws(Finding) -> [String: String] {
    try await context.call(service, action, [("InstanceID", "0")])
  }

  static let all: [Check] = [
    Check(
      "avt/2.2/state", .avTransport, .practice, "The transport state, status and speed are ones of the template.",
      source: "AVTransport:1 §2.2; Home Assistant's dlna_dmr", needs: [.action(service, "GetTransportInfo")],
      steps:
        "Calls GetTransportInfo. Passes if the state and the status are in the template's lists and the speed is a number or a fraction."
    ) { context async throws(Finding) in
      let info = try await information("GetTransportInfo", context)
      let state = info["CurrentTransportState"] ?? ""
      try context.expect(states.contains(state), "a state of the template", got: "\"\(state)\"")
      let status = info["CurrentTransportStatus"] ?? ""
      try context.expect(["OK", "ERROR_OCCURRED"].contains(status), "OK or ERROR_OCCURRED", got: "\"\(status)\"")
      let speed = info["CurrentSpeed"] ?? ""
      try context.expect(Double(speed) != nil || speed.contains("/"), "a number as CurrentSpeed", got: "\"\(speed)\"")
    },
    Check(
      "avt/2.2/allowed-states", .avTransport, .practice,
      "The SCPD allows the states STOPPED and PLAYING, and the play mode NORMAL.",
      source: "Intel Device Validator (Ylianst/Developer-Tools-for-UPnP-Technologies, Tools/DeviceValidator)",
      needs: [.service(service)],
      steps: "Reads the SCPD. Passes if its lists of TransportState and CurrentPlayMode have these values."
    ) { context throws(Finding) in
      let scpd = try context.service(service).scpd
      let states = scpd?.variable("TransportState")?.allowedValues ?? []
      let modes = scpd?.variable("CurrentPlayMode")?.allowedValues ?? []
      try context.expectNone(["STOPPED", "PLAYING"].filter { !states.contains($0) }.map { "no \($0)" }, "both states")
      try context.expect(modes.isEmpty || modes.contains("NORMAL"), "NORMAL", got: modes.joined(separator: ", "))
    },
    Check(
      "avt/2.2/seek-modes", .avTransport, .practice, "The SCPD lists the seek modes in A_ARG_TYPE_SeekMode.",
      source: "StevenLooman/async_upnp_client, DmrDevice", needs: [.action(service, "Seek")],
      steps: "Reads the SCPD. Passes if A_ARG_TYPE_SeekMode has an allowedValueList."
    ) { context throws(Finding) in
      let modes = try context.service(service).scpd?.variable("A_ARG_TYPE_SeekMode")?.allowedValues ?? []
      try context.expect(!modes.isEmpty, "an allowedValueList", got: "none")
    },
    Check(
      "avt/2.2.13/times", .avTransport, .practice, "Times are H:MM:SS or NOT_IMPLEMENTED.",
      source: "AVTransport:1 §2.2; BubbleUPnP and Kodi parse them", needs: [position],
      steps:
        "Calls GetPositionInfo and GetMediaInfo. Passes if TrackDuration, RelTime, AbsTime and MediaDuration have this form or are END_OF_MEDIA."
    ) { context async throws(Finding) in
      let info = try await information("GetPositionInfo", context)
      let media = try await information("GetMediaInfo", context)
      let times = [
        ("TrackDuration", info["TrackDuration"]), ("RelTime", info["RelTime"]), ("AbsTime", info["AbsTime"]),
        ("MediaDuration", media["MediaDuration"]),
      ]
      let wrong = times.filter { _, value in
        let text = value ?? ""
        return text != "NOT_IMPLEMENTED" && text != "END_OF_MEDIA" && UPnPTime.duration(text) == nil
      }
      try context.expectNone(wrong.map { "\($0.0) \"\($0.1 ?? "")\"" }, "H:MM:SS or NOT_IMPLEMENTED")
    },
    Check(
      "avt/2.2/counters", .avTransport, .practice, "Track, NrTracks, RelCount and AbsCount are numbers.",
      source: "AVTransport:1 §2.2", needs: [position, .action(service, "GetMediaInfo")],
      steps: "Calls GetPositionInfo and GetMediaInfo. Passes if the four values are integers."
    ) { context async throws(Finding) in
      let info = try await information("GetPositionInfo", context)
      let media = try await information("GetMediaInfo", context)
      let numbers = [
        ("Track", info["Track"]), ("RelCount", info["RelCount"]), ("AbsCount", info["AbsCount"]),
        ("NrTracks", media["NrTracks"]),
      ]
      try context.expectNone(
        numbers.filter { $0.1.flatMap { Int(device: $0) } == nil }.map { "\($0.0) \"\($0.1 ?? "")\"" }, "numbers")
    },
    Check(
      "avt/2.4/track-in-media", .avTransport, .practice, "The current track is at most the number of tracks.",
      source: "AVTransport:1 §2.2", needs: [position, .action(service, "GetMediaInfo")],
      steps: "Calls GetPositionInfo and GetMediaInfo. Passes if Track is not greater than NrTracks."
    ) { context async throws(Finding) in
      let track = Int(device: try await information("GetPositionInfo", context)["Track"] ?? "") ?? 0
      let count = Int(device: try await information("GetMediaInfo", context)["NrTracks"] ?? "") ?? 0
      try context.expect(track <= count, "at most \(count)", got: "\(track)")
    },
    Check(
      "avt/2.4/no-media", .avTransport, .practice, "Without a URI there are no tracks.",
      source: "AVTransport:1 §2.2", needs: [.action(service, "GetMediaInfo")],
      steps: "Calls GetMediaInfo. Passes if CurrentURI is empty and NrTracks is 0."
    ) { context async throws(Finding) in
      let media = try await information("GetMediaInfo", context)
      guard media["CurrentURI"]?.isEmpty ?? true else { throw .skip("a URI is set") }
      let count = media["NrTracks"] ?? ""
      try context.expect(count == "0", "NrTracks 0", got: "\"\(count)\"")
    },
    Check(
      "avt/2.4/capabilities", .avTransport, .practice, "GetDeviceCapabilities names the media that can be played.",
      source: "AVTransport:1 §2.4", needs: [.action(service, "GetDeviceCapabilities")],
      steps: "Calls GetDeviceCapabilities. Passes if PlayMedia is not empty."
    ) { context async throws(Finding) in
      let media = try await information("GetDeviceCapabilities", context)["PlayMedia"] ?? ""
      try context.expect(!media.isEmpty, "a list in PlayMedia", got: "an empty text")
    },
    Check(
      "avt/2.4/play-mode", .avTransport, .practice,
      "GetTransportSettings returns each play mode of the SCPD after SetPlayMode.",
      source: "AVTransport:1 §2.4", needs: [.action(service, "SetPlayMode"), .action(service, "GetTransportSettings")],
      changes: [.playMode],
      steps:
        "Calls SetPlayMode with each value of the SCPD. Passes if GetTransportSettings returns each of them within a second."
    ) { context async throws(Finding) in
      let modes = try context.service(service).scpd?.variable("CurrentPlayMode")?.allowedValues ?? []
      for mode in modes {
        try await context.write(.playMode, mode)
        try await context.expect(.playMode, among: [mode], "the play mode \(mode)")
      }
    },
    Check(
      "avt/2.4/unknown-play-mode", .avTransport, .must, "An unknown play mode is refused with 402, 600, 601 or 712.",
      source: "the table of error codes in AVTransport:1 §2.4", needs: [.action(service, "SetPlayMode")],
      changes: [.playMode],
      steps: "Calls SetPlayMode with NO_SUCH_MODE. Passes with one of these errors."
    ) { context async throws(Finding) in
      let answer = try await context.answer(
        service, "SetPlayMode", [("InstanceID", "0"), ("NewPlayMode", "NO_SUCH_MODE")])
      try context.expectFault([402, 600, 601, 712], answer, to: "the play mode NO_SUCH_MODE")
    },
    Check(
      "avt/2.4/actions", .avTransport, .practice,
      "GetCurrentTransportActions returns names of transport actions with commas between them.",
      source: "Home Assistant's dlna_dmr waits for Play in it",
      needs: [.action(service, "GetCurrentTransportActions")],
      steps:
        "Calls GetCurrentTransportActions. Passes if the list has only the template's names and names that begin with X_."
    ) { context async throws(Finding) in
      let list = try await information("GetCurrentTransportActions", context)["Actions"] ?? ""
      let known: Set = [
        "Play", "Stop", "Pause", "Seek", "Next", "Previous", "Record", "X_DLNA_SeekTime", "X_DLNA_SeekByte",
        "X_DLNA_SeekTrackNr",
      ]
      let unknown = list.split(separator: ",").map { String(String($0).trimmingBlanks) }.filter {
        !known.contains($0) && !$0.hasPrefix("X_")
      }
      try context.expectNone(unknown.map { "\"\($0)\"" }, "Play, Stop, Pause, Seek, Next, Previous, Record")
    },
    Check(
      "avt/2.3/last-change", .avTransport, .practice,
      "LastChange is an <Event> in urn:schemas-upnp-org:metadata-1-0/AVT/ with an <InstanceID> and declared variables.",
      source: "AVTransport:1 §2.3; StevenLooman/async_upnp_client#32", needs: [.eventsOf(service)],
      steps:
        "Subscribes and reads LastChange in the first event. Passes if it has this form and only variables that the SCPD declares."
    ) { context async throws(Finding) in
      try await LastChange.check(
        context, try context.service(service), namespace: "urn:schemas-upnp-org:metadata-1-0/AVT/")
    },
    Check(
      "avt/2.3/initial-state", .avTransport, .practice, "The initial LastChange has the transport state.",
      source: "Home Assistant's dlna_dmr does not poll while it is subscribed", needs: [.eventsOf(service)],
      steps: "Subscribes and reads LastChange in the first event. Passes if it has a TransportState of the template."
    ) { context async throws(Finding) in
      let variables = try await context.withSubscription(to: context.service(service)) { subscription throws(Finding) in
        try context.variables(try await context.initialEvent(subscription))
      }
      let state = variables.first { $0.name == "TransportState" }?.value ?? ""
      try context.expect(states.contains(state), "TransportState", got: state.isEmpty ? "none" : "\"\(state)\"")
    },
    Check(
      "avt/2.3/play-mode-event", .avTransport, .practice, "A change of the play mode is evented.",
      source: "Home Assistant's dlna_dmr does not poll while it is subscribed",
      needs: [.eventsOf(service), .action(service, "SetPlayMode"), .action(service, "GetTransportSettings")],
      changes: [.playMode],
      steps: "Subscribes and changes the play mode. Passes if an event with the new one arrives within 5 seconds."
    ) { context async throws(Finding) in
      let modes = try context.service(service).scpd?.variable("CurrentPlayMode")?.allowedValues ?? []
      guard modes.count > 1 else { throw .skip("there is one play mode") }
      try await LastChange.check(
        context, service, "CurrentPlayMode", changing: .playMode, from: modes[0], to: modes[1])
    },
    Check(
      "avt/2.3/no-positions", .avTransport, .practice, "Positions are not evented.",
      source: "AVTransport:1 §2.3; StevenLooman/async_upnp_client#32", needs: [.eventsOf(service)],
      steps: "Subscribes and reads LastChange in the first event. Passes if no position or counter is in it."
    ) { context async throws(Finding) in
      let variables = try await context.withSubscription(to: context.service(service)) { subscription throws(Finding) in
        try context.variables(try await context.initialEvent(subscription))
      }
      let positions = [
        "RelativeTimePosition", "AbsoluteTimePosition", "RelativeCounterPosition", "AbsoluteCounterPosition",
      ]
      try context.expectNone(variables.map(\.name).filter { positions.contains($0) }, "no positions")
    },
  ]
}
