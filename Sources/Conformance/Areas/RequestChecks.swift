import ControlPoint
import MediaOrigin
import UPnP

/// The form of the device's requests to media servers.
enum RequestChecks {
  private static let needs = OriginChecks.needs

  static let all: [Check] = [
    check(
      "rfc9112/3.2/media-host", .must, "Requests for media have the Host header of the URL.",
      source: "RFC 9112 §3.2: a client must send a Host header field that is identical to the authority of the URI",
      steps: "Passes if Host is the address and port of the URL."
    ) { context, media, request throws(Finding) in
      let authority = HTTPURL(media.url)?.authority ?? ""
      let host = request["Host"] ?? ""
      try context.expect(host == authority, "Host: \(authority)", got: host.isEmpty ? "no Host" : "Host: \(host)")
    },
    check(
      "rfc9110/10.1.5/media-user-agent", .should, "Requests for media have a User-Agent header.",
      source: "RFC 9110 §10.1.5: a user agent should send it in each request",
      steps: "Passes if there is a User-Agent. The other headers and the times of the first request are measured."
    ) { context, media, request throws(Finding) in
      let names = ["User-Agent", "Range", "Icy-MetaData", "getcontentFeatures.dlna.org", "transferMode.dlna.org"]
      for name in names + ["Connection"] { context.measure(name, request[name] ?? "not sent") }
      context.measure("Methods", media.requests.map(\.method).joined(separator: ", "))
      let agent = request["User-Agent"] ?? ""
      try context.expect(!agent.isEmpty, "a User-Agent header", got: "none")
    },
    check(
      "rfc9110/14.1.1/media-range", .must, "A Range header of a request for media is valid.",
      source: "RFC 9110 §14.1.1 and §14.2: the grammar of byte ranges",
      steps: "Passes if each Range is bytes=FIRST-LAST, bytes=FIRST- or bytes=-COUNT."
    ) { context, media, _ throws(Finding) in
      let invalid = media.requests.compactMap { $0["Range"] }.filter { !isRange($0) }
      try context.expectNone(invalid.map { "\"\($0)\"" }, "valid ranges")
    },
    Check(
      "http/start-time", .media, .practice, "A file is requested and plays within five seconds after Play.",
      source: "LMS-Community/slimserver#1367: the delay between tracks without SetNextAVTransportURI", needs: needs,
      changes: [.transport],
      steps: "Plays a tone from a fast server. Measures the time until the request and until PLAYING."
    ) { context async throws(Finding) in
      let media = try await context.serveTone(seconds: 10)
      try await context.transport.set(media)
      let start = context.clock.now
      try await context.transport.play()
      try await context.transport.wait(for: .playing)
      let playing = (context.clock.now - start) * context.clock.speed
      let request = media.gets.first.map { ($0.time - start) * context.clock.speed }
      let early = "before Play"
      context.measure(
        "Play to the first request", request.map { $0 < .zero ? early : Figures.milliseconds($0) } ?? "no request")
      context.measure("Play to PLAYING", Figures.milliseconds(playing))
      try context.expect(playing < .seconds(5), "PLAYING within five seconds", got: Figures.milliseconds(playing))
    },
  ]

  /// A check of the first request for a tone.
  private static func check(
    _ id: String, _ level: Level, _ requirement: String, source: String, steps: String,
    _ judge: @escaping @Sendable (CheckContext, ServedMedia, RecordedRequest) throws(Finding) -> Void
  ) -> Check {
    Check(
      id, .media, level, requirement, source: source, needs: needs, changes: [.transport],
      steps: "Plays a tone. \(steps)"
    ) { context async throws(Finding) in
      let media = try await context.transport.startTone()
      guard let request = await media.waitForGet(within: context.times.transition) else {
        throw .failure(expected: "a request for the file", got: "none")
      }
      try judge(context, media, request)
    }
  }

  /// One byte range (RFC 9110 §14.1.2).
  private static func isRange(_ text: String) -> Bool {
    guard text.lowercased().hasPrefix("bytes=") else { return false }
    let bounds = text.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard bounds.count == 2, bounds.contains(where: { !$0.isEmpty }) else { return false }
    let numbers = bounds.map { Int(device: $0) }
    guard zip(bounds, numbers).allSatisfy({ $0.isEmpty || ($1 ?? -1) >= 0 }) else { return false }
    guard let first = numbers[0], let last = numbers[1] else { return true }
    return first <= last
  }
}
