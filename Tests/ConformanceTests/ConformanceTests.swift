import ControlPoint
import DeviceStack
import Logging
import MediaOrigin
import NIOCore
import NIOPosix
import Synchronization
import Testing
import UPnP

@testable import Conformance

/// Runs every check against a renderer without faults, and against one with the fault that the check has to find.
@Suite struct ConformanceTests {
  /// The clock of the renderer that runs. Playback takes a tenth of its time.
  @TaskLocal private static var clock = CheckClock()

  /// Whether a check measures timers of the device host, which run in real time.
  private static func isTimed(_ check: Check) -> Bool {
    check.area == .timers || check.id.hasSuffix("moderation") || check.id == "http/byte-by-byte"
  }
  /// The checks in simulated time, and those in real time. The latter run last, when the machine is less busy.
  private static let groups = [Check.all.filter { !isTimed($0) }, Check.all.filter(isTimed)]

  /// Times for a renderer without faults. Limits for answers are long, because it answers at once except on a busy
  /// machine. Waits that always pass in full, such as after a search, are short.
  private static var settings: CheckSettings {
    var settings = CheckSettings()
    settings.modes = Set(Mode.allCases)
    settings.clock = clock
    settings.files = [
      MediaFile(name: "song.ape", resource: .bytes(PCM(seconds: 5).wav), mimeTypes: ["audio/x-ape", "audio/wav"])
    ]
    settings.times.search = .milliseconds(500)
    settings.times.unicast = .seconds(2)
    settings.times.event = .seconds(10)
    // Long enough to stage the next track on a busy machine.
    settings.times.tone = .seconds(16)
    settings.times.idle = .milliseconds(300)
    settings.times.expiry = .seconds(1)
    settings.times.lasting = .milliseconds(300)
    settings.times.round = .milliseconds(300)
    settings.times.reaction = .milliseconds(500)
    settings.times.rest = .milliseconds(50)
    return settings
  }

  /// Shortens the time limits, because most faults are answers that never arrive.
  private static func shortenTimes(_ settings: inout CheckSettings) {
    settings.isWatching = false
    settings.times.search = .milliseconds(250)
    settings.times.late = .milliseconds(1500)
    settings.times.unicast = .milliseconds(250)
    settings.times.event = .milliseconds(1500)
    settings.times.close = .milliseconds(300)
    settings.times.transition = .seconds(1)
    settings.times.effect = .seconds(1)
    settings.times.answer = .seconds(5)
    settings.times.reaction = .seconds(1)
  }

  /// Runs the stand-in devices until the body returns.
  /// - Parameters:
  ///   - checks: run by the body.
  ///   - inRealTime: whether time passes while the process is busy.
  static func withRenderer(
    _ fault: StandInFault? = nil, for checks: [Check] = [], inRealTime: Bool = false,
    _ body: (UInt16) async throws -> Void
  ) async throws {
    var settings = DeviceHostSettings(product: "Linux/6.1 UPnP/1.1 Test/1.0", bootID: 1)
    // The host uses no interface for SSDP; the proxy answers searches.
    settings.interfaces = InterfacePolicy(names: ["none"])
    let time = inRealTime || checks.contains(where: isTimed) ? nil : SimulatedTime()
    let clock = CheckClock(speed: 10, source: time ?? SystemTime())
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
    let host = DeviceHost(
      settings: settings, eventLoop: eventLoop, logger: Logger(label: "test"),
      onEvent: { _, event in if case .listening(let number) = event { port.yield(number) } },
      devices: { _ in StandInDevice.all(on: eventLoop, clock: clock, fault: fault) })
    await host.serve(StandInMediaServer.trackPath, [.GET: StandInMediaServer.track])
    try await withThrowingTaskGroup { group in
      group.addTask { await time?.run() }
      group.addTask { try await host.run() }
      let port = try #require(await ports.first { _ in true })
      try await $clock.withValue(clock) { try await body(UInt16(port)) }
      group.cancelAll()
    }
  }

  /// Runs checks through a proxy with a fault.
  /// - Parameter interruption: cancels the run with its first element.
  private static func results(
    of checks: [Check], _ fault: Fault, on device: StandInDevice = .renderer, port: UInt16,
    interruption: AsyncStream<Void>? = nil, change: (inout CheckSettings) -> Void = { _ in }
  ) async throws -> [CheckResult] {
    try await findings(of: checks, fault, on: device, port: port, interruption: interruption, change: change).results
  }

