import ArgumentParser
import ControlPoint
import Glibc

/// `swiftlet-control sleep`
struct SleepCommand: APICommand {
  static let configuration = CommandConfiguration(
    commandName: "sleep", abstract: "End playback later, with a fade, or show the sleep timer.",
    discussion: """
      Examples:
        swiftlet-control sleep Kitchen 30
        swiftlet-control sleep Kitchen track
        swiftlet-control sleep Kitchen off
      """)

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(help: "Minutes (1 to 1440), track, queue or off. Without it, the timer is shown.") var end: String?
  @OptionGroup var access: APIOptions
  @OptionGroup var options: NetworkOptions

  private var command: AlarmAPI.NewSleep? {
    switch end {
    case "off": .init()
    case "track", "queue": .init(end: end)
    default: end.flatMap { Int($0) }.flatMap { (1...1440).contains($0) ? .init(minutes: $0) : nil }
    }
  }

  func validate() throws {
    guard let end, command == nil else { return }
    throw ValidationError("\"\(end)\" is not an end: give minutes from 1 to 1440, track, queue or off.")
  }

  func run(_ api: SpeakerAPI, _ speaker: RemoteSpeaker, _ session: Session) async throws {
    if let command { return try await api.post("sleep", command) }
    let state: AlarmAPI.State = try await api.get("state")
    try report(["sleep": state.sleep], state.sleep.map(\.words) ?? "off")
  }
}

/// `swiftlet-control alarm`
struct AlarmCommand: APICommand {
  static let configuration = CommandConfiguration(
    commandName: "alarm", abstract: "List, add and change alarms, and snooze or dismiss the one that rings.",
    discussion: """
      Examples:
        swiftlet-control alarm Kitchen
        swiftlet-control alarm Kitchen add 07:00 --days mon-fri --preset 3 --volume 25 --ramp 60
        swiftlet-control alarm Kitchen change 2 --volume 30
        swiftlet-control alarm Kitchen off 2
        swiftlet-control alarm Kitchen snooze
      The list begins with the number of each alarm, for change, remove, on and off. A new alarm rings once unless it has \
      days, and plays the queue unless it names something else.
      """)

  enum Action: String, ExpressibleByArgument, CaseIterable {
    case list, add, change, remove, on, off, snooze, dismiss
  }

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(help: "list, add, change, remove, on, off, snooze or dismiss.") var action: Action = .list
  @Argument(help: "The time of a new alarm, the number of an alarm, or the minutes of a snooze.") var value: String?
  @Option(help: "The time of day.") var time: String?
  @Option(help: "daily, once, or days such as mon-fri or sat,sun.") var days: String?
  @Option(help: "Plays a preset of the radio, by its number.") var preset: Int?
  @Option(help: "Plays the pin in a place, 1 to 6.") var pinPlace: Int?
  @Option(help: "Plays a playlist or a file at an address.") var playlist: String?
  @Flag(help: "Plays the queue.") var queue = false
  @Flag(help: "Plays the built-in tone.") var tone = false
  @Option(help: "The volume, 1 to 100; 0 for that of the speaker.") var volume: Int?
  @Option(help: "Seconds in which the sound rises.") var ramp: Int?
  @Option(help: "Minutes after which the alarm stops by itself.") var limit: Int?
  @Option(help: "Minutes of a snooze.") var snooze: Int?
  @Option(help: "A name.") var name: String?
  @OptionGroup var access: APIOptions
  @OptionGroup var options: NetworkOptions

  func validate() throws {
    let sounds = [preset != nil, pinPlace != nil, playlist != nil, queue, tone].filter { $0 }.count
    if sounds > 1 {
      throw ValidationError("An alarm plays one thing: give one of --preset, --pin-place, --playlist, --queue, --tone.")
    }
    switch action {
    case .add where value == nil: throw ValidationError("Give the time, such as: alarm \(device) add 07:00")
    case .change, .remove, .on, .off:
      if value.flatMap({ UInt32($0) }) == nil {
        throw ValidationError("Give the number of the alarm, as in the list: alarm \(device) \(action.rawValue) 2")
      }
    case .snooze:
      if let value, Int(value) == nil { throw ValidationError("\"\(value)\" is not a number of minutes.") }
    case .list, .dismiss:
      if let value { throw ValidationError("\"\(value)\" is one argument too many.") }
    default: break
    }
  }

