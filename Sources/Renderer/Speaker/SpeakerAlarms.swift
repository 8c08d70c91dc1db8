import Logging
import NIOCore
import PlaybackModel
import SpeakerCore

extension AlarmEnvironment {
  /// The alarms' environment on the event loop.
  init(keeper: StateKeeper, tone: AlarmTone, eventLoop: any EventLoop, logger: Logger) {
    let time = SystemTime(timeServer: TimeServer())
    self.init(
      time: time,
      schedule: { wait, body in
        let (seconds, attoseconds) = wait.components
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        let task = eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(nanoseconds), body)
        return { task.cancel() }
      })
    saved = keeper.alarms
    save = keeper.save
    self.tone = { tone.prepare() }
    report = { logger.log(level: $0.level, "\($0.text(in: time))") }
  }
}

extension AlarmMachine.Report {
  fileprivate var level: Logger.Level {
    switch self {
    case .rings, .snoozed, .ended: .notice
    case .tone, .missed, .waitsForClock: .warning
    }
  }

  /// The log never contains names or addresses of users' music, but the names of alarms are the owner's own.
  fileprivate func text(in zone: some TimeZoneRules) -> String {
    switch self {
    case .rings(let alarm): "The alarm\(Self.name(alarm.name)) rings."
    case .tone(let alarm): "The alarm\(Self.name(alarm.name)) cannot be heard. The built-in tone sounds instead."
    case .snoozed(let alarm, let minutes): "The alarm\(Self.name(alarm.name)) snoozes for \(minutes) min."
    case .ended(let alarm): "The alarm\(Self.name(alarm.name)) has ended."
    case .missed(let missed):
      """
      The alarm\(Self.name(missed.name)) of \(zone.text(of: missed.due)) was missed: the speaker was off, or its clock was \
      wrong.
      """
    case .waitsForClock: "Alarms wait until the clock of this machine is set."
    }
  }

  private static func name(_ name: String) -> String { name.isEmpty ? "" : " “\(name)”" }
}
