import ArgumentParser
import ControlPoint
import Glibc

/// `swiftlet-control queue`
struct QueueCommand: DeviceCommand {
  static let configuration = CommandConfiguration(commandName: "queue", abstract: "List the speaker's queue.")

  @Argument(help: .device, completion: .devices) var device: String = DeviceNames.defaultMark
  @OptionGroup var options: NetworkOptions

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    let queue = try await speaker.queue()
    if queue.entries.isEmpty, !options.json { Terminal.complain("The queue is empty.") }
    for (index, entry) in queue.entries.enumerated() {
      let isCurrent = index == queue.currentIndex
      if options.json {
        try Terminal.json(Line(entry, number: index + 1, isCurrent: isCurrent))
      } else {
        Terminal.entry(
          TrackText.numbered(index + 1, of: queue.entries.count, TrackText.line(entry.item.track), isCurrent),
          isCurrent: isCurrent)
      }
    }
  }

  private struct Line: Encodable {
    /// From 1.
    var number: Int
    var id: UInt32?
    var current: Bool
    var track: TrackLine

    init(_ entry: SpeakerQueue.Entry, number: Int, isCurrent: Bool) {
      self.number = number
      id = entry.id
      current = isCurrent
      track = TrackLine(entry.item.track)
    }
  }
}

/// `swiftlet-control jump`
struct JumpCommand: DeviceCommand {
  static let configuration = CommandConfiguration(
    commandName: "jump", abstract: "Play a track of the speaker's queue.",
    discussion: "Example: swiftlet-control jump Kitchen 3")

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(help: "Number in the list that queue prints.") var number: Int
  @OptionGroup var options: NetworkOptions

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    let entry = try await speaker.queue().entry(number)
    guard let id = entry.id else { throw ControlPointError.notOffered("a queue of its own") }
    try await speaker.play(id: id)
    try report(["number": number], TrackText.line(entry.item.track))
  }
}

/// `swiftlet-control reorder`
struct ReorderCommand: DeviceCommand {
  static let configuration = CommandConfiguration(
    commandName: "reorder", abstract: "Move a track to another place in the speaker's queue.",
    discussion: """
      The track that plays cannot be moved, since it would stop.
      Example: swiftlet-control reorder Kitchen 5 2
      """)

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(help: "Number in the list that queue prints.") var number: Int
  @Argument(help: "The number that it gets.") var to: Int
  @OptionGroup var options: NetworkOptions

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    let queue = try await speaker.queue()
    let entry = try queue.entry(number)
    _ = try queue.entry(to)
    guard number - 1 != queue.currentIndex else {
      Terminal.complain("The current track cannot be moved, since it would stop.")
      throw ExitCode(1)
    }
    if number != to { try await speaker.move(entry, after: queue.predecessor(moving: number, to: to)) }
    try report(["number": to])
  }
}

extension SpeakerQueue {
  /// - Parameter number: from 1.
  /// - Throws: `ExitCode`, after a message, if the queue is shorter.
  fileprivate func entry(_ number: Int) throws -> Entry {
    if entries.indices.contains(number - 1) { return entries[number - 1] }
    Terminal.complain(
      entries.isEmpty
        ? "The queue is empty." : "There is no track \(number): the queue has the tracks 1 to \(entries.count).")
    throw ExitCode(EX_NOHOST)
  }

  /// The id after which an entry belongs so that it gets a number; 0 for the front. Numbers are from 1.
  func predecessor(moving number: Int, to target: Int) -> UInt32 {
    let others = entries.enumerated().filter { $0.offset != number - 1 }.map(\.element)
    let index = target - 2
    return others.indices.contains(index) ? others[index].id ?? 0 : 0
  }
}

/// `swiftlet-control remove`
struct RemoveCommand: DeviceCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove tracks from the speaker's queue.",
    discussion: "Example: swiftlet-control remove Kitchen 3 7-9")

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(
    help: ArgumentHelp("Number in the list that queue prints, or a range such as 7-9.", valueName: "number"))
  var numbers: [String]
  @OptionGroup var options: NetworkOptions

  func validate() throws { _ = try ranges() }

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    let ranges = try ranges()
    // Throws if the speaker has no queue that can be changed.
    try await speaker.remove(at: [])
    let count = try await speaker.queue().entries.count
    guard let last = ranges.map(\.upperBound).max(), last <= count else {
      Terminal.complain(count == 0 ? "The queue is empty." : "The last number of the queue is \(count).")
      throw ExitCode(EX_NOHOST)
    }
    let indices = Set(ranges.flatMap { $0.map { $0 - 1 } }).sorted()
    try await speaker.remove(at: indices)
    try report(["removed": indices.count])
  }

  private func ranges() throws -> [ClosedRange<Int>] {
    try numbers.map { text in
      let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], first >= 1,
        first <= last, last <= 100_000
      else { throw ValidationError("\"\(text)\" is not a number in the queue. Examples: 3, 7-9") }
      return first...last
    }
  }
}

/// `swiftlet-control clear`
struct ClearCommand: DeviceCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Remove all tracks from the speaker's queue, which stops it.")
  static let allowsSeveral = true

  @Argument(help: .device, completion: .devices) var device: String = DeviceNames.defaultMark
  @OptionGroup var options: NetworkOptions

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    try await speaker.clear()
    try report(["done": "clear"])
  }
}
