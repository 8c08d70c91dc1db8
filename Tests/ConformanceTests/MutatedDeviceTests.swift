import Foundation
import Synchronization
import Testing

@testable import Conformance

/// Devices whose answers and events are mutated. The run has to end, whatever they say.
@Suite struct MutatedDeviceTests {
  /// The number of seeds in a long run.
  private static let count = ProcessInfo.processInfo.environment["SWIFTLET_MUTATIONS"].flatMap { Int($0) }
  private static let seeds = count.map { 0..<$0 } ?? Mutation.extremes.count..<Mutation.extremes.count + 2

  /// All checks in a long run. Otherwise those that compute with what the device says, and play nothing.
  private static let checks = Check.all.filter { check in
    check.mode == .standard
      && (count != nil
        || !check.plays
          && ["rcs/", "oh/", "cm/", "cds/", "avt/", "share/", "uda/4.1.2/timeout", "uda/2.3/icon", "uda/2.5/"].contains
          {
            check.id.hasPrefix($0)
          })
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
    settings.limit = .seconds(10)
  }

  private static func mutated(seed: Int) -> Fault {
    let mutation = Mutex(Mutation(seed: seed))
    // The first description decides what is tested. Later ones are mutated, too, in some runs.
    let descriptions = Counter()
    return Fault(
      onResponse: { request, response in
        if request.target.hasSuffix("description.xml"), seed % 3 > 0 || descriptions.next() < 3 { return }
        response.text = mutation.withLock { $0.mutate(response.text) }
      },
      onEvent: { event in
        event.body = mutation.withLock { $0.mutate(event.body) }
        event.set("Content-Length", "\(event.body.utf8.count)")
        return true
      })
  }

  @Test func everyRunEnds() async throws {
    for seed in Self.seeds {
      for device in StandInDevice.allCases {
        try await ConformanceTests.withRenderer { port in
          let findings = try await ConformanceTests.findings(
            of: Self.checks, Self.mutated(seed: seed), on: device, port: port, change: Self.shortenTimes)
          #expect(findings.results.count == Self.checks.count, "seed \(seed)")
        }
      }
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
