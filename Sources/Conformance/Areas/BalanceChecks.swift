import ControlPoint
import UPnP

/// OpenHome's Volume: balance and fade.
enum BalanceChecks {
  private static let service = VolumeChecks.service
  private static let wiki = VolumeChecks.wiki

  static let all: [Check] =
    checks("Balance", .balance, code: 812) { $0.maximumBalance } + checks("Fade", .fade, code: 813) { $0.maximumFade }

  /// - Parameters:
  ///   - name: `Balance` or `Fade`.
  ///   - code: the error of OpenHome's own player for a value out of range.
  private static func checks(
    _ name: String, _ setting: Setting, code: Int, _ limit: @escaping @Sendable (VolumeCharacteristics) -> Int
  ) -> [Check] {
    /// A check that gets the highest value.
    func check(
      _ id: String, _ level: Level, _ requirement: String, needs: [Prerequisite], steps: String,
      _ body: @escaping @Sendable (CheckContext, Int) async throws(Finding) -> Void
    ) -> Check {
      Check(
        "oh/volume/\(name.lowercased())\(id)", .openHome, level, requirement,
        source: level == .must ? wiki : "openhome/ohPipeline: OpenHome/Av/ProviderVolume.cpp",
        needs: [.action(service, "Characteristics"), .action(service, name), .action(service, "Set\(name)")] + needs,
        changes: [setting], steps: steps
      ) { context async throws(Finding) in
        try await body(context, limit(try await VolumeCharacteristics.read(context)))
      }
    }
    /// Skips devices that cannot change it.
    @Sendable func adjustable(_ limit: Int) throws(Finding) {
      guard limit > 0 else { throw .skip("\(name)Max is 0") }
    }
    return [
      check(
        "", .must, "\(name) returns what Set\(name) has set.", needs: [],
        steps: "Sets -\(name)Max, 0 and \(name)Max. \(name) becomes each of them."
      ) { context, limit async throws(Finding) in
        try adjustable(limit)
        for value in [-limit, 0, limit] {
          try await context.write(setting, "\(value)")
          try await context.expectSoon("\(value)", of: name, service, "after Set\(name)")
        }
      },
      check(
        "-range", .practice, "A value beyond \(name)Max is refused with \(code).", needs: [],
        steps:
          "Sets \(name)Max + 1 and -\(name)Max - 1. Passes with \(code), or 402, 600 or 601 of UDA, if \(name) stays the same."
      ) { context, limit async throws(Finding) in
        try adjustable(limit)
        let before = try await context.read(setting)
        for value in [limit + 1, -limit - 1] {
          let answer = try await context.answer(service, "Set\(name)", [("Value", "\(value)")])
          try context.expectFault([402, 600, 601, code], answer, to: "\(name) \(value)")
        }
        let after = try await context.read(setting)
        try context.expect(after == before, "\(name) \(before) as before", got: after)
      },
      check(
        "-step", .must, "\(name)Inc and \(name)Dec change \(name) by 1.",
        needs: [.action(service, "\(name)Inc"), .action(service, "\(name)Dec")],
        steps: "Sets 0, and calls \(name)Inc and \(name)Dec. \(name) becomes 1 and 0."
      ) { context, limit async throws(Finding) in
        try adjustable(limit)
        try await context.write(setting, "0")
        for (action, value) in [("\(name)Inc", "1"), ("\(name)Dec", "0")] {
          try await context.call(service, action)
          try await context.expectSoon(value, of: name, service, "after \(action)")
        }
      },
      check(
        "-event", .practice, "A change of \(name) is evented.", needs: [.eventsOf(service)],
        steps: "Subscribes to Volume, and sets another value."
      ) { context, limit async throws(Finding) in
        try adjustable(limit)
        let value = try await context.integer(of: name, service) == 0 ? "1" : "0"
        try await context.expectEvent(service, name, "\(value) after Set\(name)") {
          $0 == value
        } after: {
          () async throws(Finding) in
          try await context.write(setting, value)
        }
      },
    ]
  }
}
