import Synchronization

extension FaultRow {
  private static func playlist(_ id: String, _ fault: Fault) -> FaultRow { FaultRow("oh/playlist/\(id)", fault) }

  /// Faults of Playlist, Radio, Info and Time during playback. A new stand-in assigns the ids 1, 2, 3 …
  static let openHomePlayback: [FaultRow] = [
    playlist("play", .eventText(">Playing<", ">Buffering<")),
    playlist("seek-id", .eventText("Id>", "Track>")),
    // Takes the index as counted from 1.
    playlist("seek-index", .input(">1<", ">0<", of: "SeekIndex")),
    playlist("seek-id-and-play", .standIn(.playRestarts)),
    playlist("pause", .refuses("#Pause", code: 501)),
    playlist("stop", .performs("Pause", insteadOf: "Stop")),
    // Reports the first track all the time.
    playlist("next", .output("Value", of: "Id", "1")),
    playlist("previous", .output("Value", of: "Id", "2")),
    playlist("next-wraps", .input(">1<", ">0<", of: "SetRepeat")),
    playlist("previous-wraps", .input(">1<", ">0<", of: "SetRepeat")),
    playlist("next-at-end", .input(">0<", ">1<", of: "SetRepeat")),
    playlist("sequence", .eventText("Id>2<", "Id>1<")),
    playlist("end", .output("Value", of: "Id", "2")),
    playlist("repeat-plays", .input(">1<", ">0<", of: "SetRepeat")),
    // Plays the same track again and again.
    playlist("shuffle-plays", .input(">0<", ">1<", of: "SetRepeat")),
    playlist("join", .standIn(.stagesNothing)),
    playlist("failing-track", .standIn(.stopsAtFailure)),
    playlist("delete-playing", .output("Value", of: "Id", "1")),
    playlist("delete-only", .after("DeleteId", .output("Value", of: "TransportState", "Playing"))),
    playlist("insert-while-playing", .standIn(.insertionRestarts)),
    // The position does not change.
    playlist("seek-second-absolute", .output("Seconds", of: "Time", "1")),
    playlist("seek-second-relative", .output("Seconds", of: "Time", "1")),
    FaultRow("oh/radio/play", .output("Value", of: "TransportState", "Stopped")),
    FaultRow("oh/radio/end", .after("Play", .output("Value", of: "TransportState", "Playing"))),
    FaultRow("oh/radio/stop", .performs("Pause", insteadOf: "Stop")),
    FaultRow("oh/radio/play-again", .after("Stop", .refuses("#Play\"", code: 701))),
    FaultRow("oh/radio/info", .output("Metadata", of: "Track", "")),
    FaultRow("oh/info/track", .output("Metadata", of: "Track", "")),
    FaultRow("oh/info/track-count", .output("TrackCount", of: "Counters", "1")),
    FaultRow("oh/info/one-event", .eventText("Metadata>", "Didl>")),
    FaultRow("oh/info/details", .output("Duration", of: "Details", "0")),
    FaultRow("oh/info/details-count", .output("DetailsCount", of: "Counters", "0")),
    FaultRow("oh/info/metatext", .output("Value", of: "Metatext", "Conformance test")),
    FaultRow("oh/time/events", Fault(onEvent: { !$0.body.contains("Seconds>") || $0.header("seq") == "0" })),
    FaultRow("oh/time/seconds", .output("Seconds", of: "Time", "0")),
    FaultRow("oh/time/duration", .output("Duration", of: "Time", "0")),
    FaultRow("oh/time/paused", .standIn(.timeAlwaysAdvances)),
  ]
}

extension Fault {
  /// Performs another action of the same service.
  static func performs(_ other: String, insteadOf action: String) -> Fault {
    Fault(
      onRequest: { request in
        guard request.action == action else { return }
        request.set("soapaction", (request.header("soapaction") ?? "").replacing("#\(action)", with: "#\(other)"))
        request.replace(":\(action) ", ":\(other) ")
        request.replace("</u:\(action)>", "</u:\(other)>")
      }, onResponse: { if $0.action == action { $1.replace("\(other)Response", "\(action)Response") } })
  }

  /// Applies a fault to the answers from the first request for an action on.
  static func after(_ action: String, _ fault: Fault) -> Fault {
    let isReached = Mutex(false)
    return Fault(onResponse: { request, response in
      if request.action == action { isReached.withLock { $0 = true } }
      if isReached.withLock({ $0 }) { fault.onResponse(request, &response) }
    })
  }
}
