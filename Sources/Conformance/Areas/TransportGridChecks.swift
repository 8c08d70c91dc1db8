import ControlPoint
import MediaOrigin
import UPnP

/// Every action in every state.
enum TransportGridChecks {
  static let all: [Check] = [
    .playing(
      "avt/2.4/grid", "In every state, an action either leads to its state, or is refused and changes nothing.",
      area: .avTransport, limit: .seconds(240),
      source: "the effects of the actions in AVTransport:1 §2.4 and the transport states in §2.5",
      steps: """
        Brings the device into NO_MEDIA_PRESENT, STOPPED, PLAYING, PAUSED_PLAYBACK, TRANSITIONING and STOPPED after an \
        error, and sends each action. Passes if a successful action leads to a state that the template allows, a refused \
        one leaves the state alone, and all getters answer. The report has the table.
        """
    ) { transport async throws(Finding) in
      var grid = TransportGrid(transport)
      try await grid.fill()
      transport.context.show(grid.table)
      try transport.context.expectNone(grid.problems, "states as in the template")
    },
    .playing(
      "avt/2.4/actions-work", "The actions in CurrentTransportActions are accepted.", area: .avTransport,
      source: "measured with gmediarender 0.1 and Rygel 0.42.1",
      needs: [.transport("GetCurrentTransportActions")],
      steps: """
        Brings the device into STOPPED, PLAYING and PAUSED_PLAYBACK, and sends each action that \
        GetCurrentTransportActions lists. Passes if none is refused.
        """
    ) { transport async throws(Finding) in
      let grid = TransportGrid(transport)
      var refused: [String] = []
      for situation in [TransportGrid.Situation.stopped, .playing, .paused] where grid.canReach(situation) {
        guard try await grid.bring(to: situation) else { continue }
        let listed = try await transport.actions()
        for action in TransportGrid.Action.allCases where listed.contains(action.rawValue) {
          guard try await grid.enter(situation) else { continue }
          if let code = try await grid.send(action).faultCode {
            refused.append("\(code) for \(action.rawValue) in \(situation.name)")
          }
        }
      }
      try transport.context.expectNone(refused, "success of the listed actions")
    },
    .playing(
      "avt/2.4/actions-skip", "CurrentTransportActions has Next and Previous only if they succeed.", area: .avTransport,
      source: "Home Assistant's dlna_dmr shows buttons for them", needs: [.transport("GetCurrentTransportActions")],
      steps: """
        Plays a single tone, and sends Next and Previous if they are listed. Passes if none is refused.
        """
    ) { transport async throws(Finding) in
      var refused: [String] = []
      for action in ["Next", "Previous"] {
        _ = try await transport.startTone(seconds: 60)
        guard try await transport.actions().contains(action) else { continue }
        if let code = try await transport.answer(action).faultCode { refused.append("\(code) for \(action)") }
      }
      try transport.context.expectNone(refused, "success of the listed actions")
    },
    .playing(
      "avt/2.4/actions-seek", "If CurrentTransportActions has Seek, Seek moves the position.", area: .avTransport,
      source: "Home Assistant's dlna_dmr and BubbleUPnP show a slider for it",
      needs: [.transport("GetCurrentTransportActions"), .transport("Seek")],
      steps: "Plays a tone of a minute and seeks to 0:00:30 if Seek is listed. Passes if the position gets there."
    ) { transport async throws(Finding) in
      _ = try await transport.startTone(seconds: 60)
      try await transport.wait(forPosition: .seconds(1))
      guard try await transport.actions().contains("Seek") else { throw .skip("Seek is not listed") }
      try await transport.seek(to: "0:00:30")
      var last = "none"
      let isThere = try await transport.poll(transport.context.times.transition) { () async throws(Finding) -> Bool in
        let position = try await transport.position()
        last = position.values["RelTime"] ?? "none"
        return position.time.map { $0 >= .seconds(29) } ?? false
      }
      try transport.context.expect(isThere, "a position of 0:00:30", got: last)
    },
    .playing(
      "avt/2.4/actions-listed", "CurrentTransportActions has Play in STOPPED, and Stop in PLAYING.", area: .avTransport,
      source: "Home Assistant's dlna_dmr waits for Play after SetAVTransportURI",
      needs: [.transport("GetCurrentTransportActions")],
      steps: "Sets a tone and plays it. Passes if Play is listed before, and Stop afterwards."
    ) { transport async throws(Finding) in
      let media = try await transport.context.serveTone(seconds: 10)
      try await transport.set(media)
      for (action, state) in [("Play", TransportState.stopped), ("Stop", .playing)] {
        if state == .playing { try await transport.play() }
        try await transport.wait(for: state)
        var actions: Set<String> = []
        let isListed = try await transport.poll { () async throws(Finding) -> Bool in
          actions = try await transport.actions()
          return actions.contains(action)
        }
        try transport.context.expect(
          isListed, "\(action) in \(state.rawValue)", got: actions.sorted().joined(separator: ","))
      }
    },
  ]
}

