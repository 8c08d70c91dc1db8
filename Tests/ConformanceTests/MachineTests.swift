import Testing

@testable import Conformance

/// Runs that test both root devices of a speaker.
extension ConformanceTests {
  private static let ids = ["avt/2.2/state", "oh/product/names", "uda/2.3/udn", "share/volume/from-av"]

  private static func results(with fault: Fault) async throws -> [String: CheckResult] {
    var found: [CheckResult] = []
    let checks = Check.all.filter { ids.contains($0.id) }
    try await withRenderer { port in
      found = try await findings(of: checks, fault, on: .renderer, and: [.openHome], port: port).results
    }
    return Dictionary(uniqueKeysWithValues: found.map { ($0.check.id, $0) })
  }

  @Test func eachDeviceIsTestedForWhatItHas() async throws {
    let results = try await Self.results(with: .none)
    for id in ["avt/2.2/state", "oh/product/names", "uda/2.3/udn", "share/volume/from-av"] {
      #expect(results[id]?.verdict == .pass, "\(id)")
    }
  }

  @Test func aFailureOfTheSecondDeviceCounts() async throws {
    let fault = Fault.answer("GET", "/source/description.xml") { $0.replace("uuid:9b1d7f64", "uuid:x") }
    let results = try await Self.results(with: fault)
    #expect(results["uda/2.3/udn"]?.outcome == .fail)
    #expect(results["uda/2.3/udn"]?.device == "Kitchen:Stand-in")
    #expect(results["avt/2.2/state"]?.verdict == .pass)
  }
}
