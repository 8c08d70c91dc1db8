import MediaOrigin
import Synchronization
import Testing

@testable import Conformance

/// Devices that stop or restart during a run, other controllers, slow answers, and the time limit.
extension ConformanceTests {
  private static let reads = Check.all.filter { $0.area == .scpd || $0.area == .control && $0.changes.isEmpty }

  /// Answers nothing after a number of requests, until as many more have arrived.
  private static func absence(after first: Int, for count: Int) -> Fault {
    let counter = Counter()
    return Fault(onResponse: { _, response in
      let number = counter.next()
      response.isMissing = number > first && number <= first + count
    })
  }

  @Test func aDeviceThatIsGoneIsNotBlamed() async throws {
    try await Self.withRenderer { port in
      let findings = try await Self.findings(of: Self.reads, Self.absence(after: 40, for: .max - 100), port: port) {
        $0.times.absence = .milliseconds(200)
      }
      #expect(findings.results.allSatisfy { $0.outcome != .fail })
      #expect(findings.results.contains { $0.verdict == .inconclusive("the device no longer answers") })
      #expect(findings.incidents.contains { $0.contains("did not come back") })
    }
  }

  @Test func aCheckIsRepeatedWhenTheDeviceHasComeBack() async throws {
    try await Self.withRenderer { port in
      let findings = try await Self.findings(of: Self.reads, Self.absence(after: 40, for: 12), port: port)
      #expect(findings.results.allSatisfy { $0.outcome == .pass || $0.outcome == .skip })
      #expect(findings.incidents.contains { $0.contains("stopped answering") })
    }
  }

  /// After a restart, a device does not know its subscriptions.
  @Test func aRestartIsNoticed() async throws {
    try await Self.withRenderer { port in
      let renewals = Counter()
      let calls = Counter()
      let fault = Fault(onResponse: { request, response in
        // The third renewal is the first one after the check has failed: there is one for each of two services before.
        if request.method == "SUBSCRIBE", request.header("sid") != nil, renewals.next() == 3 { response.status = 412 }
        if request.action == "GetVolume", calls.next() == 1 { response.status = 503 }
      })
      let check = try #require(Check.all.first { $0.id == "rcs/2.2/volume-range" })
      let findings = try await Self.findings(of: [check], fault, port: port)
      #expect(findings.results.map(\.verdict) == [.pass])
      #expect(findings.incidents.contains { $0.contains("the device restarted") })
    }
  }

  @Test func anotherControllerIsNoticed() async throws {
    try await Self.withRenderer { port in
      let volumes = Counter()
      let check = Check.setUp { context async throws(Finding) in
        let volume = "\(20 + volumes.next())"
        let request = try context.request(
          context.service("RenderingControl"), "SetVolume",
          [("InstanceID", "0"), ("Channel", "Master"), ("DesiredVolume", volume)])
        // Past the record of the actions that the run sends.
        _ = try await context.exchange(request.http)
        await context.clock.sleep(real: .seconds(1))
        throw .failure(expected: "the volume 5", got: volume)
      }
      let findings = try await Self.findings(of: [check], .none, port: port) { settings in
        settings.times.effect = .milliseconds(300)
      }
      #expect(findings.results.first?.disturbance == .controller("Volume became \"22\""))
      #expect(findings.results.map(\.outcome) == [.inconclusive])
      #expect(findings.incidents.count == 2)
    }
  }

  /// A check that waits in vain, and then judges the device.
  private static let waiting = Check.setUp { context async throws(Finding) in
    _ = await context.sink.inbox.wait(.milliseconds(10)) { _, _ -> Bool? in nil }
    throw .failure(expected: "an event", got: "none")
  }

  /// A device that has become slow is not blamed for what comes too late, but for anything else.
  @Test func aSlowDeviceIsNotBlamed() async throws {
    let judging = Check.setUp { _ throws(Finding) in throw .failure(expected: "status 200", got: "500") }
    for (isSlow, check, outcome) in [
      (true, Self.waiting, Outcome.inconclusive), (false, Self.waiting, .fail), (true, judging, .fail),
    ] {
      try await Self.withRenderer { port in
        let requests = Counter()
        // The description is read at the beginning of the run, to measure the usual time.
        let fault = Fault(responseDelay: { request in
          guard isSlow, request.target.hasSuffix("description.xml") else { return .zero }
          return requests.next() > 6 ? .milliseconds(400) : .zero
        })
        let findings = try await Self.findings(of: [check], fault, port: port)
        #expect(findings.results.map(\.outcome) == [outcome])
        if case .slowness = findings.results.first?.disturbance {
          #expect(outcome == .inconclusive)
        } else {
          #expect(outcome == .fail)
        }
      }
    }
  }

