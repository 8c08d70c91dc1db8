import ArgumentParser
import ControlPoint
import Glibc
import NIOCore

/// `swiftlet-control watch`
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Show the events of a device as they arrive, one per line.",
    discussion: """
      Each line has the time, the service, the kind of event and the variables. An "initial" event has all variables, a \
      "change" those that changed. "missed" counts lost events, and "lapsed" gives the reason why none arrive. While a \
      service sends no events, it is polled every second. Ctrl-C ends the subscriptions with exit status 0.
      """)

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(
    help: ArgumentHelp("Service, such as AVTransport; by default all with evented variables.", valueName: "service"))
  var services: [String] = []
  @Option(help: ArgumentHelp("Do not subscribe, but poll at this interval.", valueName: "seconds")) var poll: Double?
  @Flag(help: "Never poll, even if the events fail.") var eventsOnly = false
  @Option(help: ArgumentHelp("Stop after this many events.", valueName: "events")) var count: Int?
  @OptionGroup var options: NetworkOptions

  func validate() throws {
    if let poll, !(0.1...3600).contains(poll) { throw ValidationError("--poll is 0.1 to 3600 seconds.") }
    if poll != nil, eventsOnly { throw ValidationError("--poll and --events-only exclude each other.") }
    if let count, count < 1 { throw ValidationError("--count is at least 1.") }
  }

  func run() async throws {
    try await Session.run(options, devices: [device]) { session in
      let watched = try await watched(session)
      let printer = EventPrinter(json: options.json, limit: count)
      try await Interruption.cancels { [policy] in await Self.show(watched, policy, printer) }
    }
  }

  private var policy: EventPolicy {
    if eventsOnly { return .eventsOnly }
    return poll.map { .pollOnly(interval: .milliseconds(Int64($0 * 1000))) } ?? .standard
  }

  /// The services to watch.
  private func watched(_ session: Session) async throws -> [RemoteService] {
    let device =
      if let service = services.first { try await session.device(device, with: service) } else {
        try await session.device(device)
      }
    guard services.isEmpty else {
      var named: [RemoteService] = []
      for name in services {
        guard let service = device.service(named: name) else {
          throw ControlPointError.notOffered(
            "the service \(name); it has \(device.services.map(\.name).joined(separator: ", "))")
        }
        named.append(try await session.controlPoint.service(service))
      }
      return named
    }
    var evented: [RemoteService] = []
    for service in device.services {
      do throws(ControlPointError) {
        let service = try await session.controlPoint.service(service)
        if service.scpd.variables.contains(where: \.isEvented) { evented.append(service) }
      } catch {
        Terminal.complain(error.description)
      }
    }
    guard !evented.isEmpty else { throw ControlPointError.notOffered("evented variables") }
    return evented
  }

  /// Prints events until the printer has enough, all sequences end, or the task is cancelled.
  private static func show(_ services: [RemoteService], _ policy: EventPolicy, _ printer: EventPrinter) async {
    await withTaskGroup(of: Bool.self) { group in
      for service in services {
        group.addTask {
          for await event in service.events(policy) {
            guard await printer.print(event, of: service.description.name) else { return true }
          }
          return false
        }
      }
      // A service may send no event for a long time after the reader of a pipe has left.
      group.addTask {
        while !Task.isCancelled, !Terminal.isClosed { try? await Task.sleep(for: .seconds(1)) }
        return true
      }
      var remaining = services.count
      for await isEnough in group {
        remaining -= 1
        if isEnough || remaining == 0 { group.cancelAll() }
      }
    }
  }
}

/// Prints the events of several services, one per line.
private actor EventPrinter {
  private struct Line: Encodable {
    var time, service, event: String
    var variables: [String: String]?
    var count: Int?
    var reason: String?
  }

  private let json: Bool
  private var remaining: Int?

  init(json: Bool, limit: Int?) {
    self.json = json
    remaining = limit
  }

  /// - Returns: false after the last event, and if the output is closed.
  func print(_ event: ServiceEvent<EventedVariables>, of service: String) -> Bool {
    if let remaining {
      guard remaining > 0 else { return false }
      self.remaining = remaining - 1
    }
    switch event {
    case .initial(let state): print("initial", state, of: service)
    case .change(_, let changes): print("change", changes, of: service)
    case .missed(let count): print(Line(time: "", service: service, event: "missed", count: count), "\(count)")
    case .lapsed(let reason):
      print(Line(time: "", service: service, event: "lapsed", reason: reason.description), reason.description)
    }
    // Pipes are not flushed by line.
    return fflush(nil) == 0 && remaining != 0
  }

  private func print(_ kind: String, _ variables: EventedVariables, of service: String) {
    let fields = variables.map { (key: $0.name + ($0.channel.map { "[\($0)]" } ?? ""), value: $0.value) }
    let line = Line(
      time: "", service: service, event: kind,
      variables: Dictionary(fields.map { ($0.key, $0.value) }) { _, last in last })
    print(line, fields.map { "\($0.key)=\(Self.quoted($0.value))" }.joined(separator: " "))
  }

  private func print(_ line: Line, _ text: String) {
    var line = line
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    var parts = tm()
    if json {
      gmtime_r(&time.tv_sec, &parts)
      line.time = Self.day(parts) + "T" + Self.clock(parts, time) + "Z"
      try? Terminal.json(line)
    } else {
      localtime_r(&time.tv_sec, &parts)
      Terminal.print("\(Self.clock(parts, time)) \(line.service) \(line.event) \(text)")
    }
  }

  private static func day(_ parts: tm) -> String {
    "\(1900 + parts.tm_year)-\(padded(Int(parts.tm_mon) + 1, 2))-\(padded(Int(parts.tm_mday), 2))"
  }

  private static func clock(_ parts: tm, _ time: timespec) -> String {
    [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded(Int($0), 2) }.joined(separator: ":")
      + "." + padded(time.tv_nsec / 1_000_000, 3)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// The value in quotes if it is empty or contains blanks.
  private static func quoted(_ value: String) -> String {
    guard value.isEmpty || value.contains(where: { $0.isWhitespace || $0 == "\"" }) else { return value }
    return "\"" + value.replacing("\"", with: "\\\"") + "\""
  }
}
