import UPnP

/// OpenHome's Radio while it plays.
enum RadioPlaybackChecks {
  private static let service = RadioChecks.service

  static let all: [Check] = [
    playing(
      "play", .must, "SetChannel and Play play the media at the URI.", source: RadioChecks.wiki,
      steps: "Sends SetChannel with a tone, and Play. The tone has to be fetched, and the state has to become Playing."
    ) { context async throws(Finding) in _ = try await start(context, seconds: 10) },
    playing(
      "end", .must, "A channel of finite length is played to its end, and then the radio stops.",
      source: RadioChecks.wiki, steps: "Plays a tone of 2 s. TransportState has to become Stopped after its end."
    ) { context async throws(Finding) in
      _ = try await start(context, seconds: 2)
      try await wait(context, for: "Stopped", after: .seconds(2))
    },
    playing(
      "stop", .practice, "Stop makes TransportState Stopped, and the connection is closed.",
      source: "OpenHome wiki, Av:Developer:RadioService; a station would go on sending",
      steps: "Plays a tone that is sent slowly, and sends Stop. The connection to the tone has to be closed."
    ) { context async throws(Finding) in
      let media = try await context.slowTone()
      try await play(context, media)
      try await context.call(service, "Stop")
      try await wait(context, for: "Stopped")
      try await context.expectRelease(of: media)
    },
    playing(
      "play-again", .practice, "Play after Stop plays the channel again.",
      source: "openhome/ohPipeline: OpenHome/Av/Radio/SourceRadio.cpp",
      steps: "Plays a tone, sends Stop and Play, and waits for a further GET and for Playing."
    ) { context async throws(Finding) in
      let media = try await start(context, seconds: 10)
      try await context.call(service, "Stop")
      try await wait(context, for: "Stopped")
      let count = media.gets.count
      try await context.call(service, "Play")
      try await context.expectFetch(of: media, count + 1)
      try await wait(context, for: "Playing")
    },
    playing(
      "info", .must, "Info shows the URI and metadata of the channel that plays.", source: InfoChecks.wiki,
      needs: [.action(InfoChecks.service, "Track")],
      steps: "Plays a tone and compares Uri and Metadata of Info's Track with those of SetChannel, byte for byte."
    ) { context async throws(Finding) in
      let media = try await start(context, seconds: 10)
      try await context.expectTrack(media)
    },
  ]

  private static func playing(
    _ id: String, _ level: Level, _ requirement: String, source: String, needs: [Prerequisite] = [], steps: String,
    procedure: @escaping @Sendable (CheckContext) async throws(Finding) -> Void
  ) -> Check {
    Check(
      "oh/radio/\(id)", .openHome, level, requirement, source: source,
      needs: [.action(service, "SetChannel"), .action(service, "Play")] + needs, changes: [.channel], steps: steps,
      procedure: procedure)
  }

  private static func start(_ context: CheckContext, seconds: Double) async throws(Finding) -> ServedMedia {
    let media = try await context.serveTone(seconds: seconds)
    try await play(context, media)
    return media
  }

  private static func play(_ context: CheckContext, _ media: ServedMedia) async throws(Finding) {
    try await context.call(service, "SetChannel", [("Uri", media.url), ("Metadata", media.metadata)])
    try await context.call(service, "Play")
    try await context.expectFetch(of: media)
    try await wait(context, for: "Playing")
  }

  private static func wait(
    _ context: CheckContext, for state: String, after playback: Duration = .zero
  ) async throws(Finding) {
    try await context.wait(for: "TransportState \(state)", service, "TransportState", after: playback) { $0 == state }
  }
}