  /// A machine that is busy wakes its tasks late.
  @Test func aBusyTesterIsNoticed() async {
    let start = ContinuousClock.now
    let lag = TesterLag()
    let task = Task { await lag.run(CheckClock(source: LateTime(delay: .milliseconds(300)))) }
    while lag.longest(since: start) == nil { await Task.yield() }
    task.cancel()
    #expect(lag.longest(since: start) == .milliseconds(300))
    #expect(lag.longest(since: .now + .seconds(3600 * 24)) == nil)
  }

  @Test func aRunEndsAtItsLimit() async throws {
    try await Self.withRenderer { port in
      let findings = try await Self.findings(of: Self.reads, .none, port: port) { $0.limit = .zero }
      #expect(findings.results.contains { $0.disturbance == .limit(.zero) })
      #expect(findings.results.allSatisfy { $0.outcome != .fail })
    }
  }

  @Test func checksNameTheCheckOnWhichTheyDepend() async throws {
    try await Self.withRenderer { port in
      let fault = Fault.scpd("RenderingControl", "<maximum>100", "<maximum>90000000000000000")
      let checks = Check.all.filter { $0.changes.contains(.volume) || $0.id == "rcs/2.2/volume-range" }
      for result in try await Self.findings(of: checks, fault, port: port).results where result.outcome != .skip {
        if result.check.id == "rcs/2.2/volume-range" {
          #expect(result.outcome == .fail)
        } else if case .inconclusive(let reason) = result.verdict {
          #expect(reason.hasPrefix("rcs/2.2/volume-range fails"), "\(result.check.id): \(reason)")
        } else {
          #expect(result.outcome == .pass, "\(result.check.id): \(result.verdict)")
        }
      }
    }
  }
}

/// Time in which every sleep ends late.
private final class LateTime: TimeSource {
  private let delay: Duration
  private let time = Mutex(ContinuousClock.now)

  init(delay: Duration) { self.delay = delay }

  var now: ContinuousClock.Instant { time.withLock { $0 } }

  func sleep(until deadline: ContinuousClock.Instant) async {
    time.withLock { $0 = deadline + delay }
    await Task.yield()
  }
}

/// Which changes are those of other controllers.
@Suite struct SentActionsTests {
  private let start = ContinuousClock.now

  private func isForeign(_ variable: String, _ value: String, after actions: [(String, [String], Duration)]) -> Bool {
    var sent = SentActions()
    for (name, arguments, time) in actions { sent.add(name, arguments, at: start + time) }
    let change = SentActions.Change(variable: variable, value: value, arrival: start + .seconds(20))
    return sent.isForeign(change, since: start + .seconds(10), local: "192.0.2.9")
  }

  @Test func volumes() {
    #expect(isForeign("Volume", "50", after: []))
    #expect(isForeign("Volume", "50", after: [("SetVolume", ["10"], .seconds(5)), ("GetVolume", [], .seconds(19))]))
    #expect(!isForeign("Volume", "50", after: [("SetVolume", ["10"], .seconds(17))]))
    #expect(!isForeign("Volume", "50", after: [("SetMute", ["1"], .seconds(19))]))
  }

  @Test func uris() {
    let uri = "http://198.51.100.1/a.flac"
    #expect(isForeign("AVTransportURI", uri, after: []))
    #expect(!isForeign("AVTransportURI", uri, after: [("SetAVTransportURI", ["0", uri], .zero)]))
    #expect(!isForeign("AVTransportURI", "http://192.0.2.9:1/tone.wav", after: []))
    #expect(!isForeign("AVTransportURI", "", after: []))
  }

  @Test func states() {
    #expect(isForeign("TransportState", "PAUSED_PLAYBACK", after: [("Pause", [], .seconds(2))]))
    #expect(!isForeign("TransportState", "PAUSED_PLAYBACK", after: [("Pause", [], .seconds(12))]))
    #expect(!isForeign("TransportState", "PLAYING", after: []))
  }
}
