/// An alarm of the speaker: when it rings, what it plays, and how loud.
public struct ClockAlarm: Sendable, Equatable {
  /// Volume of an alarm that keeps the speaker's volume, if that is lower.
  package static let quietest = 10
  /// The number of alarms that a speaker can have.
  public static let maximumCount = 32
  /// Limits, in seconds for `ramp` and in minutes for the others.
  public static let ramps = 0...3600
  public static let limits = 1...1440
  public static let snoozes = 1...60
  public static let volumes = 1...100
  /// Longest name and address, in bytes.
  public static let longestName = 100
  public static let longestAddress = 4096

  /// Assigned by `AlarmList`.
  public package(set) var id: UInt32 = 0
  public var name = ""
  public var time: TimeOfDay
  /// The days on which it rings; empty for once.
  public var days = Weekdays()
  public var sound: AlarmSound
  /// Steps of 0…100; nil to keep the speaker's volume.
  public var volume: Int?
  /// Seconds in which the sound rises from silence.
  public var ramp = 30
  /// Minutes after which it stops by itself.
  public var limit = 60
  /// Minutes of a snooze.
  public var snooze = 9
  public var isEnabled = true
  /// Occurrences up to this time have rung or were missed, in seconds since 1970. Nil until the clock has been set.
  package var settled: Int64?

  public init(time: TimeOfDay, sound: AlarmSound) { (self.time, self.sound) = (time, sound) }

  public var isOnce: Bool { days.isEmpty }
}

/// What an alarm plays.
public enum AlarmSound: Sendable, Equatable {
  /// A preset of the radio. It is found by its address if its id has changed, and still plays after it was removed.
  case preset(id: UInt32, uri: String, title: String)
  /// The pin in a place, from 1.
  case pin(Int)
  /// The address of a playlist or a file, which replaces the queue.
  case playlist(uri: String)
  /// The queue, from its current track.
  case queue
  /// The built-in tone.
  case tone

  /// The name for programs.
  public var word: String {
    switch self {
    case .preset: "preset"
    case .pin: "pin"
    case .playlist: "playlist"
    case .queue: "queue"
    case .tone: "tone"
    }
  }
}

/// Why a command to the alarms or the sleep timer has no effect.
public enum AlarmError: Error, Sendable, Equatable {
  case unknown
  /// There are `ClockAlarm.maximumCount` alarms.
  case full
  case noSuchPreset
  case emptyPin
  case badAddress
  /// No alarm rings, and none is snoozed.
  case notRinging
  /// Nothing plays whose end the sleep timer could wait for.
  case nothingPlays
  /// A live stream plays, which has no end.
  case noEnd
}

/// A time of day in hours and minutes.
public struct TimeOfDay: Sendable, Hashable, LosslessStringConvertible {
  public let hour: Int
  public let minute: Int

  /// Nil if it does not exist.
  public init?(hour: Int, minute: Int) {
    guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
    (self.hour, self.minute) = (hour, minute)
  }

  /// Reads `7:05` and `07:05`, 0:00 to 23:59.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
      parts.joined().utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let hour = Int(parts[0]), let minute = Int(parts[1])
    else { return nil }
    self.init(hour: hour, minute: minute)
  }

  public var description: String { Self.digits(hour) + ":" + Self.digits(minute) }

  var seconds: Int64 { Int64(hour * 60 + minute) * 60 }

  static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// Days of the week.
public struct Weekdays: OptionSet, Sendable, Hashable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The names for programs, from Monday.
  public static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
  public static let all = Weekdays(rawValue: 0x7F)

  /// - Parameter index: from 0 for Monday.
  public static func day(_ index: Int) -> Weekdays { Weekdays(rawValue: 1 << index) }

  /// The names of the days, from Monday.
  public var words: [String] { Self.names.indices.filter { contains(.day($0)) }.map { Self.names[$0] } }

  /// Reads `mon,wed`, `mon-fri`, `sat-mon`, `daily` and `once`. Nil for anything else.
  public init?(text: String) {
    switch text {
    case "daily": self = .all
    case "once": self = []
    default:
      self = []
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        let ends = part.split(separator: "-", omittingEmptySubsequences: false)
        let indices = ends.compactMap { Self.names.firstIndex(of: String($0)) }
        guard indices.count == ends.count, (1...2).contains(indices.count), let first = indices.first else {
          return nil
        }
        let length = (indices[indices.count - 1] - first + 7) % 7
        for offset in 0...length { insert(.day((first + offset) % 7)) }
      }
    }
  }
}
