import DeviceStack
import Playback
import PlaybackModel
import SpeakerCore

/// The alarms and the sleep timer.
final class AlarmsPart: PagePart {
  private let access: Access
  private let radio: RadioSource
  private let feed: StateFeed

  init(_ access: Access, radio: RadioSource, feed: StateFeed) {
    self.access = access
    self.radio = radio
    self.feed = feed
  }

  private struct One: Codable { let id: UInt32 }
  private struct Enable: Decodable {
    let id: UInt32
    let enabled: Bool
  }
  private struct Snooze: Decodable { let minutes: Int? }
  private struct Sleep: Decodable {
    enum End: String, Decodable {
      case track, queue
    }

    let minutes: Int?
    let end: End?
  }

  func add(to routes: PageRoutes) {
    routes.get("/api/alarms") { [feed] _ throws(Problem) in .json(feed.state.alarms.document) }
    routes.post("/api/alarms/add", AlarmFields.self) { [self] body, request throws(Problem) in
      let alarm = try body.alarm(changing: nil, radio.presets)
      return .json(One(id: try access.perform(.alarm(.add(alarm)), request).ids.first ?? 0))
    }
    routes.post("/api/alarms/change", AlarmFields.self) { [self] body, request throws(Problem) in
      guard let id = body.id else { throw .wrong("id", "is missing") }
      guard let old = feed.state.alarms.entries.first(where: { $0.alarm.id == id }) else {
        throw Problem(.alarm(.unknown))
      }
      return try perform(.change(id, to: try body.alarm(changing: old.alarm, radio.presets)), request)
    }
    routes.post("/api/alarms/remove", One.self) { [self] body, request throws(Problem) in
      try perform(.remove(body.id), request)
    }
    routes.post("/api/alarms/enable", Enable.self) { [self] body, request throws(Problem) in
      try perform(.enable(body.id, body.enabled), request)
    }
    routes.post("/api/alarms/snooze", Snooze.self) { [self] body, request throws(Problem) in
      let minutes = try AlarmFields.checked(body.minutes, "minutes", in: ClockAlarm.snoozes)
      return try perform(.snooze(minutes: minutes), request)
    }
    routes.post("/api/alarms/dismiss", NoArguments.self) { [self] _, request throws(Problem) in
      try perform(.dismiss, request)
    }
    routes.post("/api/sleep", Sleep.self) { [access] body, request throws(Problem) in
      let minutes = try AlarmFields.checked(body.minutes, "minutes", in: SleepTimer.minutes)
      let end: SleepTimer.End? =
        switch (minutes, body.end) {
        case (let minutes?, nil): .minutes(minutes)
        case (nil, .track): .track
        case (nil, .queue): .queue
        case (nil, nil): nil
        default: throw .wrong("minutes", "or “end” may be given, but not both")
        }
      try access.perform(.sleep(end), request)
      return .done
    }
  }

  private func perform(_ command: AlarmCommand, _ request: HTTPRequest) throws(Problem) -> APIAnswer {
    try access.perform(.alarm(command), request)
    return .done
  }
}
