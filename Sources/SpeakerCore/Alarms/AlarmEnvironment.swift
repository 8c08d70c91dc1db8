import PlaybackModel

/// The time of day, as alarms see it.
package protocol AlarmTime: TimeZoneRules {
  /// The name of the time zone, such as `Europe/Berlin`.
  var zoneName: String { get }
  func now() -> AlarmMoment
}

/// What the alarms need from the program. `Renderer` provides it.
package struct AlarmEnvironment {
  /// Calls the body after a time, unless the returned closure was called before.
  package typealias Schedule = (Duration, _ body: @escaping () -> Void) -> () -> Void

  package var time: any AlarmTime
  package var schedule: Schedule
  package var saved = SavedAlarms()
  package var save: (SavedAlarms) -> Void = { _ in }
  /// The address of the built-in tone; nil if it cannot be made.
  package var tone: () -> String? = { nil }
  package var report: (AlarmMachine.Report) -> Void = { _ in }

  package init(time: any AlarmTime, schedule: @escaping Schedule) { (self.time, self.schedule) = (time, schedule) }

  /// An environment in which no time passes.
  package init() { self.init(time: NoTime(), schedule: { _, _ in {} }) }

  private struct NoTime: AlarmTime {
    let zoneName = "UTC"
    func offset(at time: Int64) -> Int64 { 0 }
    func now() -> AlarmMoment { AlarmMoment(wall: .zero, time: .now) }
  }
}
