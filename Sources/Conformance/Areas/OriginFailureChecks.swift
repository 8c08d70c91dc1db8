import ControlPoint
import MediaOrigin
import UPnP

/// Media servers that fail: a control point has to learn of it, and the server must not suffer.
enum OriginFailureChecks {
  private static let needs = OriginChecks.needs
  private static let reported = "Microsoft HCK, ERROR-01: STOPPED with ERROR_OCCURRED"

  static let all: [Check] = [
    Check(
      "http/redirect-loop", .media, .should, "A redirect loop is given up, with an error.",
      source: "RFC 9110 §15.4: a client should detect cyclical redirections", needs: needs, changes: [.transport],
      steps: """
        The server redirects to the same address for ever. Passes after at most 100 requests, if an action is refused or \
        the device is STOPPED soon.
        """
    ) { context async throws(Finding) in
      let media = try await context.serveTone(seconds: 10, Manners { $0.redirect = .endless })
      let outcome = try await context.transport.outcome(of: media, isUnplayable: true)
      let count = media.requests.count
      context.measure("Requests", "\(count)")
      try context.transport.expectFailure(outcome, of: "the file")
      try context.expect(count <= 100, "at most 100 requests", got: "\(count)")
    },
    Check(
      "http/gone-before-play", .media, .practice,
      "A file that vanishes between SetAVTransportURI and Play is an error.",
      source: reported, needs: needs, changes: [.transport],
      steps: "Sets a tone, removes it from the server, and sends Play. Passes if Play is refused, or the device stops."
    ) { context async throws(Finding) in
      let media = try await context.serveTone(seconds: 10)
      try await context.transport.set(media)
      media.remove()
      let answer = try await context.transport.answer("Play", [("Speed", "1")])
      if answer.faultCode != nil { return }
      // A device that has fetched the file already may play it.
      let outcome = try await context.transport.outcomeOfPlay(isUnplayable: true)
      if media.bytesSent > 0, outcome == .plays { return }
      try context.transport.expectFailure(outcome, of: "a file that is gone")
    },
    Check(
      "http/html", .media, .practice, "A web page instead of sound is an error.",
      source: "\(reported); captive portals and expired links answer with pages", needs: needs, changes: [.transport],
      steps: "Plays a web page, once as text/html and once as the type of a tone. Passes if both end with an error."
    ) { context async throws(Finding) in
      let tone = try await context.tone(seconds: 1)
      let text = "<!DOCTYPE html><html><body>" + String(repeating: "<p>Sign in</p>", count: 500) + "</body></html>"
      for type in ["text/html", tone.mimeType] {
        let page = GeneratedMedia(name: tone.name, bytes: Array(text.utf8), mimeType: type, duration: 0)
        let outcome = try await context.transport.outcome(of: try await context.serve(page), isUnplayable: true)
        try context.transport.expectFailure(outcome, of: "a web page as \(type)")
      }
    },
    Check(
      "http/ends-early", .media, .practice, "A file that ends early for good does not stay in PLAYING.",
      source: reported, needs: needs, changes: [.transport],
      steps: """
        The server closes each connection after two seconds of sound. Passes if the device then is STOPPED, or waits in \
        TRANSITIONING.
        """
    ) { context async throws(Finding) in
      let media = try await context.serveTone(seconds: 30, Manners { $0.earlyClose = .init(at: 2 * PCM.byteRate) })
      let outcome = try await context.transport.outcome(of: media)
      guard outcome == .plays else { return try context.transport.expectFailure(outcome, of: "the file") }
      let state = try await context.transport.wait(for: .stopped, .noMedia, .transitioning, after: .seconds(1))
      context.measure("State", state.rawValue)
      context.measure("Requests", "\(media.gets.count)")
    },
    Check(
      "http/resumes", .media, .practice, "A file whose connection ends early is resumed by range at the next byte.",
      source: "hzeller/gmrender-resurrect#59: bad networks; RFC 9110 §14.2", needs: needs, changes: [.transport],
      steps: """
        The server closes the first connection after a second of sound. Passes if the device asks for the next byte, and \
        plays until the second second.
        """
    ) { context async throws(Finding) in
      let place = PCM.byteRate
      let media = try await context.serveTone(seconds: 10, Manners { $0.earlyClose = .init(at: place, times: 1) })
      try await context.transport.expectPlays(media, "the file", progress: .seconds(2))
      let starts = media.gets.map(\.firstByte)
      let list = starts.map(String.init).joined(separator: ", ")
      try context.expect(
        starts.contains(place), "a request from byte \(place) on", got: "requests from the bytes \(list)")
    },
  ]
}
