import ControlPoint
import UPnP

/// The states of AVTransport (AVTransport:1 §2.2.1).
enum TransportState: String, Sendable, CaseIterable {
  case noMedia = "NO_MEDIA_PRESENT"
  case stopped = "STOPPED"
  case transitioning = "TRANSITIONING"
  case playing = "PLAYING"
  case paused = "PAUSED_PLAYBACK"
  case pausedRecording = "PAUSED_RECORDING"
  case recording = "RECORDING"
}

/// Plays through instance 0 of AVTransport.
struct TransportDriver: Sendable {
  static let service = "AVTransport"

  let context: CheckContext

  /// The position in the current track, and the times between which it was read.
  struct Position: Sendable {
    /// RelTime; nil if it is not a time.
    var time: Duration?
    /// The output arguments by name.
    var values: [String: String]
    /// Just before the request.
    var earliest: ContinuousClock.Instant
    /// Just after the answer.
    var latest: ContinuousClock.Instant
  }

  // MARK: Actions

  /// Calls an action. A fault is returned, not thrown.
  func answer(
    _ action: String, _ arguments: [(name: String, value: String)] = []
  ) async throws(Finding) -> SOAPAnswer {
    try await context.answer(Self.service, action, [("InstanceID", "0")] + arguments)
  }

  /// Calls an action that has to succeed.
  @discardableResult
  func call(
    _ action: String, _ arguments: [(name: String, value: String)] = []
  ) async throws(Finding) -> [String: String] {
    try await context.call(Self.service, action, [("InstanceID", "0")] + arguments)
  }

  func set(uri: String, metadata: String) async throws(Finding) {
    try await call("SetAVTransportURI", [("CurrentURI", uri), ("CurrentURIMetaData", metadata)])
  }

  func set(_ media: ServedMedia) async throws(Finding) { try await set(uri: media.url, metadata: media.metadata) }

  func setNext(uri: String, metadata: String) async throws(Finding) {
    try await call("SetNextAVTransportURI", [("NextURI", uri), ("NextURIMetaData", metadata)])
  }

  func setNext(_ media: ServedMedia) async throws(Finding) {
    try await setNext(uri: media.url, metadata: media.metadata)
  }

  func play() async throws(Finding) { try await call("Play", [("Speed", "1")]) }

  func pause() async throws(Finding) { try await call("Pause") }

  func stop() async throws(Finding) { try await call("Stop") }

  func seek(_ unit: String = "REL_TIME", to target: String) async throws(Finding) {
    try await call("Seek", [("Unit", unit), ("Target", target)])
  }

  // MARK: States

  func state() async throws(Finding) -> TransportState {
    let text = try await context.output("CurrentTransportState", of: "GetTransportInfo", Self.service)
    guard let state = TransportState(rawValue: text) else {
      throw .failure(expected: "a state of the template", got: "\"\(text)\"")
    }
    return state
  }

  func position() async throws(Finding) -> Position {
    let earliest = context.clock.now
    let values = try await call("GetPositionInfo")
    return Position(
      time: values["RelTime"].flatMap { UPnPTime.duration($0) }, values: values, earliest: earliest,
      latest: context.clock.now)
  }

  /// - Parameters:
  ///   - limit: nil for the usual one.
  ///   - playback: playback time to allow, in addition to the limit.
  /// - Returns: false if the time is over.
  func poll(
    _ limit: Duration? = nil, after playback: Duration = .zero, _ isMet: () async throws(Finding) -> Bool
  ) async throws(Finding) -> Bool {
    let deadline = context.clock.now + context.clock.real(playback) + (limit ?? context.times.effect)
    while try await !isMet() {
      guard context.clock.now < deadline, !Task.isCancelled else {
        context.noteLateness()
        return false
      }
      await context.clock.sleep(.milliseconds(100))
    }
    return true
  }

