import ControlPoint
import UPnP

/// A staged next file: replaced, cleared, skipped to, or failing.
enum NextTrackChecks {
  private static let stale = "jellyfin/jellyfin-plugin-dlna#245: a stale next URI makes the renderer skip tracks"

  static let all: [Check] = [
    check(
      "avt/2.4.2/next-reported", "GetMediaInfo returns the next URI after SetNextAVTransportURI.",
      source: "AVTransport:1 §2.4.2", steps: "Passes if NextURI is then its URI."
    ) { context, staged async throws(Finding) in
      let next = try await context.transport.call("GetMediaInfo")["NextURI"] ?? ""
      try context.expect(next == staged.second.url, "NextURI \(staged.second.url)", got: "\"\(next)\"")
    },
    check(
      "avt/2.4.2/next-without-effect", "SetNextAVTransportURI does not disturb the file that plays.",
      source: "AVTransport:1 §2.4.2", steps: "Passes if the first tone plays on, and is not requested again.",
      seconds: 10
    ) { context, staged async throws(Finding) in
      try await context.transport.waitForTrack(staged.first.url, within: .seconds(2)) { $0 >= .seconds(2) }
      let new = staged.first.getsFromStart - staged.gets
      try context.expect(new == 0, "no new request for the file that plays", got: "\(new)")
    },
    check(
      "avt/2.4.2/next-cleared-by-empty", "An empty NextURI clears the next file.", source: stale,
      steps: "Then sends an empty NextURI. Passes if the device is STOPPED after the first tone."
    ) { context, staged async throws(Finding) in
      try await context.transport.setNext(uri: "", metadata: "")
      try await expectEnd(of: staged.first, not: staged.second, context)
    },
    check(
      "avt/2.4.2/next-replaced", "A second SetNextAVTransportURI replaces the next file.", source: stale,
      steps: "Then stages a third tone. Passes if that plays after the first one."
    ) { context, staged async throws(Finding) in
      let third = try await context.serveTone(seconds: context.times.tone / .seconds(1))
      try await context.transport.setNext(third)
      let uri = try await uriAfter(staged.first, context)
      try context.expect(
        uri == third.url, "the file that was staged last",
        got: uri == staged.second.url ? "the replaced one" : "\"\(uri)\"")
    },
    check(
      "avt/2.4.2/next-dropped", "SetAVTransportURI drops the next file of the one before.", source: stale,
      steps: "Then sets and plays a third tone. Passes if the second one does not follow it."
    ) { context, staged async throws(Finding) in
      let third = try await context.serveTone(seconds: context.times.tone / .seconds(1))
      try await context.transport.start(third)
      try await expectEnd(of: third, not: staged.second, context)
    },
    check(
      "avt/2.4.2/stop-with-next", "Stop does not play the next file.", source: "Microsoft HCK, SETNEXT-15",
      steps: "Then sends Stop. Passes if the device is STOPPED a second later."
    ) { context, staged async throws(Finding) in
      try await context.transport.stop()
      try await context.transport.wait(for: .stopped)
      await context.clock.sleep(.seconds(1))
      let state = try await context.transport.state()
      try context.expect(state == .stopped, "STOPPED", got: state.rawValue)
      let uri = try await context.transport.trackURI()
      try context.expect(uri != staged.second.url, "that the next file is not the current one", got: "that it is")
    },
    check(
      "avt/2.4.2/next-missing", "A next file that does not exist does not disturb the current one.",
      source: "AVTransport:1 §2.4.2; jellyfin/jellyfin-plugin-dlna#245",
      steps: "Its URI answers with 404. Passes if the first tone plays to its end, and the device then stops or fails.",
      isMissing: true
    ) { context, staged async throws(Finding) in
      try await context.transport.wait(forPosition: context.times.tone - .seconds(1))
      try await context.transport.wait(for: .stopped, .noMedia, after: context.times.tone)
    },
    check(
      "avt/2.4.12/next-plays-staged", "Next plays the staged file.", source: "Microsoft HCK, SETNEXT-10",
      needs: [.action("AVTransport", "Next")], steps: "Then sends Next. Passes if the second tone plays."
    ) { context, staged async throws(Finding) in
      try await context.transport.call("Next")
      try await context.transport.waitForTrack(staged.second.url, within: .seconds(1)) { $0 >= .seconds(1) }
    },
    Check(
      "avt/2.4.2/seek-keeps-next", .playback, .practice, "A seek keeps the next file.",
      source: "LMS-Community/slimserver#1367: control points stage each next file once",
      needs: JoinChecks.needs + [.action("AVTransport", "Seek")], changes: [.transport],
      steps: """
        Plays a tone of 30 seconds, stages another one, and seeks to 3 seconds before the end. Passes if the second one \
        plays then.
        """
    ) { context async throws(Finding) in
      let transport = context.transport
      let first = try await transport.startTone(seconds: 30)
      let second = try await context.serveTone(seconds: context.times.tone / .seconds(1))
      try await transport.setNext(second)
      try await transport.seek(to: "0:00:27")
      try await transport.waitForTrack(second.url, within: .seconds(4)) { $0 >= .seconds(1) }
      context.measure("Requests for the first file", "\(first.gets.count)")
    },
    Check(
      "avt/2.4.2/next-while-stopped", .playback, .practice,
      "SetNextAVTransportURI while STOPPED does not start playback.",
      source: "AVTransport:1 §2.4.2", needs: JoinChecks.needs, changes: [.transport],
      steps: "Sets a tone, stages another one, and passes if the device is STOPPED a second later."
    ) { context async throws(Finding) in
      let transport = context.transport
      try await transport.set(try await context.serveTone(seconds: context.times.tone / .seconds(1)))
      try await transport.setNext(try await context.serveTone(seconds: context.times.tone / .seconds(1)))
      await context.clock.sleep(.seconds(1))
      let state = try await transport.state()
      try context.expect([.stopped, .noMedia].contains(state), "STOPPED", got: state.rawValue)
    },
  ]

