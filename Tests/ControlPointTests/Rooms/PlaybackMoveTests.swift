import Testing

@testable import ControlPoint

/// What two speakers have after playback has moved, or has not.
@Suite struct PlaybackMoveTests {
  private static func source(_ change: (inout StandInPlayer.State) -> Void = { _ in }) async throws -> StandInPlayer {
    try await StandInPlayer("Kitchen") { state in
      state.append(["a", "b", "c"])
      state.current = 2
      state.transport = "Playing"
      state.position = 40
      change(&state)
    }
  }

  private static func move(
    _ source: StandInPlayer, _ target: StandInPlayer, isFed: Bool = false
  ) async throws(RoomError) -> PlaybackMove.Outcome {
    var move = PlaybackMove(from: source.speaker, to: target.speaker, isFed: isFed)
    move.wait = { _ async throws(ControlPointError) in await Task.yield() }
    return try await move.run()
  }

  // MARK: Playlists

  @Test(arguments: ["Playing", "Paused", "Stopped"]) func movesTheQueue(transport: String) async throws {
    let source = try await Self.source {
      $0.transport = transport
      $0.isRepeating = true
      $0.isShuffling = true
    }
    let target = try await StandInPlayer("Living") {
      $0.append(["x", "y"])
      $0.current = 1
      $0.source = 1
    }
    let outcome = try await Self.move(source, target)
    #expect(outcome.track?.uri == "b")
    #expect(outcome.losses.isEmpty)
    #expect(target.queue == ["a", "b", "c"])
    #expect(target.currentURI == "b")
    #expect(target.state.source == 0)
    #expect(target.state.transport == transport)
    #expect(target.state.position == (transport == "Stopped" ? 0 : 40))
    #expect(target.state.isRepeating && target.state.isShuffling)
    // The source keeps everything.
    #expect(source.queue == ["a", "b", "c"])
    #expect(source.state.transport == "Stopped")
  }

  @Test func failedTrackLeavesBothSpeakersAsTheyWere() async throws {
    let source = try await Self.source()
    let target = try await StandInPlayer("Living") {
      $0.append(["x", "y"])
      $0.unplayable = ["b"]
    }
    await #expect(throws: RoomError.notPlayable(title: "b", on: "Living")) { try await Self.move(source, target) }
    #expect(target.queue == ["x", "y"])
    #expect(!target.state.isRepeating)
    #expect(source.state.transport == "Playing")
    #expect(source.queue == ["a", "b", "c"])
  }

  @Test(arguments: [(4, ["a", "b", "c"], nil), (2, ["x", "y"], 801)] as [(Int, [String], Int?)])
  func fullPlaylistMakesRoom(room: Int, queue: [String], fault: Int?) async throws {
    let source = try await Self.source()
    let target = try await StandInPlayer("Living") {
      $0.append(["x", "y"])
      $0.room = room
    }
    let error: RoomError?
    do throws(RoomError) {
      _ = try await Self.move(source, target)
      error = nil
    } catch let failure {
      error = failure
    }
    #expect(error == fault.map { .device(name: "Living", .fault(code: $0, description: "no")) })
    #expect(target.queue == queue)
    #expect(source.state.transport == (fault == nil ? "Stopped" : "Playing"))
  }

  @Test func fullPlaylistIsRestoredAfterAFailure() async throws {
    let source = try await Self.source()
    let target = try await StandInPlayer("Living") {
      $0.append(["x", "y"])
      $0.room = 4
      $0.unplayable = ["b"]
    }
    await #expect(throws: RoomError.self) { try await Self.move(source, target) }
    #expect(target.queue == ["x", "y"])
  }

  @Test func saysWhatTheTargetCannotDo() async throws {
    let source = try await Self.source { $0.transport = "Paused" }
    let target = try await StandInPlayer("Living") {
      $0.canSeek = false
      $0.canPause = false
    }
    #expect(try await Self.move(source, target).losses == [.position, .pause])
    #expect(target.state.transport == "Stopped")
  }

  // MARK: Renderers

  @Test(arguments: [false, true]) func movesToARendererWithoutAQueue(isFed: Bool) async throws {
    let source = try await Self.source { $0.isRepeating = true }
    let target = try await StandInPlayer("Bedroom", isRenderer: true)
    let outcome = try await Self.move(source, target, isFed: isFed)
    #expect(target.state.uri == "b")
    #expect(target.state.next == (isFed ? "" : "c"))
    #expect(target.state.transport == "Playing")
    #expect(target.state.position == 40)
    #expect(outcome.feed.map(\.uri) == (isFed ? ["b", "c"] : []))
    #expect(outcome.losses == (isFed ? [.repeat] : [.tracks(1), .repeat]))
    #expect(source.state.transport == "Stopped")
  }

