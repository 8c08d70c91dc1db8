@testable import Conformance

extension FaultRow {
  static let formats: [FaultRow] =
    MediaFormat.all.map { format in
      let type = format.id == "linear" ? "audio/L16" : format.mimeTypes[0]
      return FaultRow("cm/2.4.1/plays-\(format.id)", .standIn(.refusesType(type)))
    } + [
      FaultRow("cm/2.4.1/plays-files", .standIn(.refusesType("audio/wav"))),
      FaultRow("cm/2.4.1/rates", .standIn(.refusesRate(48_000))),
      FaultRow("cm/2.4.1/high-rates", .output("RelTime", of: "GetPositionInfo", "0:00:01")),
    ]

  static let nextTracks: [FaultRow] = [
    FaultRow("avt/2.4.2/next-prefetched", .standIn(.fetchesNextLate)),
    FaultRow("avt/2.4.2/join", .standIn(.joinsLate)),
    FaultRow("avt/2.4.2/join-on-time", .standIn(.reportsNextEarly)),
    FaultRow("avt/2.4.2/current-after-join", .output("CurrentURI", of: "GetMediaInfo", "http://127.0.0.1/first.wav")),
    FaultRow("avt/2.4.2/next-cleared", .standIn(.keepsNextAfterJoin)),
    FaultRow("avt/2.4.2/join-events", Fault(onEvent: { $0.header("seq") == "0" })),
    FaultRow("avt/2.4.2/same-uri-twice", .standIn(.ignoresSameNext)),
    FaultRow("avt/2.4.2/join-formats", .standIn(.refusesType("audio/mpeg"))),
    FaultRow("avt/2.4.2/join-rates", .standIn(.refusesRate(48_000))),
    FaultRow("avt/2.4.2/next-reported", .standIn(.ignoresNext)),
    FaultRow("avt/2.4.2/next-without-effect", .standIn(.setNextFetchesAgain)),
    FaultRow("avt/2.4.2/next-cleared-by-empty", .standIn(.ignoresEmptyNext)),
    FaultRow("avt/2.4.2/next-replaced", .standIn(.ignoresSecondNext)),
    FaultRow("avt/2.4.2/next-dropped", .standIn(.keepsNextAfterSet)),
    FaultRow("avt/2.4.2/stop-with-next", .standIn(.stopPlaysNext)),
    FaultRow("avt/2.4.2/next-missing", .standIn(.failedNextStops)),
    FaultRow("avt/2.4.12/next-plays-staged", .refuses("#Next", code: 711)),
    FaultRow("avt/2.4.2/seek-keeps-next", .standIn(.seekDropsNext)),
    FaultRow("avt/2.4.2/next-while-stopped", .standIn(.setNextStarts)),
  ]

  static let origins: [FaultRow] =
    [
      ("redirects", .ignoresRedirects), ("redirect-codes", .followsOnly302), ("no-ranges", .needsRanges),
      ("chunked", .needsLength), ("no-length", .needsLength), ("no-head", .needsHEAD),
      ("octet-stream", .trustsContentType), ("text-plain", .trustsContentType), ("no-type", .trustsContentType),
      ("slow-answer", .isImpatient), ("slow-server", .isImpatient), ("stall", .isImpatient), ("reset", .fetchesOnce),
      ("redirect-loop", .hidesFailures), ("gone-before-play", .hidesFailures), ("html", .hidesFailures),
      ("ends-early", .ignoresStarvation), ("resumes", .resumesFromStart), ("endless", .needsLength),
      ("icy", .failsOnICY), ("released-after-change", .keepsConnections), ("connections", .opensManyConnections),
      ("pause", .fetchesAgainAfterPause), ("start-time", .startsLate),
    ].map { (subject: String, fault: StandInFault) in FaultRow("http/\(subject)", .standIn(fault)) }
    + [
      FaultRow("avt/2.4.1/playlist-m3u", .standIn(.hidesFailures)),
      FaultRow("avt/2.4.1/playlist-pls", .standIn(.hidesFailures)),
      FaultRow("rfc9112/3.2/media-host", .standIn(.sendsNoHost)),
      FaultRow("rfc9110/10.1.5/media-user-agent", .standIn(.sendsNoUserAgent)),
      FaultRow("rfc9110/14.1.1/media-range", .standIn(.sendsInvalidRange)),
    ]
}