  /// Polls until the device is in one of the states.
  /// - Parameter playback: playback time to allow, in addition to the usual limit.
  @discardableResult
  func wait(for states: TransportState..., after playback: Duration = .zero) async throws(Finding) -> TransportState {
    var last = TransportState.noMedia
    let begins = states.contains(.playing) || states.contains(.transitioning)
    let isMet = try await poll(begins ? context.times.transition : nil, after: playback) {
      () async throws(Finding) -> Bool in
      last = try await state()
      return states.contains(last)
    }
    try context.expect(isMet, "the state \(Self.list(states))", got: last.rawValue)
    return last
  }

  /// Polls until the position is at or after a time.
  func wait(forPosition time: Duration) async throws(Finding) {
    var last = "none"
    let isMet = try await poll(after: time) { () async throws(Finding) -> Bool in
      let position = try await position()
      last = position.values["RelTime"] ?? "none"
      return position.time.map { $0 >= time } ?? false
    }
    try context.expect(isMet, "a position of \(UPnPTime.text(time))", got: last)
  }

  /// Positions are whole seconds, and devices count the sound card's buffer differently.
  private static let tolerance = Duration.milliseconds(1500)

  /// Checks that the position has risen like the time since an earlier one.
  /// - Parameter shortest: the least rise, if playback was interrupted; nil for the time since the earlier position.
  func expectProgress(since first: Position, atLeast shortest: Duration? = nil) async throws(Finding) {
    let second = try await position()
    guard let start = first.time, let end = second.time else {
      throw .failure(expected: "times in RelTime", got: "\(first.values["RelTime"] ?? "none")")
    }
    let longest = context.clock.time(from: first.earliest, to: second.latest)
    let least = shortest ?? context.clock.time(from: first.latest, to: second.earliest)
    try context.expect(
      (least - Self.tolerance...longest + Self.tolerance).contains(end - start),
      "RelTime to rise by \(shortest == nil ? "" : "at most ")\(Figures.seconds(longest))",
      got: "\(UPnPTime.text(start)) and then \(UPnPTime.text(end))")
  }

  /// Waits until a tone that plays has ended. A device that is still playing it is slow, and not at fault.
  /// - Parameter duration: of the tone.
  func waitForEnd(of duration: Duration) async throws(Finding) {
    var last: Duration?
    for _ in 0..<Self.patience {
      let isOver = try await poll(after: duration) { () async throws(Finding) -> Bool in
        [.stopped, .noMedia].contains(try await state())
      }
      if isOver { return }
      let time = try await position().time ?? duration
      // Positions are whole seconds.
      guard time < duration - .seconds(1), time > last ?? .zero else {
        try await wait(for: .stopped, .noMedia)
        return
      }
      last = time
    }
    throw .inconclusive("the device plays a tone of \(Figures.seconds(duration)) too slowly")
  }

  /// How often the time for a tone may pass while it goes on playing.
  private static let patience = 3

  /// Sets a file, plays it, and waits for the state PLAYING.
  func start(_ media: ServedMedia) async throws(Finding) {
    try context.require("avt/2.4/play")
    try await set(media)
    try await begin()
    try await wait(for: .playing)
  }

  /// Sends Play, which Rygel refuses with 701 if it has begun to play with SetAVTransportURI.
  func begin() async throws(Finding) {
    let answer = try await answer("Play", [("Speed", "1")])
    guard answer.results == nil else { return }
    if answer.faultCode == 701, [.playing, .transitioning].contains(try await state()) { return }
    throw .failure(expected: "success of Play", got: answer.summary)
  }

  /// A tone that plays.
  /// - Parameter seconds: nil for a duration that leaves time for some actions, which is ten seconds for most devices.
  func startTone(seconds: Double? = nil) async throws(Finding) -> ServedMedia {
    let media = try await context.serveTone(seconds: seconds ?? 10 + context.times.slack.inSeconds)
    try await start(media)
    return media
  }

  static func list(_ states: [TransportState]) -> String { states.map(\.rawValue).joined(separator: " or ") }
}

extension CheckContext {
  var transport: TransportDriver { TransportDriver(context: self) }
}
