import Foundation
import Synchronization
import Testing

@testable import Conformance

/// Devices whose answers and events are mutated. The run has to end, whatever they say.
@Suite struct MutatedDeviceTests {
  /// The number of random devices in a long run; nil for a short one.
  private static let count = ProcessInfo.processInfo.environment["SWIFTLET_MUTATIONS"].flatMap { Int($0) }

  /// The checks of a short run: those that compute with what the device says, and play nothing.
  private static let checks = Check.all.filter { check in
    check.mode == .standard && !check.plays
      && ["rcs/", "oh/", "cm/", "cds/", "avt/", "share/", "uda/4.1.2/timeout", "uda/2.3/icon", "uda/2.5/"].contains {
        check.id.hasPrefix($0)
      }
  }

  private static func shortenTimes(_ settings: inout CheckSettings) {
    settings.times.answer = .milliseconds(500)
    settings.times.event = .milliseconds(50)
    settings.times.search = .milliseconds(20)
    settings.times.late = .milliseconds(20)
    settings.times.lasting = .milliseconds(20)
    settings.times.settle = .milliseconds(50)
    settings.times.effect = .milliseconds(50)
    settings.times.transition = .milliseconds(50)
    settings.times.rest = .milliseconds(10)
    settings.times.absence = .milliseconds(50)
    settings.limit = .seconds(8)
  }

  private static func mutated(_ mutation: Mutation, isDescribed: Bool) -> Fault {
    let mutation = Mutex(mutation)
    // The first descriptions decide what is tested.
    let descriptions = Counter()
    return Fault(
      onResponse: { request, response in
        if request.target.hasSuffix("description.xml"), isDescribed || descriptions.next() < 3 { return }
        mutation.withLock { $0.mutate(&response) }
      },
      onEvent: { event in mutation.withLock { $0.mutate(&event) } },
      onSearch: { _, answers in mutation.withLock { $0.mutate(answers) } },
      onNotice: { notice in mutation.withLock { $0.mutate([notice]).first } })
  }

  /// Runs checks against a device with this mutation, and writes all reports.
  private static func run(_ checks: [Check], on device: StandInDevice, _ mutation: Mutation, seed: Int) async throws {
    try await ConformanceTests.withRenderer(inRealTime: count != nil) { port in
      let fault = mutated(mutation, isDescribed: seed % 3 > 0)
      let findings = try await ConformanceTests.findings(
        of: checks, fault, on: device, port: port, change: shortenTimes)
      #expect(findings.results.count == checks.count, "seed \(seed) on \(device)")
      var run = CheckRun(
        target: TargetSummary(name: "Stand-in"), tool: "test", date: "", duration: .zero,
        incidents: findings.incidents, results: findings.results, profiles: ControllerProfile.all)
      for _ in 0..<2 {
        for format in ReportFormat.allCases {
          let text = try format.render(run) { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
          #expect(!text.isEmpty, "seed \(seed) on \(device)")
        }
        run = run.anonymous
      }
    }
  }

  @Test func everyRunEnds() async throws {
    if let count = Self.count { return try await Self.runAll(random: count) }
    for seed in 0..<2 {
      for device in StandInDevice.allCases {
        try await Self.run(Self.checks, on: device, Mutation(seed: seed), seed: seed)
      }
    }
  }

  /// Every extreme, and random mutations. Each run has other checks, in parts that fit its time.
  private static func runAll(random: Int) async throws {
    let extreme = Mutation.extremes.count * StandInDevice.allCases.count
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seed in 0..<extreme + random {
        if seed >= 4 { try await group.next() }
        group.addTask {
          let device = StandInDevice.allCases[seed % StandInDevice.allCases.count]
          let extreme = seed < extreme ? Mutation.extremes[seed / StandInDevice.allCases.count] : nil
          var mutation = Mutation(seed: seed, extreme: extreme)
          let checks = Check.all.filter { $0.mode != .slow }.shuffled(using: &mutation)
            .prefix(extreme == nil ? 120 : 400)
          // Names a device that crashes the run or never ends.
          print("mutated device \(seed)")
          try await run(Array(checks), on: device, mutation, seed: seed)
          print("mutated device \(seed) ended")
        }
      }
      try await group.waitForAll()
    }
  }

  /// Each of these ended the command.
  @Test(arguments: [
    ("Characteristics", "VolumeMax", "5"), ("Characteristics", "VolumeMax", "9223372036854775807"),
    ("Characteristics", "VolumeMax", "90000000000000000"), ("Characteristics", "VolumeMax", "-9223372036854775808"),
    ("Characteristics", "BalanceMax", "9223372036854775807"), ("GetDeviceMax", "DeviceMax", "-1"),
    ("GetDeviceMax", "DeviceMax", "9223372036854775807"), ("VolumeLimit", "Value", "9223372036854775807"),
    ("GetIdArray", "IdArray", "[]"),
  ])
  func extremeNumbersAreFindings(action: String, output: String, value: String) async throws {
    try await ConformanceTests.withRenderer { port in
      let checks = Check.all.filter { $0.id.hasPrefix("oh/volume") || $0.id.hasPrefix("oh/pins") }.filter { !$0.plays }
      let findings = try await ConformanceTests.findings(
        of: checks, .output(output, of: action, value), on: .openHome, port: port, change: Self.shortenTimes)
      #expect(findings.results.count == checks.count)
    }
  }

  @Test(arguments: ["9", "90000000000000000", "9223372036854775807", "-9223372036854775808", "4294967296"])
  func extremeRangesAreFindings(maximum: String) async throws {
    try await ConformanceTests.withRenderer { port in
      let checks = Check.all.filter { $0.id.hasPrefix("rcs/") && $0.mode == .standard }
      let fault = Fault.scpd("RenderingControl", "<maximum>100", "<maximum>\(maximum)")
      let findings = try await ConformanceTests.findings(of: checks, fault, port: port, change: Self.shortenTimes)
      #expect(findings.results.count == checks.count)
      let range = findings.results.first { $0.check.id == "rcs/2.2/volume-range" }
      #expect(range?.outcome == (maximum == "9" ? .pass : .fail))
    }
  }
}
