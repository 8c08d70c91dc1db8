import ControlPoint
import MediaOrigin
import UPnP

/// Media servers with the properties and faults of real ones: the file must play.
enum OriginChecks {
  static let needs: [Prerequisite] = [.action("AVTransport", "SetAVTransportURI"), .action("AVTransport", "Play")]
  private static let servers = "servers of radio stations and small media servers"

  static let all: [Check] = [
    check(
      "redirects", "A chain of five redirects is followed.",
      source: "thibauts/node-upnp-mediarenderer-client#30; RFC 9110 §15.4",
      steps: "The server redirects five times with 302."
    ) { manners, _ in manners.redirect = .hops(5) },
    Check(
      "http/redirect-codes", .media, .practice, "Redirects with 301, 302, 303, 307 and 308 are followed.",
      source: "RFC 9110 §15.4", needs: needs, changes: [.transport],
      steps: "Plays a tone once behind each of the redirects. Passes if the state becomes PLAYING each time."
    ) { context async throws(Finding) in
      var problems: [String] = []
      for status in [301, 302, 303, 307, 308] {
        let manners = Manners { manners in
          manners.redirect = .hops(1)
          manners.redirectStatus = status
        }
        let media = try await context.serveTone(seconds: 10, manners)
        let outcome = try await context.transport.outcome(of: media, progress: .zero)
        if outcome != .plays { problems.append("\(status): \(outcome.description)") }
      }
      try context.expectNone(problems, "that the file plays behind each redirect")
    },
    check(
      "no-ranges", "A file plays from a server without ranges.", source: "RFC 9110 §14.2: a server may ignore Range",
      steps: "The server sends Accept-Ranges: none and ignores Range."
    ) { manners, _ in manners.ranges = false },
    check(
      "chunked", "A file plays that is sent in chunks, without a length.",
      source: "RFC 9112 §7.1: a recipient must be able to parse chunked; transcoding servers",
      steps: "The server uses Transfer-Encoding: chunked and has no ranges."
    ) { manners, _ in
      manners.framing = .chunked
      manners.ranges = false
    },
    check(
      "no-length", "A file plays whose end is the end of the connection.", source: "RFC 9112 §6.3; \(servers)",
      steps: "The server sends neither Content-Length nor chunks, and has no ranges."
    ) { manners, _ in
      manners.framing = .close
      manners.ranges = false
    },
    check(
      "no-head", "A file plays from a server that refuses HEAD.", source: "schlarpc/castaway, docs/dlna-conformance.md",
      steps: "The server answers HEAD with 405."
    ) { manners, _ in manners.head = false },
    check(
      "octet-stream", "A file plays that is served as application/octet-stream.", source: servers,
      steps: "The type is right in the metadata, and application/octet-stream in the answer."
    ) { manners, _ in manners.type = .given("application/octet-stream") },
    check(
      "text-plain", "A file plays that is served as text/plain.", source: servers,
      steps: "The type is right in the metadata, and text/plain in the answer."
    ) { manners, _ in manners.type = .given("text/plain") },
    check(
      "no-type", "A file plays that is served without Content-Type.", source: "RFC 9110 §8.3: the header is optional",
      steps: "The type is right in the metadata, and missing in the answer."
    ) { manners, _ in manners.type = .missing },
    check(
      "slow-answer", "A file plays whose server needs two seconds before it answers.",
      source: "hzeller/gmrender-resurrect#59: bad networks", after: .seconds(2),
      steps: "The server waits for two seconds before the head of each answer."
    ) { manners, context in manners.openDelay = context.clock.real(.seconds(2)) },
    check(
      "slow-server", "A file plays that comes little faster than it is played.",
      source: "hzeller/gmrender-resurrect#59 and #182: bad networks", progress: .seconds(2), after: .seconds(5),
      steps: "The server sends 25 % faster than real time."
    ) { manners, context in manners.rate = context.byteRate(1.25) },
    check(
      "stall", "Playback continues after the server has stalled for two seconds.",
      source: "hzeller/gmrender-resurrect#59 and #182: bad networks", progress: .seconds(3), after: .seconds(2),
      steps: "The server stops sending for two seconds after the first second of sound. Passes at the third second."
    ) { manners, context in
      manners.stall = .init(at: PCM.byteRate, for: context.clock.real(.seconds(2)), times: 1)
    },
    check(
      "reset", "Playback continues after the connection was reset once.",
      source: "hzeller/gmrender-resurrect#59: bad networks", progress: .seconds(2),
      steps: "The server resets the connection after the first second of sound. Passes at the second second."
    ) { manners, _ in manners.earlyClose = .init(at: PCM.byteRate, times: 1, reset: true) },
  ]

  /// A check that a tone plays.
  /// - Parameters:
  ///   - progress: the position that has to be reached.
  ///   - playback: the time until then, in addition to the usual limit.
  private static func check(
    _ subject: String, _ requirement: String, source: String, progress: Duration = .seconds(1),
    after playback: Duration = .zero, steps: String, manners: @escaping @Sendable (inout Manners, CheckContext) -> Void
  ) -> Check {
    Check(
      "http/\(subject)", .media, .practice, requirement, source: source, needs: needs, changes: [.transport],
      steps: "Plays a tone. \(steps) Passes if the position rises."
    ) { context async throws(Finding) in
      let media = try await context.serveTone(seconds: 10, Manners { manners(&$0, context) })
      try await context.transport.expectPlays(media, "the file", progress: progress, after: playback)
    }
  }
}

extension PCM {
  /// The byte rate of the tones that checks play, in bytes per second.
  static let byteRate = 176_400
}

extension CheckContext {
  /// Bytes per second for a server that sends a tone this much faster than it is played.
  func byteRate(_ factor: Double) -> Int { Int(Double(PCM.byteRate) * factor * clock.speed) }
}