  /// - Parameter others: devices of the same machine that the run tests, too.
  static func findings(
    of checks: [Check], _ fault: Fault, on device: StandInDevice = .renderer, and others: [StandInDevice] = [],
    port: UInt16,
    interruption: AsyncStream<Void>? = nil, change: (inout CheckSettings) -> Void = { _ in }
  ) async throws -> RunFindings {
    var settings = settings
    change(&settings)
    var findings = RunFindings(results: [], incidents: [])
    let proxy = FaultyProxy(fault, backend: port, clock: clock)
    try await proxy.run { search in
      settings.searchAddresses = SearchAddresses(unicast: search, multicast: search)
      settings.notices = NoticeSocket(proxy.notices)
      let policy = AddressPolicy(allowed: [try #require(CIDR("127.0.0.0/8"))])
      let controlPoint = UPnPControlPoint(
        settings: ControlPointSettings(product: "Test/1", addresses: policy), logger: Logger(label: "test"))
      var targets: [Target] = []
      for device in [device] + others { targets.append(try await Target(at: proxy.location(of: device), controlPoint)) }
      let run = Task { [settings, targets] in try await MachineRunner(targets, settings: settings).run(checks) }
      if let interruption {
        _ = await interruption.first { _ in true }
        run.cancel()
      }
      findings = try await run.value
      await controlPoint.stop()
    }
    return findings
  }

  /// Each check passes on at least one of the devices. Devices without the features that it needs skip it.
  @Test func aRendererWithoutFaultsPassesAllChecks() async throws {
    for checks in Self.groups {
      var passed = try await Self.passed(checks, on: .renderer)
      // Run slow checks that have passed only once.
      let others = checks.filter { $0.mode == .standard || !passed.contains($0.id) }
      passed.formUnion(try await Self.passed(others, on: .openHome))
      passed.formUnion(try await Self.passed(others, on: .server))
      #expect(checks.map(\.id).filter { !passed.contains($0) } == [])
    }
  }

  /// Runs checks on several renderers at once.
  /// - Returns: the ids of the checks that passed. The others were skipped, or the test has failed.
  private static func passed(_ checks: [Check], on device: StandInDevice) async throws -> Set<String> {
    let parts = 4
    let found = try await withThrowingTaskGroup(of: [CheckResult].self) { group in
      for part in 0..<parts {
        let checks = checks.enumerated().filter { $0.offset % parts == part }.map(\.element)
        group.addTask { try await Self.results(of: checks, on: device) }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(found.map(\.check.id)) == Set(checks.map(\.id)))
    for result in found where result.outcome == .fail || result.outcome == .inconclusive {
      Issue.record("\(result.check.id) on \(device): \(result.verdict)")
    }
    return Set(found.filter { $0.verdict == .pass }.map(\.check.id))
  }

  private static func results(of checks: [Check], on device: StandInDevice) async throws -> [CheckResult] {
    var found: [CheckResult] = []
    try await withRenderer(for: checks) { port in found = try await results(of: checks, .none, on: device, port: port) }
    return found
  }

  @Test func everyCheckFindsItsFault() async throws {
    #expect(Set(FaultRow.all.map(\.id)) == Set(Check.all.map(\.id)))
    let findings = try ExpectedFinding.all()
    #expect(Set(findings.keys) == Set(Check.all.map(\.id)))
    for checks in Self.groups {
      let rows = checks.flatMap { check in FaultRow.all.filter { $0.id == check.id }.map { (check, $0) } }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, (check, row)) in rows.enumerated() {
          if index >= 12 { try await group.next() }
          group.addTask {
            let result = try await Self.result(of: check, with: row)
            guard case .fail(let expected, let got) = result?.verdict, let findings = findings[check.id] else {
              Issue.record("\(check.id) with its fault: \(String(describing: result?.verdict))")
              return
            }
            let isExpected = findings.contains { $0.matches(expected: expected, got: got) }
            #expect(isExpected, "\(check.id) | \(expected) | \(got)")
          }
        }
        try await group.waitForAll()
      }
    }
  }

  /// Runs a check against new devices, which it may change.
  private static func result(of check: Check, with row: FaultRow) async throws -> CheckResult? {
    let device = row.device ?? (check.area == .openHome ? .openHome : .renderer)
    var result: CheckResult?
    try await withRenderer(row.fault.standIn, for: [check]) { port in
      result = try await results(of: [check], row.fault, on: device, port: port, change: shortenTimes).first
    }
    return result
  }

  // MARK: The runner

  /// Checks that change settings without playing.
  private static let changing = Check.all.filter { !$0.changes.isEmpty && !$0.plays }

  /// Counts the requests that change the renderer.
  private static func counting(_ counter: Counter) -> Fault {
    Fault(onRequest: { if $0.action.hasPrefix("Set") { _ = counter.next() } })
  }

  @Test func aReadOnlyRunChangesNothing() async throws {
    try await Self.withRenderer { port in
      let counter = Counter()
      let changing = Check.all.filter { !$0.changes.isEmpty }
      let results = try await Self.results(of: changing, Self.counting(counter), port: port) {
        $0.isReadOnly = true
      }
      #expect(counter.next() == 1)
      for result in results {
        guard case .skip = result.verdict else {
          Issue.record("\(result.check.id): \(result.verdict)")
          continue
        }
      }
    }
  }

  @Test func aRendererThatPlaysIsLeftAlone() async throws {
    try await Self.withRenderer { port in
      let check = try #require(Self.changing.first)
      let playing = Fault.output("CurrentTransportState", of: "GetTransportInfo", "PLAYING")
      let refused = try await Self.results(of: [check], playing, port: port)
      #expect(refused.map(\.verdict) == [.skip("the device is playing")])
      let forced = try await Self.results(of: [check], playing, port: port) { $0.isForced = true }
      #expect(forced.map(\.verdict) == [.pass])
    }
  }

  /// The last successful request for each setting restores the value from before the run.
  @Test func settingsAreRestored() async throws {
    try await Self.withRenderer { port in
      let last = Mutex<[String: String]>([:])
      let recording = Fault(onResponse: { request, response in
        let (action, body) = (request.action, request.body)
        if action.hasPrefix("Set"), response.status == 200 { last.withLock { $0[action] = body } }
      })
      let results = try await Self.results(of: Self.changing, recording, port: port)
      #expect(results.allSatisfy { $0.lost.isEmpty })
      let bodies = last.withLock { $0 }
      #expect(bodies["SetVolume"]?.contains("<DesiredVolume>5<") == true)
      #expect(bodies["SetMute"]?.contains("<DesiredMute>0<") == true)
      #expect(bodies["SetPlayMode"]?.contains("<NewPlayMode>NORMAL<") == true)
    }
  }

  /// A check that plays lowers the volume and replaces the URI. The runner restores both.
  @Test(arguments: [false, true])
  func playbackIsRestored(isInterrupted: Bool) async throws {
    try await Self.withRenderer { port in
      let check = try #require(Check.all.first { $0.id == "avt/2.2/position-pauses" })
      let before = Check.setUp { context async throws(Finding) in
        try await context.write(.volume, "50")
        try await context.transport.set(uri: "http://192.0.2.1/old.flac", metadata: "<DIDL-Lite/>")
      }
      _ = try await Self.results(of: [before], .none, port: port)
      let volumes = Mutex<[String]>([])
      let (plays, play) = AsyncStream.makeStream(of: Void.self)
      let recording = Fault(onRequest: { request in
        if request.action == "Play" { play.yield() }
        guard request.action == "SetVolume", let value = request.element("DesiredVolume") else { return }
        volumes.withLock { $0.append(value) }
      })
      let results = try await Self.results(
        of: [check], recording, port: port, interruption: isInterrupted ? plays : nil)
      #expect(results.allSatisfy { $0.lost.isEmpty })
      if !isInterrupted { #expect(results.map(\.verdict) == [.pass]) }
      #expect(volumes.withLock { $0 } == ["10", "50"])
      let after = Check.setUp { context async throws(Finding) in
        let info = try await context.transport.call("GetMediaInfo")
        try context.expect(info["CurrentURI"] == "http://192.0.2.1/old.flac", "the old URI", got: "another one")
        let state = try await context.transport.state()
        try context.expect(state == .stopped, "STOPPED", got: state.rawValue)
      }
      #expect(try await Self.results(of: [after], .none, port: port).map(\.verdict) == [.pass])
    }
  }

  /// Shuffle is restored after the last check that plays. Swiftlet failed the checks of skips before.
  @Test func shuffleDoesNotReachOtherChecks() async throws {
    try await Self.withRenderer { port in
      let checks = Check.all.filter { ["oh/playlist/shuffle-plays", "oh/transport/new-stream-id"].contains($0.id) }
      let shuffles = Mutex<[String]>([])
      let skips = Mutex<[String?]>([])
      let recording = Fault(onRequest: { request in
        if request.action == "SetShuffle" { shuffles.withLock { $0.append(request.element("Value") ?? "") } }
        if request.action == "SkipNext" { skips.withLock { $0.append(shuffles.withLock { $0.last }) } }
      })
      let results = try await Self.results(of: checks, recording, on: .openHome, port: port)
      #expect(results.map(\.verdict) == [.pass, .pass])
      #expect(shuffles.withLock { $0.contains("1") })
      #expect(skips.withLock { $0 } == ["0"])
    }
  }

  @Test func aSettingThatCannotBeRestoredIsReported() async throws {
    try await Self.withRenderer { port in
      let check = try #require(Check.all.first { $0.id == "rcs/2.4/volume" })
      let results = try await Self.results(of: [check], .input("<DesiredVolume>5<", "<DesiredVolume>500<"), port: port)
      #expect(results.first?.lost == [.volume])
    }
  }

  /// Checks that expect silence would pass if the device never answered.
  @Test func withoutSearchAnswersDiscoveryIsInconclusive() async throws {
    try await Self.withRenderer { port in
      let checks = Check.all.filter { $0.prerequisites.contains(.searchable) }
      let results = try await Self.results(of: checks, .search { _, _ in [] }, port: port, change: Self.shortenTimes)
      for result in results where result.outcome != .skip {
        #expect(result.verdict == .inconclusive("uda/1.3.3/answers fails: expected an answer, got none"))
      }
    }
  }
}

extension Check {
  /// Makes a check that sets or verifies the state of a device, for tests of the runner.
  static func setUp(
    _ procedure: @escaping @Sendable (CheckContext) async throws(Finding) -> Void
  ) -> Check {
    Check("test/0/set-up", .playback, .practice, "Sets up a test.", source: "none", steps: "", procedure: procedure)
  }
}
