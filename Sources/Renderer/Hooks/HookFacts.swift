import SpeakerCore

/// Facts about the event and the speaker for the environment of a command.
struct HookFacts: Sendable {
  private let values: [HookVariable: String]

  /// Limit of one value, in characters, because the kernel limits the size of the environment.
  private static let limit = 4096

  /// - Parameter present: the names of the present people; nil while presence is off.
  init(_ event: HookEvent, of speaker: SpeakerState, present: String?) {
    var values: [HookVariable: String] = [
      .event: event.rawValue, .speaker: speaker.name, .state: speaker.state.shortWord, .source: speaker.source.word,
      .standby: speaker.isStandby ? "1" : "0", .volume: "\(speaker.volume)", .mute: speaker.isMuted ? "1" : "0",
      .uri: speaker.trackURI ?? "", .title: speaker.title ?? "", .artist: speaker.artist ?? "",
      .album: speaker.album ?? "", .duration: speaker.duration.map { "\($0.components.seconds)" } ?? "",
    ]
    values[.presence] = present
    let alarms = speaker.alarms
    values[.alarm] = alarms.word
    values[.alarmName] = (alarms.ringing ?? alarms.snoozed)?.name ?? ""
    self.values = values
  }

  func added(to environment: [String: String]) -> [String: String] {
    values.reduce(into: environment) { environment, fact in
      let text = fact.value.unicodeScalars.prefix(Self.limit).filter { $0 != "\0" }
      environment[fact.key.variable] = String(String.UnicodeScalarView(text))
    }
  }
}