/// The states of AVTransport and its actions, with the effect of each action in each state.
struct TransportGrid {
  enum Situation: CaseIterable {
    case noMedia, stopped, playing, paused, transitioning, failed

    var state: TransportState {
      switch self {
      case .noMedia: .noMedia
      case .stopped, .failed: .stopped
      case .playing: .playing
      case .paused: .paused
      case .transitioning: .transitioning
      }
    }

    var name: String { self == .failed ? "STOPPED after an error" : state.rawValue }
  }

  enum Action: String, CaseIterable {
    case play = "Play"
    case pause = "Pause"
    case stop = "Stop"
    case seek = "Seek"
    case next = "Next"
    case previous = "Previous"
    case set = "SetAVTransportURI"
    // Comes last: a staged track would change the effect of Next.
    case setNext = "SetNextAVTransportURI"
  }

  private static let getters = [
    "GetTransportInfo", "GetPositionInfo", "GetMediaInfo", "GetTransportSettings", "GetDeviceCapabilities",
    "GetCurrentTransportActions",
  ]
  /// Errors of AVTransport's table of error codes, and those of UDA that fit.
  private static let faults: Set<Int> = [501, 701, 702, 703, 704, 705, 710, 711, 714, 715, 716]

  private let transport: TransportDriver
  private(set) var problems: [String] = []
  private var rows: [[String]] = []

  init(_ transport: TransportDriver) { self.transport = transport }

  var table: ResultTable {
    ResultTable(
      title: "The state after each action", columns: ["State"] + Action.allCases.map(\.rawValue) + ["Getters"],
      rows: rows)
  }

  func canReach(_ situation: Situation) -> Bool { situation != .paused || isOffered(.pause) }

  private func isOffered(_ action: Action) -> Bool {
    transport.context.missing(.transport(action.rawValue)) == nil
  }

  // MARK: Filling

  mutating func fill() async throws(Finding) {
    for situation in Situation.allCases where canReach(situation) {
      guard try await bring(to: situation) else {
        rows.append([situation.name] + Action.allCases.map { _ in "not reached" } + [""])
        continue
      }
      var row = [situation.name]
      for action in Action.allCases { row.append(try await cell(situation, action)) }
      row.append(try await getters(in: situation))
      rows.append(row)
    }
  }

  private mutating func cell(_ situation: Situation, _ action: Action) async throws(Finding) -> String {
    guard isOffered(action) else { return "not offered" }
    guard try await enter(situation) else { return "not reached" }
    let answer = try await send(action)
    let allowed = answer.results == nil ? [situation.state] : Self.states(after: action, in: situation)
    let state = try await settledState(in: allowed)
    let place = "\(action.rawValue) in \(situation.name)"
    switch answer.content {
    case .results:
      if allowed.isEmpty {
        problems.append("success of \(place)")
      } else if !allowed.contains(state) {
        problems.append("\(state.rawValue) after \(place)")
      }
      return state.rawValue
    case .fault(let code):
      if !Self.faults.contains(code) { problems.append("error \(code) for \(place)") }
      if Self.required(action, in: situation) { problems.append("error \(code) for \(place)") }
      if state != situation.state { problems.append("\(state.rawValue) after \(place) was refused") }
      return state == situation.state ? "\(code)" : "\(code), then \(state.rawValue)"
    case .other(let text):
      problems.append("\(text) for \(place)")
      return text
    }
  }

  private mutating func getters(in situation: Situation) async throws(Finding) -> String {
    guard try await enter(situation) else { return "" }
    var failed: [String] = []
    for getter in Self.getters where transport.context.missing(.transport(getter)) == nil {
      let answer = try await transport.answer(getter)
      if answer.results == nil { failed.append("\(getter): \(answer.summary)") }
    }
    problems += failed.map { "\($0) in \(situation.name)" }
    return failed.isEmpty ? "answer" : failed.joined(separator: ", ")
  }

  /// Waits for an allowed state, since an action may take effect after its answer. Returns the last state.
  private func settledState(in allowed: Set<TransportState>) async throws(Finding) -> TransportState {
    // A refused action could still have an effect.
    await transport.context.clock.sleep(.milliseconds(100))
    var state = try await transport.state()
    for _ in 0..<10 where !allowed.contains(state) && !allowed.isEmpty {
      await transport.context.clock.sleep(.milliseconds(100))
      state = try await transport.state()
    }
    return state
  }

  // MARK: Situations and actions

  /// Brings the device into a state, unless it is in it.
  /// - Returns: false if it cannot be brought there.
  func enter(_ situation: Situation) async throws(Finding) -> Bool {
    let info = try await transport.call("GetTransportInfo")
    let isFailed = info["CurrentTransportStatus"] == "ERROR_OCCURRED"
    if info["CurrentTransportState"] == situation.state.rawValue, isFailed == (situation == .failed) { return true }
    return try await bring(to: situation)
  }