  func run(_ api: SpeakerAPI, _ speaker: RemoteSpeaker, _ session: Session) async throws {
    let id = value.flatMap { UInt32($0) }
    switch action {
    case .list: try list(try await api.get("alarms"))
    case .add:
      let added: AlarmAPI.ID = try await api.post("alarms/add", try await fields(api, time: value))
      try report(added, "\(added.id)")
    case .change:
      var fields = try await fields(api, time: time)
      fields.id = id
      try await api.post("alarms/change", fields)
    case .remove: try await api.post("alarms/remove", AlarmAPI.ID(id: id ?? 0))
    case .on, .off: try await api.post("alarms/enable", AlarmAPI.Enable(id: id ?? 0, enabled: action == .on))
    case .snooze: try await api.post("alarms/snooze", AlarmAPI.NewSleep(minutes: value.flatMap { Int($0) }))
    case .dismiss: try await api.post("alarms/dismiss", AlarmAPI.NewSleep())
    }
  }

  private func fields(_ api: SpeakerAPI, time: String?) async throws -> AlarmAPI.Fields {
    var fields = AlarmAPI.Fields(
      name: name, time: time, volume: volume, ramp: ramp, limit: limit, snooze: snooze)
    fields.days = days.map {
      $0 == "once" ? [] : $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    if let preset {
      let state: AlarmAPI.State = try await api.get("state")
      guard state.presets.items.indices.contains(preset - 1) else {
        Terminal.complain("There is no preset \(preset).")
        throw ExitCode(EX_NOHOST)
      }
      (fields.what, fields.preset) = ("preset", state.presets.items[preset - 1].id)
    } else if let pinPlace {
      (fields.what, fields.pin) = ("pin", pinPlace - 1)
    } else if let playlist {
      (fields.what, fields.uri) = ("playlist", playlist)
    } else if tone {
      fields.what = "tone"
    } else if queue || action == .add {
      fields.what = "queue"
    }
    return fields
  }

  private func list(_ alarms: AlarmAPI.Alarms) throws {
    if options.json { return try Terminal.json(alarms) }
    for alarm in alarms.items { Terminal.entry(alarm.words) }
    if let ringing = alarms.ringing { Terminal.entry("\(ringing.id) rings now.") }
    if let snoozed = alarms.snoozed { Terminal.entry("\(snoozed.id) is snoozed until \(snoozed.time ?? "").") }
    for missed in alarms.missed { Terminal.entry("\(missed.id) was missed: \(missed.time ?? "").") }
    if !alarms.clockSet { Terminal.complain("The alarms wait until the clock of the speaker is set.") }
    if alarms.items.isEmpty { Terminal.complain("There are no alarms.") }
  }
}

/// The documents of the API for alarms and the sleep timer: docs/openapi.yaml.
enum AlarmAPI {
  struct NewSleep: Encodable {
    var minutes: Int?
    var end: String?
  }

  struct Sleep: Codable {
    var end: String
    var minutes: Int?
    var seconds: Double?
    var fading: Bool

    var words: String {
      let rest = seconds.map { " (\(Int($0) / 60):\(Int($0) % 60 < 10 ? "0" : "")\(Int($0) % 60))" } ?? ""
      return (minutes.map { "\($0) minutes" } ?? "end of the \(end)") + rest
    }
  }

  struct State: Decodable {
    struct Presets: Decodable { let items: [ID] }
    let sleep: Sleep?
    let presets: Presets
  }

  struct ID: Codable { var id: UInt32 }

  struct Enable: Encodable {
    let id: UInt32
    let enabled: Bool
  }

  struct Fields: Encodable {
    var id: UInt32?
    var name, time: String?
    var days: [String]?
    var what: String?
    var preset: UInt32?
    var pin: Int?
    var uri: String?
    var volume, ramp, limit, snooze: Int?
  }

  struct Moment: Codable {
    let id: UInt32
    let name: String
    let time: String?
  }

  struct Alarm: Codable {
    let id: UInt32
    let name, time: String
    let days: [String]
    let what: String
    let pin: Int?
    let uri, title: String?
    let volume: Int?
    let ramp, limit, snooze: Int
    let enabled: Bool
    let next: String?

    /// One line: `2  07:00  mon tue  preset Radio  25 %  on  Work`.
    var words: String {
      let sound = [what, pin.map { "\($0 + 1)" }, title ?? (what == "playlist" ? uri : nil)].compactMap(\.self)
      let parts = [
        "\(id)", time, days.isEmpty ? "once" : days.joined(separator: " "), sound.joined(separator: " "),
        volume.map { "volume \($0)" }, enabled ? "on" : "off", name.isEmpty ? nil : name,
      ]
      return parts.compactMap(\.self).joined(separator: "  ")
    }
  }

  struct Alarms: Codable {
    let items: [Alarm]
    let clockSet: Bool
    let zone: String
    let next, ringing, snoozed: Moment?
    let missed: [Moment]
  }
}
