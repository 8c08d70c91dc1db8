import ControlPoint
import UPnP

/// The join of two files with SetNextAVTransportURI.
enum JoinChecks {
  static let needs: [Prerequisite] = [.action("AVTransport", "SetNextAVTransportURI")]
  private static let gapless = "AVTransport:1 §2.4.2; xbmc/xbmc#29288: the renderer moves to the next track by itself"
  private static let visible =
    "LMS-Community/slimserver#1367: control points learn of the join from the current URI and send the next one"
  private static let steps = "Plays a tone, stages another while it plays, and waits for the join."

  static let all: [Check] = [
    check(
      "next-prefetched", "The next file is requested before the current one ends.",
      source: "AVTransport:1 §2.4.2: the next resource is named early so that it can be prefetched",
      steps: "Passes if the second tone is requested at least half a second before the end of the first one."
    ) { context, seen throws(Finding) in
      let lead = Figures.seconds(seen.join.lead)
      context.measure("Requested before the end", lead)
      try context.expect(
        seen.join.lead > .milliseconds(500), "a request for the next file before the end of the current one",
        got: "one \(lead) before the end")
    },
    check(
      "join-on-time", "The next file becomes the current one when it begins to play.",
      source: "\(visible); gmediarender 0.0.9 reports it two seconds early",
      steps: "Passes if TrackURI changes less than a second before the end of the first tone."
    ) { context, seen throws(Finding) in
      let early = Figures.milliseconds(seen.join.early)
      context.measure("TrackURI before the end", early)
      try context.expect(
        seen.join.early < .seconds(1), "a change of TrackURI at the end", got: "one \(early) before it")
    },
    check(
      "join", "At the end, the next file plays without a gap of two seconds or more.", source: gapless,
      steps: "Passes if the second tone reaches its first second on time. The gap is measured."
    ) { context, seen throws(Finding) in
      let gap = Figures.milliseconds(seen.join.gap)
      context.measure("Gap", gap)
      try context.expect(seen.join.gap < .seconds(2), "the next file at once", got: "a gap of \(gap)")
    },
    check(
      "current-after-join", "After the join, GetMediaInfo and GetPositionInfo return the next file as the current one.",
      source: visible, steps: "Passes if CurrentURI and TrackURI are then the URI of the second tone."
    ) { context, seen throws(Finding) in
      let url = seen.join.second.url
      try context.expect(seen.uri == url, "the next URI as CurrentURI", got: "\"\(seen.uri)\"")
      try context.expect(seen.track == url, "the next URI as TrackURI", got: "\"\(seen.track)\"")
    },
    check(
      "next-cleared", "After the join, there is no next URI.", source: visible,
      steps: "Passes if NextURI is then empty or NOT_IMPLEMENTED."
    ) { context, seen throws(Finding) in
      try context.expect(["", "NOT_IMPLEMENTED"].contains(seen.next), "an empty NextURI", got: "\"\(seen.next)\"")
    },
    check(
      "join-events", "The join is evented: AVTransportURI or CurrentTrackURI changes.", source: visible,
      needs: [.eventsOf(TransportDriver.service)],
      steps: "Passes if an event then has the URI of the second tone."
    ) { context, seen throws(Finding) in
      try context.expect(
        seen.isEvented, "an event with the URI \(seen.join.second.url)", got: "none within \(context.times.event)")
    },
    Check(
      "avt/2.4.2/same-uri-twice", .playback, .practice, "The same URI can be staged after itself.",
      source: "\(gapless); a playlist can contain a track twice", needs: needs, changes: [.transport],
      steps: "Plays a tone, stages it again, and passes if it plays from the beginning once more."
    ) { context async throws(Finding) in
      let transport = context.transport
      let tone = try await transport.startTone(seconds: context.times.tone / .seconds(1))
      try await transport.setNext(tone)
      try await transport.wait(forPosition: .seconds(2))
      try await transport.waitForTrack(tone.url, within: context.times.tone) { $0 < .seconds(2) }
      let outcome = try await transport.outcomeOfPlay()
      try context.expect(outcome == .plays, "the file once more", got: outcome.description)
    },
    join(
      "join-formats", "A file of another format can follow.", steps: "The second file has another format."
    ) { context async throws(Finding) in
      let sink = try await context.sink()
      let formats = [MediaFormat.mp3, .aac, .vorbis, .opus, .mp4].lazy.compactMap { format in
        format.listed(in: sink).first.flatMap { format.generate(seconds: 8, as: $0) }
      }
      guard let second = formats.first else { throw .skip("Sink lists no second format") }
      return second
    },
    join(
      "join-rates", "A file with another sample rate can follow, and plays at its own speed.",
      source: "hzeller/gmrender-resurrect#202", steps: "The second tone has 48 kHz instead of 44.1 kHz."
    ) { context async throws(Finding) in
      .lossless(PCM(seconds: 8, rate: 48_000), as: try await context.losslessType())
    },
  ]

  /// A check of the visible effects of a join. All of these checks judge the same join.
  private static func check(
    _ subject: String, _ requirement: String, source: String, needs: [Prerequisite] = [], steps: String,
    _ judge: @escaping @Sendable (CheckContext, SeenJoin) throws(Finding) -> Void
  ) -> Check {
    Check(
      "avt/2.4.2/\(subject)", .playback, .practice, requirement, source: source, needs: self.needs + needs,
      changes: [.transport], steps: "\(Self.steps) \(steps)"
    ) { context async throws(Finding) in
      try judge(
        context,
        try await context.shared.value("join", isLogged: true) { () async throws(Finding) in
          try await context.seenJoin()
        })
    }
  }