  /// A playing tone, and the one that is staged after it.
  private struct Staged: Sendable {
    let first: ServedMedia
    let second: ServedMedia
    /// Requests for the first one, from its first byte on, before the second one was staged.
    let gets: Int
  }

  /// A check that plays a tone and stages another one.
  /// - Parameters:
  ///   - seconds: the duration of the first tone, if it must not end during the check.
  ///   - isMissing: whether the second file does not exist.
  private static func check(
    _ id: String, _ requirement: String, source: String, needs: [Prerequisite] = [], steps: String,
    seconds: Double? = nil, isMissing: Bool = false,
    _ judge: @escaping @Sendable (CheckContext, Staged) async throws(Finding) -> Void
  ) -> Check {
    Check(
      id, .playback, .practice, requirement, source: source, needs: JoinChecks.needs + needs, changes: [.transport],
      steps: "Plays a tone and stages another one. \(steps)"
    ) { context async throws(Finding) in
      let first = try await context.transport.startTone(seconds: seconds ?? context.times.tone / .seconds(1))
      let second = try await context.serveTone(seconds: context.times.tone / .seconds(1))
      if isMissing { second.remove() }
      let staged = Staged(first: first, second: second, gets: first.getsFromStart)
      // A device may detect at once that the file does not exist.
      let answer = try await context.transport.answer(
        "SetNextAVTransportURI", [("NextURI", second.url), ("NextURIMetaData", second.metadata)])
      try context.expect(
        answer.isSuccess(orError: [714, 716]), "success of SetNextAVTransportURI", got: answer.summary)
      try await judge(context, staged)
    }
  }

  /// The URI that is current after the end of a file; that of the file if nothing follows.
  private static func uriAfter(_ first: ServedMedia, _ context: CheckContext) async throws(Finding) -> String {
    let deadline = context.clock.now + context.clock.real(context.times.tone) + context.times.effect
    while context.clock.now < deadline, !Task.isCancelled {
      let uri = try await context.transport.trackURI()
      if uri != first.url { return uri }
      if try await context.transport.state() == .stopped { return try await context.transport.trackURI() }
      await context.clock.sleep(.milliseconds(100))
    }
    throw .failure(expected: "the end of the file", got: "none")
  }

  private static func expectEnd(
    of first: ServedMedia, not second: ServedMedia, _ context: CheckContext
  ) async throws(Finding) {
    let uri = try await uriAfter(first, context)
    try context.expect(uri != second.url, "STOPPED after the file", got: "the file that had been staged before")
  }
}