  @Test func movesFromARenderer() async throws {
    let source = try await StandInPlayer("Bedroom", isRenderer: true) {
      $0.uri = "r"
      $0.next = "s"
      $0.transport = "Playing"
      $0.position = 30
    }
    let target = try await StandInPlayer("Living")
    _ = try await Self.move(source, target)
    #expect(target.queue == ["r", "s"])
    #expect(target.currentURI == "r")
    #expect(target.state.position == 30)
    #expect(source.state.transport == "Stopped")
  }

  @Test func failedTrackLeavesTheRenderersItem() async throws {
    let source = try await Self.source()
    let target = try await StandInPlayer("Bedroom", isRenderer: true) {
      $0.uri = "old"
      $0.unplayable = ["b"]
    }
    await #expect(throws: RoomError.notPlayable(title: "b", on: "Bedroom")) { try await Self.move(source, target) }
    #expect(target.state.uri == "old")
    #expect(source.state.transport == "Playing")
  }

  // MARK: Other sources

  @Test(arguments: [false, true]) func movesAStation(toRenderer isRenderer: Bool) async throws {
    let source = try await StandInPlayer("Kitchen") {
      $0.source = 1
      $0.uri = "station"
      $0.transport = "Playing"
    }
    let target = try await StandInPlayer("Living", isRenderer: isRenderer)
    _ = try await Self.move(source, target)
    #expect(target.state.uri == "station")
    #expect(target.state.transport == "Playing")
    #expect(target.state.source == (isRenderer ? 0 : 1))
    #expect(source.state.transport == "Stopped")
  }

  private static let zone = "ohz://239.255.255.250:51972/zone"

  @Test(arguments: ["", zone]) func handsItsPlaceInAGroupOn(zoneOfTarget: String) async throws {
    let source = try await StandInPlayer("Kitchen") {
      $0.source = 2
      $0.sender = Self.zone
      $0.transport = "Waiting"
    }
    let target = try await StandInPlayer("Living") { $0.zone = zoneOfTarget }
    _ = try await Self.move(source, target)
    #expect(source.state.source == 0)
    // The target does not receive itself.
    #expect(target.state.sender == (zoneOfTarget.isEmpty ? Self.zone : ""))
    #expect(target.state.transport == (zoneOfTarget.isEmpty ? "Playing" : "Stopped"))
  }

  @Test(arguments: [
    (0, RoomError.nothingPlays("Kitchen")), (1, .nothingPlays("Kitchen")), (2, .nothingPlays("Kitchen")),
    (3, .immovable(name: "Kitchen", source: "LineIn")),
  ])
  func saysWhatCannotMove(source index: Int, error: RoomError) async throws {
    let source = try await StandInPlayer("Kitchen") { $0.source = index }
    let target = try await StandInPlayer("Living")
    await #expect(throws: error) { try await Self.move(source, target) }
    await #expect(throws: RoomError.sameRoom("Kitchen")) { try await Self.move(source, source) }
  }

  // MARK: The start

  @Test(
    arguments: [
      ("it plays", [(.playing, true, 0)], .started),
      ("it loads first", [(.stopped, true, 0), (.buffering, true, 1), (.playing, true, 50)], .started),
      ("it fails after loading", [(.buffering, true, 0), (.stopped, true, 1)], .failed),
      ("it does not begin", [(.stopped, true, 9), (.stopped, true, 11)], .failed),
      ("it loads for ever", [(.buffering, true, 1), (.buffering, true, 61)], .failed),
      ("the previous track is reported for a while", [(.playing, false, 9), (.playing, true, 10)], .started),
      ("another track plays", [(.playing, false, 11)], .failed),
      ("nothing yet", [(.stopped, true, 1)], .wait),
    ] as [(String, [(PlaybackState, Bool, Int)], StartWatch.Verdict)])
  func start(name: String, observations: [(PlaybackState, Bool, Int)], verdict: StartWatch.Verdict) {
    var watch = StartWatch()
    var last = StartWatch.Verdict.wait
    for (state, isOurs, time) in observations {
      #expect(last == .wait)
      last = watch.observe(.init(state: state, isOurs: isOurs), at: .seconds(time))
    }
    #expect(last == verdict, "\(name)")
    #expect(watch.observe(.init(state: .playing, isOurs: true, hasError: true), at: .zero) == .failed)
  }
}
