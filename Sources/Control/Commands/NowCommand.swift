import ArgumentParser
import ControlPoint
import Glibc
import Synchronization

/// `swiftlet-control now`
struct NowCommand: DeviceCommand {
  static let configuration = CommandConfiguration(
    commandName: "now", abstract: "Show what the speaker plays.",
    discussion: """
      With --follow, a terminal updates one line. A pipe or file gets a line for each change. Ctrl-C ends it.
      """)

  @Argument(help: .device, completion: .devices) var device: String = DeviceNames.defaultMark
  @Flag(help: "Stay and show changes.") var follow = false
  @OptionGroup var options: NetworkOptions

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    guard follow else { return try show(try await speaker.now()) }
    let json = options.json
    try await Interruption.cancels { try await Self.follow(speaker, json: json) }
  }

  private func show(_ now: NowPlaying) throws {
    try report(NowLine(now), NowText.line(now, at: .now))
  }

  /// Shows changes. On a terminal the position advances between them.
  /// - Throws: if the first answer is an error. Later errors are printed, since the speaker may come back.
  private static func follow(_ speaker: RemoteSpeaker, json: Bool) async throws {
    let isProgress = Terminal.isInteractive && !json
    let latest = Latest()
    defer { if isProgress, latest.current != nil { Terminal.endProgress() } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        while !Terminal.isClosed {
          if isProgress, let now = latest.current { Terminal.progress(NowText.line(now, at: .now)) }
          try await Task.sleep(for: .seconds(1))
        }
      }
      group.addTask {
        for await result in speaker.changes() {
          switch result {
          case .success(let now):
            latest.now = now
            if json {
              try Terminal.json(NowLine(now))
            } else if !isProgress {
              Terminal.print(NowText.line(now, at: .now))
            }
            Terminal.flush()
          case .failure(let error):
            guard latest.now != nil else { throw error }
            if isProgress, latest.current != nil { Terminal.endProgress() }
            latest.fail()
            Terminal.complain(error.description)
          }
        }
      }
      try await group.next()
      group.cancelAll()
    }
  }

  /// The last answer of the speaker.
  private final class Latest: Sendable {
    private let value = Mutex<(now: NowPlaying?, isFailure: Bool)>((nil, false))

    var now: NowPlaying? {
      get { value.withLock { $0.now } }
      set { value.withLock { $0 = (newValue, false) } }
    }

    /// Nil while the speaker fails to answer.
    var current: NowPlaying? { value.withLock { $0.isFailure ? nil : $0.now } }

    func fail() { value.withLock { $0.isFailure = true } }
  }
}

/// The playback state as text.
enum NowText {
  /// State, position and title, with the source and the place in its queue in brackets.
  static func line(_ now: NowPlaying, at instant: ContinuousClock.Instant) -> String {
    let isEmpty = now.track == nil && [.stopped, .noMedia].contains(now.state)
    var parts = [isEmpty ? "nothing loaded" : now.state.rawValue]
    if let position = now.position(at: instant), now.track != nil {
      parts.append(TrackText.time(position) + (now.duration.map { " / \(TrackText.time($0))" } ?? ""))
    }
    if let track = now.track { parts.append(TrackText.name(track)) }
    if let title = now.streamTitle, title != now.track?.title { parts.append(title) }
    let number = now.queueIndex.flatMap { index in now.queueCount.map { "\(index + 1)/\($0)" } }
    let place = [now.source?.name, number].compactMap { $0 }
    if !place.isEmpty { parts.append("[\(place.joined(separator: " "))]") }
    return parts.joined(separator: "  ")
  }
}

/// The playback state in JSON.
struct NowLine: Encodable {
  var state: String
  var track: TrackLine?
  var streamTitle, source: String?
  /// Seconds.
  var position, duration: Double?
  /// The position in the queue, from 1, and the length of the queue.
  var number, count: Int?

  init(_ now: NowPlaying) {
    state = now.state.rawValue
    track = now.track.map(TrackLine.init)
    streamTitle = now.streamTitle
    source = now.source?.name
    position = now.position.map { $0 / .seconds(1) }
    duration = now.duration.map { $0 / .seconds(1) }
    number = now.queueIndex.map { $0 + 1 }
    count = now.queueCount
  }
}