  func bring(to situation: Situation) async throws(Finding) -> Bool {
    switch situation {
    case .noMedia:
      let answer = try await transport.answer("SetAVTransportURI", [("CurrentURI", ""), ("CurrentURIMetaData", "")])
      guard answer.results != nil else { return false }
      return try await transport.poll(limit) { () async throws(Finding) -> Bool in
        try await transport.state() == .noMedia
      }
    case .stopped:
      _ = try await transport.answer("Stop")
      try await transport.set(try await transport.context.serveTone(seconds: 60))
      _ = try await transport.answer("Stop")
      try await transport.wait(for: .stopped)
    case .playing:
      _ = try await transport.answer("Stop")
      _ = try await transport.startTone(seconds: 60)
    case .paused:
      guard try await bring(to: .playing) else { return false }
      try await transport.pause()
      try await transport.wait(for: .paused)
    case .transitioning:
      _ = try await transport.answer("Stop")
      let media = try await transport.context.serveTone(seconds: 10, Manners { $0.openDelay = .seconds(30) })
      do throws(Finding) {
        try await transport.set(media)
        try await transport.begin()
      } catch {
        media.drop()
        throw error
      }
      return try await transport.poll(limit) { () async throws(Finding) -> Bool in
        try await transport.state() == .transitioning
      }
    case .failed:
      _ = try await transport.answer("Stop")
      let media = try await transport.context.serveTone(seconds: 10)
      media.remove()
      let answer = try await transport.answer(
        "SetAVTransportURI", [("CurrentURI", media.url), ("CurrentURIMetaData", media.metadata)])
      guard answer.results != nil, try await transport.answer("Play", [("Speed", "1")]).results != nil else {
        return false
      }
      return try await transport.poll(limit) { () async throws(Finding) -> Bool in
        try await transport.state() == .stopped
      }
    }
    return true
  }

  /// Time limit for a state that a device may not have.
  private var limit: Duration { min(.seconds(2), transport.context.times.transition) }

  func send(_ action: Action) async throws(Finding) -> SOAPAnswer {
    switch action {
    case .set:
      let media = try await transport.context.serveTone(seconds: 10)
      return try await transport.answer(
        "SetAVTransportURI", [("CurrentURI", media.url), ("CurrentURIMetaData", media.metadata)])
    case .setNext:
      let media = try await transport.context.serveTone(seconds: 10)
      return try await transport.answer(
        "SetNextAVTransportURI", [("NextURI", media.url), ("NextURIMetaData", media.metadata)])
    case .play: return try await transport.answer("Play", [("Speed", "1")])
    case .seek: return try await transport.answer("Seek", [("Unit", "REL_TIME"), ("Target", "0:00:01")])
    case .pause, .stop, .next, .previous: return try await transport.answer(action.rawValue)
    }
  }

  // MARK: The template

  /// Whether an action has to succeed.
  private static func required(_ action: Action, in situation: Situation) -> Bool {
    switch (action, situation) {
    case (.set, _), (.play, .stopped), (.play, .paused), (.pause, .playing): true
    case (.stop, .stopped), (.stop, .playing), (.stop, .paused), (.stop, .transitioning): true
    default: false
    }
  }

  /// The states that a successful action may lead to; none if it must not succeed.
  private static func states(after action: Action, in situation: Situation) -> Set<TransportState> {
    let plays: Set<TransportState> = [.playing, .transitioning]
    let unchanged: Set = [situation.state]
    switch (action, situation) {
    case (.set, .noMedia), (.set, .stopped), (.set, .failed): return [.stopped]
    case (.set, _): return plays.union([.stopped, .paused])
    case (.setNext, .noMedia): return [.noMedia, .stopped]
    case (.setNext, _): return unchanged
    case (.play, .noMedia): return []
    // The file still does not exist.
    case (.play, .failed): return plays.union([.stopped])
    case (.play, _): return plays
    // Controllers disconnect if a Pause fails (hzeller/gmrender-resurrect#139).
    case (.pause, .noMedia), (.pause, .stopped), (.pause, .failed), (.pause, .paused): return unchanged
    case (.pause, .playing): return [.paused]
    case (.pause, .transitioning): return [.paused, .transitioning]
    // Kodi gives up if a Stop fails (xbmc/xbmc#4232).
    case (.stop, .noMedia): return [.noMedia, .stopped]
    case (.stop, _): return [.stopped]
    case (.seek, .noMedia): return []
    case (.seek, .stopped), (.seek, .failed): return [.stopped]
    case (.seek, .paused): return plays.union([.paused])
    case (.seek, _): return plays
    case (.next, .noMedia), (.previous, .noMedia): return []
    case (.next, _), (.previous, _): return unchanged.union(situation == .playing ? plays : [])
    }
  }
}
