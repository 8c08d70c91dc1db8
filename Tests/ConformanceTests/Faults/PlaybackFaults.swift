extension FaultRow {
  static let playback: [FaultRow] = states + uris + events + positions + seeks + failures

  private static let states: [FaultRow] = [
    FaultRow("avt/2.4/grid", .ignores("Next")),
    FaultRow("avt/2.4/actions-work", .output("Actions", of: "GetCurrentTransportActions", "Play,Stop,Pause")),
    FaultRow("avt/2.4/actions-listed", .output("Actions", of: "GetCurrentTransportActions", "Seek")),
    FaultRow("avt/2.4/play", .standIn(.neverPlays)),
    FaultRow("avt/2.4/play-twice", .standIn(.playRestarts)),
    FaultRow("avt/2.4/pause", .ignores("Pause")),
    FaultRow("avt/2.4/pause-twice", .standIn(.pauseToggles)),
    FaultRow("avt/2.4/stop-twice", .refuses("#Stop\"", code: 701, after: 1)),
    FaultRow("avt/2.4/stop-releases", .standIn(.keepsConnections)),
    FaultRow("avt/2.4/end", .standIn(.ignoresEnd)),
    FaultRow("avt/2.4/play-after-end", .refuses("#Play\"", code: 501, after: 1)),
    FaultRow("avt/2.4/rapid-changes", .standIn(.keepsConnections)),
    FaultRow(
      "avt/2.4/actions-skip", .output("Actions", of: "GetCurrentTransportActions", "Next,Pause,Play,Seek,Stop")),
    FaultRow("avt/2.4/actions-seek", .ignores("Seek")),
    FaultRow("avt/2.4/next-alone", .ignores("Next")),
    FaultRow("avt/2.4/previous-alone", .refuses("#Previous", code: 501)),
    FaultRow("avt/2.4/unknown-instance", .input(">4711<", ">0<")),
    FaultRow("avt/2.4/unlisted-speed", .input("<Speed>8<", "<Speed>1<")),
    FaultRow("avt/2.4/invalid-speed", .input("<Speed>fast<", "<Speed>1<")),
  ]

  private static let uris: [FaultRow] = [
    FaultRow("avt/2.4/current-uri", .output("CurrentURI", of: "GetMediaInfo", "")),
    FaultRow("avt/2.4/track-uri", .output("TrackURI", of: "GetPositionInfo", "")),
    FaultRow("avt/2.4/track-metadata", .output("TrackMetaData", of: "GetPositionInfo", "NOT_IMPLEMENTED")),
    FaultRow("avt/2.4/uri-query", .input("%C3%BC", "%c3%bc")),
    FaultRow("avt/2.4/no-metadata", .refuses("<CurrentURIMetaData></CurrentURIMetaData>", code: 402)),
    FaultRow("avt/2.4/clear-uri", .output("CurrentURI", of: "GetMediaInfo", "http://192.0.2.1/")),
    FaultRow("avt/2.4/set-while-playing", .standIn(.ignoresURIWhilePlaying)),
    FaultRow("avt/2.4/metadata-entities", .action("GetMediaInfo") { $0.replace("&amp;amp;", "&amp;") }),
    FaultRow("avt/2.4/metadata-cdata", .action("GetMediaInfo") { $0.replace("&lt;![CDATA[", "") }),
    FaultRow("avt/2.4/metadata-characters", .action("GetMediaInfo") { $0.replace("ü", "?") }),
    FaultRow("avt/2.4/metadata-large", .output("CurrentURIMetaData", of: "GetMediaInfo", "")),
  ]

  private static let events: [FaultRow] = [
    FaultRow("avt/2.3/event-playing", .eventText("PLAYING", "TRANSITIONING")),
    FaultRow("avt/2.3/event-paused", .eventText("PAUSED_PLAYBACK", "STOPPED")),
    FaultRow("avt/2.3/event-stopped", .eventText("STOPPED", "PLAYING")),
    FaultRow("avt/2.3/event-end", Fault(onEvent: { !$0.body.contains("STOPPED") })),
    FaultRow("avt/2.3/event-uri", .eventText("AVTransportURI ", "Other ")),
    FaultRow("avt/2.3/event-track", .eventText("CurrentTrackMetaData ", "Other ")),
    FaultRow("avt/2.3/event-actions", .eventText("CurrentTransportActions ", "Other ")),
    FaultRow("avt/2.3/events-equal-getters", Fault(onEvent: { $0.header("seq") == "0" })),
    FaultRow("avt/2.3/moderation", Fault(eventCopies: 20)),
    FaultRow("avt/2.4/error-event", .eventText("ERROR_OCCURRED", "OK")),
  ]

  private static let positions: [FaultRow] = [
    FaultRow("avt/2.2/position-rises", .output("RelTime", of: "GetPositionInfo", "0:00:00")),
    FaultRow("avt/2.2/position-pauses", .standIn(.pauseKeepsCounting)),
    FaultRow("avt/2.2/position-resumes", .standIn(.resumeRestarts)),
    FaultRow("avt/2.2/long-pause", .standIn(.resumeRestarts)),
    FaultRow("avt/2.2/position-restarts", .standIn(.stopKeepsPosition)),
    FaultRow("avt/2.2/times-playing", .output("RelTime", of: "GetPositionInfo", "3.5")),
    FaultRow("avt/2.2/absolute-position", .output("AbsTime", of: "GetPositionInfo", "1:00:00")),
    FaultRow("avt/2.2/track-duration", .output("TrackDuration", of: "GetPositionInfo", "0:00:00")),
    FaultRow("avt/2.2/media-duration", .output("MediaDuration", of: "GetMediaInfo", "0:01:00")),
    FaultRow("avt/2.2/one-track", .output("NrTracks", of: "GetMediaInfo", "0")),
  ]

  private static let seeks: [FaultRow] = [
    FaultRow("avt/2.4/seek-relative", .input(">0:00:40<", ">0:00:10<")),
    FaultRow("avt/2.4/seek-absolute", .input(">0:00:40<", ">0:00:10<")),
    FaultRow("avt/2.4/seek-start", .input(">0:00:00<", ">0:00:10<")),
    FaultRow("avt/2.4/seek-two-digit-hours", .refuses(">00:00:40<", code: 711)),
    FaultRow("avt/2.4/seek-fraction", .refuses(">0:00:40.500<", code: 711)),
    FaultRow("avt/2.4/seek-paused", .standIn(.ignoresSeekWhilePaused)),
    FaultRow("avt/2.4/seek-at-once", .input(">0:00:40<", ">0:00:10<")),
    FaultRow("avt/2.4/seek-burst", .input(">0:00:40<", ">0:00:10<")),
    FaultRow("avt/2.4/seek-track", .refuses("TRACK_NR", code: 710)),
    FaultRow("avt/2.4/seek-near-end", .standIn(.ignoresEnd)),
    FaultRow("avt/2.4/seek-beyond-end", .ignores("Seek")),
    FaultRow("avt/2.4/seek-target", .ignores("Seek")),
    FaultRow("avt/2.4/seek-modes", .ignores("Seek")),
  ]

  private static let failures: [FaultRow] =
    ["not-found", "unplayable", "empty-file", "server-error", "unreachable"].map { name in
      FaultRow("avt/2.4/\(name)", .output("CurrentTransportStatus", of: "GetTransportInfo", "OK"))
    } + [
      FaultRow(
        "avt/2.4/recovers", .output("CurrentTransportStatus", of: "GetTransportInfo", "ERROR_OCCURRED")),
      FaultRow("avt/2.4/hanging-getters", .action("GetPositionInfo") { $0.isMissing = true }),
      FaultRow("avt/2.4/hanging-stop", .standIn(.stopWaitsForServer)),
    ]
}
