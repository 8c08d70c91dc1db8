import ControlPoint
import MediaOrigin
import UPnP

/// The reports of a device when media cannot be played.
enum TransportFailureChecks {
  private static let error = "Windows HCK, DMR ERROR-01"

  static let all: [Check] = [
    failure("not-found", "A file that does not exist") { context async throws(Finding) in
      let media = try await context.serveTone(seconds: 10)
      media.remove()
      return media
    },
    failure("unplayable", "A file that is no sound") { context async throws(Finding) in
      try await context.serveTone(seconds: 10, Manners { $0.garbage = true })
    },
    failure("empty-file", "An empty file") { context async throws(Finding) in
      var tone = try await context.tone(seconds: 1)
      tone.bytes = []
      return try await context.serve(tone)
    },
    failure("server-error", "A file that the server refuses") { context async throws(Finding) in
      try await context.serveTone(seconds: 10, Manners { $0.status = .init(503) })
    },
    .playing(
      "avt/2.4/unreachable", "A server that does not exist is reported as an error.", source: error,
      steps: """
        Plays a URI of a closed port of this computer. Passes if SetAVTransportURI or Play is refused, or if the state \
        becomes STOPPED with the status ERROR_OCCURRED.
        """
    ) { transport async throws(Finding) in
      let media = try await transport.context.serveTone(seconds: 10)
      let url = "http://\(transport.context.local):1\(media.path)"
      try await transport.expectFailure(uri: url, metadata: media.media.metadata(url: url))
    },
    .playing(
      "avt/2.4/recovers", "After an error, another file plays, and the status is OK again.", source: error,
      steps: """
        Plays a file that does not exist, and then a tone. Passes if the state becomes PLAYING and the status OK.
        """
    ) { transport async throws(Finding) in
      let missing = try await transport.context.serveTone(seconds: 10)
      missing.remove()
      try await transport.expectFailure(uri: missing.url, metadata: missing.metadata)
      _ = try await transport.startTone()
      let status = try await transport.call("GetTransportInfo")["CurrentTransportStatus"] ?? ""
      try transport.context.expect(status == "OK", "the status OK", got: status)
    },
    .playing(
      "avt/2.4/error-event", "An error is evented as STOPPED with ERROR_OCCURRED.",
      source: "\(error); Home Assistant's dlna_dmr does not poll while it is subscribed", needs: [.transportEvents],
      steps: """
        Plays a file that does not exist. Passes if Play is refused, or if an event has TransportStatus ERROR_OCCURRED.
        """
    ) { transport async throws(Finding) in
      // Ends the error of an earlier file: its repetition would be no change.
      _ = try await transport.startTone(seconds: 10)
      try await transport.stop()
      let missing = try await transport.context.serveTone(seconds: 10)
      missing.remove()
      try await transport.withEvents { events throws(Finding) in
        let isRefused = try await transport.expectFailure(uri: missing.url, metadata: missing.metadata)
        if !isRefused { try await transport.expect(events, "TransportStatus", ["ERROR_OCCURRED"], after: 1) }
      }
    },
  ]

  /// Checks with a media server that does not answer. They come last, since Rygel needs half a minute to recover.
  static let hanging: [Check] = [
    .playing(
      "avt/2.4/hanging-getters", "While the media server does not answer, the getters do.",
      source: "measured with gmediarender 0.1 and Kodi 20.1",
      steps: """
        Plays a file whose server accepts the connection and never answers, and calls GetTransportInfo, GetPositionInfo \
        and GetMediaInfo. Passes if each answers within 2 s. The report has the longest time.
        """
    ) { transport async throws(Finding) in
      let media = try await transport.startHanging()
      defer { media.drop() }
      try transport.context.expect(media.openConnections > 0, "an open connection", got: "none")
      var longest = Duration.zero
      for action in ["GetTransportInfo", "GetPositionInfo", "GetMediaInfo"] {
        let start = transport.context.clock.now
        try await transport.call(action)
        longest = max(longest, transport.context.clock.now - start)
      }
      try transport.context.expect(
        longest < .seconds(2), "answers within 2 s", got: "one after \(Figures.seconds(longest))")
      transport.context.measure("longest time of a getter", Figures.milliseconds(longest))
    },
    .playing(
      "avt/2.4/hanging-stop", "While the media server does not answer, Stop ends the attempt.",
      source: "measured with gmediarender 0.1",
      steps: """
        Plays a file whose server accepts the connection and never answers, stops it, and plays a tone. Passes if the \
        state becomes STOPPED and then PLAYING. The report says whether the device closes the connection at once.
        """
    ) { transport async throws(Finding) in
      let media = try await transport.startHanging()
      defer { media.drop() }
      try await transport.stop()
      try await transport.wait(for: .stopped)
      _ = try await transport.startTone()
      transport.context.measure("connection after Stop", media.openConnections > 0 ? "stays open" : "is closed")
    },
  ]

  private static func failure(
    _ name: String, _ what: String,
    _ serve: @escaping @Sendable (CheckContext) async throws(Finding) -> ServedMedia
  ) -> Check {
    .playing(
      "avt/2.4/\(name)", "\(what) is reported as an error.", source: error,
      steps: """
        Plays \(what.prefix(1).lowercased())\(what.dropFirst()). Passes if SetAVTransportURI or Play is refused, or if the \
        state becomes STOPPED with the status ERROR_OCCURRED within 10 s, or within 3 s if another error was not reported.
        """
    ) { transport async throws(Finding) in
      let media = try await serve(transport.context)
      try await transport.expectFailure(uri: media.url, metadata: media.metadata)
    }
  }
}

extension TransportDriver {
  /// The fact that is noted about a device that reports no errors.
  static let silence = "An error was not reported."

  /// Plays a file that cannot be played, and checks that the device reports it.
  /// - Returns: whether an action was refused.
  @discardableResult
  func expectFailure(uri: String, metadata: String) async throws(Finding) -> Bool {
    let set = try await answer("SetAVTransportURI", [("CurrentURI", uri), ("CurrentURIMetaData", metadata)])
    if let code = set.faultCode {
      context.measure("SetAVTransportURI", "is refused with \(code)")
      return true
    }
    let play = try await answer("Play", [("Speed", "1")])
    if let code = play.faultCode {
      context.measure("Play", "is refused with \(code)")
      return true
    }
    var last = ""
    let start = context.clock.now
    // Once a device is known to report no errors, a shorter wait is enough.
    let limit = context.shared.isNoted(Self.silence) ? context.times.transition * 0.3 : context.times.transition
    let isReported = try await poll(limit) { () async throws(Finding) -> Bool in
      let info = try await call("GetTransportInfo")
      last = "\(info["CurrentTransportState"] ?? "") and \(info["CurrentTransportStatus"] ?? "")"
      return last == "STOPPED and ERROR_OCCURRED"
    }
    if !isReported { context.shared.note(Self.silence) }
    try context.expect(isReported, "STOPPED and ERROR_OCCURRED within \(Figures.seconds(limit))", got: last)
    context.measure("error after Play", Figures.milliseconds(context.clock.now - start))
    return false
  }

  /// Plays a file whose server accepts the connection and does not answer.
  func startHanging() async throws(Finding) -> ServedMedia {
    let media = try await context.serveTone(seconds: 10, Manners { $0.openDelay = .seconds(600) })
    do throws(Finding) {
      try await set(media)
      try await play()
      guard await media.waitForRequest(within: context.times.transition) else {
        throw .failure(expected: "a request for the file", got: "none")
      }
      return media
    } catch {
      // Rygel answers nothing before the media server does.
      media.drop()
      throw error
    }
  }
}