  /// A check of a join with a file that differs from the first.
  private static func join(
    _ subject: String, _ requirement: String, source: String = gapless, steps: String,
    second: @escaping @Sendable (CheckContext) async throws(Finding) -> GeneratedMedia
  ) -> Check {
    Check(
      "avt/2.4.2/\(subject)", .playback, .practice, requirement, source: source, needs: needs, changes: [.transport],
      steps: "\(Self.steps) \(steps) Passes if it plays after the join, at its own speed."
    ) { context async throws(Finding) in
      let second = try await context.serve(try await second(context))
      let join = try await context.join(with: second)
      context.measure("Gap", Figures.milliseconds(join.gap))
      guard let speed = try await context.transport.speed() else {
        throw .failure(expected: "that the second file plays", got: "a position that does not rise")
      }
      context.measure("Speed", "\(Int((speed * 100).rounded())) %")
      try context.expect((0.7...1.4).contains(speed), "the speed of the file", got: "\(Int(speed * 100)) %")
    }
  }
}

/// The measurements of a join.
struct Join: Sendable {
  let second: ServedMedia
  /// The time from the request for the second file to the end of the first one.
  let lead: Duration
  /// The time from the change of TrackURI to the end of the first one.
  let early: Duration
  /// Delay of the second file, measured when it reaches one second.
  let gap: Duration
}

/// The effects of a join that control points see.
struct SeenJoin: Sendable {
  let join: Join
  /// CurrentURI, TrackURI and NextURI afterwards.
  let uri: String
  let track: String
  let next: String
  /// Whether an event has the URI of the second file; false without events.
  let isEvented: Bool
}

extension CheckContext {
  fileprivate func seenJoin() async throws(Finding) -> SeenJoin {
    guard missing(.eventsOf(TransportDriver.service)) == nil else { return try await seenJoin(with: nil) }
    var isSubscribed = false
    do throws(Finding) {
      return try await withSubscription(to: service(TransportDriver.service)) { subscription async throws(Finding) in
        isSubscribed = true
        return try await seenJoin(with: subscription)
      }
    } catch {
      // Without events, the join can still be judged.
      guard !isSubscribed else { throw error }
      return try await seenJoin(with: nil)
    }
  }

  private func seenJoin(with subscription: EventSubscription?) async throws(Finding) -> SeenJoin {
    let join = try await join()
    let info = try await transport.call("GetMediaInfo")
    let track = try await transport.trackURI()
    let url = join.second.url
    let event = await subscription?.wait(times.event) { events in
      events.lazy.flatMap { (try? EventReader.read($0.body).variables) ?? [] }.first { variable in
        ["AVTransportURI", "CurrentTrackURI"].contains(variable.name) && variable.value == url
      }
    }
    return SeenJoin(
      join: join, uri: info["CurrentURI"] ?? "", track: track, next: info["NextURI"] ?? "",
      isEvented: event != nil)
  }

  /// Plays a tone of a few seconds, stages another file, and waits until that has played for a second.
  func join(with file: ServedMedia? = nil) async throws(Finding) -> Join {
    let seconds = times.tone / .seconds(1)
    let first = try await serveTone(seconds: seconds)
    let second: ServedMedia
    if let file { second = file } else { second = try await serveTone(seconds: seconds) }
    try await transport.start(first)
    try await transport.setNext(second)
    // The positions of many devices are whole seconds: the moments at which they rise are precise.
    let begin = try await transport.waitForTrack(first.url, within: .seconds(1)) { $0 >= .seconds(1) }
    let end = begin + clock.real(times.tone - .seconds(1))
    let change = try await transport.waitForTrack(second.url, within: times.tone) { _ in true }
    // A device that changes the URI early still reports the position of the first file.
    try await transport.waitForTrack(second.url, within: times.tone) { time in
      (clock.now - begin) * clock.speed - time > .milliseconds(500)
    }
    let progress = try await transport.waitForTrack(second.url, within: .seconds(1)) { $0 >= .seconds(1) }
    return Join(
      second: second, lead: (second.gets.first.map { end - $0.time } ?? .zero) * clock.speed,
      early: (end - change) * clock.speed, gap: (progress - end) * clock.speed - .seconds(1))
  }
}

extension TransportDriver {
  func trackURI() async throws(Finding) -> String { try await call("GetPositionInfo")["TrackURI"] ?? "" }

  /// Polls until a track is the current one and its position meets a condition.
  /// - Parameter playback: the usual time until then.
  /// - Throws: a failure if the device stops, or if the time is over.
  @discardableResult
  func waitForTrack(
    _ url: String, within playback: Duration, until isMet: (Duration) -> Bool
  ) async throws(Finding) -> ContinuousClock.Instant {
    let deadline = context.clock.now + context.clock.real(playback) + context.times.effect
    while true {
      let position = try await position()
      let uri = position.values["TrackURI"] ?? ""
      if uri == url, let time = position.time, isMet(time) { return context.clock.now }
      let state = try await state()
      guard state != .stopped, state != .noMedia else {
        throw .failure(expected: "PLAYING \(url)", got: state.rawValue)
      }
      guard context.clock.now < deadline, !Task.isCancelled else {
        let time = position.values["RelTime"] ?? "no position"
        throw .failure(expected: "progress in \(url)", got: "\(state.rawValue), \(time) in \(uri)")
      }
      await context.clock.sleep(.milliseconds(50))
    }
  }
}
