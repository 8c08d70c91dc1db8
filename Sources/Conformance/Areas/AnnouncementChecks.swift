import ControlPoint
import UPnP

/// The announcements of a device (UDA §1.1, in UPnP 1.1 §1.2). Nothing can make a device announce itself, so these
/// checks wait. Its byebyes cannot be checked from outside.
enum AnnouncementChecks {
  private static let longestWait = Duration.seconds(1000)

  static let all: [Check] = [
    check(
      "reannounced", .should, "A device announces itself again before half of the validity of an announcement.",
      source: "UDA 1.1 §1.2.2 (RECOMMENDED)",
      steps: "Waits for half of max-age. Passes if the root device was announced in that time."
    ) { context async throws(Finding) in
      let limit = try await validity(context) / 2
      if try await firstAlive(context, within: min(limit, longestWait)) != nil { return }
      if limit > longestWait { throw .inconclusive("the device may wait for \(limit), and this check does not") }
      throw .failure(expected: "an announcement within \(limit)", got: "none")
    },
    check(
      "alive-set", .must, "The announcements are exactly those of the description's devices and services.",
      source: "UDA 1.0 §1.1.2 (3+2d+k messages)",
      steps:
        "Collects a round of announcements. Passes if its NT and USN pairs are those of the root device, and of each "
        + "device, device type and service type."
    ) { context async throws(Finding) in
      let found = Set(try await aliveRound(context).map { "\($0["nt"]) \($0["usn"])" })
      let expected = Set(context.announcedPairs)
      try context.expectNone(
        expected.subtracting(found).sorted().map { "no \($0)" } + found.subtracting(expected).sorted(),
        "the announcements of the description")
    },
    check(
      "alive-headers", .practice, "An announcement has HOST, CACHE-CONTROL, LOCATION, NT, SERVER and USN.",
      source: "the template in UDA 1.0 §1.1.2",
      steps:
        "Collects a round of announcements. Passes if each has these headers, with the group and port of SSDP in HOST, a max-age, and the version of UPnP in SERVER."
    ) { context async throws(Finding) in
      var problems: [String] = []
      for notice in try await aliveRound(context) {
        for name in ["cache-control", "location", "nt", "server", "usn"] where notice[name].isEmpty {
          problems.append("no \(name.uppercased()) in that of \(notice["nt"])")
        }
        if DiscoveryChecks.maxAge(notice["cache-control"]) == nil {
          problems.append("the CACHE-CONTROL \"\(notice["cache-control"])\"")
        }
        if !notice["server"].contains("UPnP/") { problems.append("the SERVER \"\(notice["server"])\"") }
        if notice["host"] != "239.255.255.250:1900", notice["host"] != "239.255.255.250" {
          problems.append("the HOST \"\(notice["host"])\"")
        }
      }
      try context.expectNone(problems, "all headers in each announcement")
    },
    check(
      "alive-location", .practice, "Announcements have the LOCATION under which the device was found.",
      source: "control points such as async_upnp_client take a new LOCATION for a device that has moved",
      steps: "Collects a round of announcements. Passes if each has the URL of the description."
    ) { context async throws(Finding) in
      let location = context.target.description.location.description
      let others = Set(try await aliveRound(context).map { $0["location"] }).subtracting([location])
      try context.expectNone(others.sorted().map { "\"\($0)\"" }, "the LOCATION \(location)")
    },
    check(
      "alive-bootid", .must, "Announcements have the same BOOTID.UPNP.ORG as answers to searches.",
      source: "UDA 1.1 §1.2.2", needs: [.version11],
      steps: "Collects a round of announcements and searches. Passes if all have the same BOOTID.UPNP.ORG."
    ) { context async throws(Finding) in
      let notices = try await aliveRound(context)
      let answer = try await context.rootAnswer()["bootid.upnp.org"]
      let others = Set(notices.map { $0["bootid.upnp.org"] }).subtracting([answer])
      try context.expectNone(others.sorted().map { "\"\($0)\"" }, "the BOOTID.UPNP.ORG \(answer)")
      let configurations = Set(notices.map { $0["configid.upnp.org"] })
      try context.expect(
        configurations.count < 2, "one CONFIGID.UPNP.ORG", got: configurations.sorted().joined(separator: " and "))
    },
  ]

  private static func check(
    _ id: String, _ level: Level, _ requirement: String, source: String, needs: [Prerequisite] = [], steps: String,
    procedure: @escaping @Sendable (CheckContext) async throws(Finding) -> Void
  ) -> Check {
    Check(
      "uda/1.2.2/\(id)", .timers, level, requirement, source: source, needs: [.searchable, .announcements] + needs,
      mode: .slow,
      steps: steps, procedure: procedure)
  }

  private static func validity(_ context: CheckContext) async throws(Finding) -> Duration {
    .seconds(DiscoveryChecks.maxAge(try await context.rootAnswer()) ?? 1800)
  }

  /// The first announcement of the root device, heard since the run began.
  private static func firstAlive(_ context: CheckContext, within limit: Duration) async throws(Finding) -> Notice? {
    guard let notices = context.notices else { throw .inconclusive("port 1900 cannot be opened") }
    return await notices.inbox.wait(limit) { notices, _ in
      notices.first { isAlive($0, context) && $0["nt"] == "upnp:rootdevice" }
    }
  }

  /// All announcements that came within one round.
  private static func aliveRound(_ context: CheckContext) async throws(Finding) -> [Notice] {
    let limit = min(try await validity(context) / 2, longestWait)
    guard let first = try await firstAlive(context, within: limit) else {
      throw .inconclusive("the device announced nothing within \(limit)")
    }
    await context.clock.sleep(until: first.arrival + context.times.round)
    let notices = await context.notices?.inbox.wait(.zero) { notices, _ in
      notices.filter { isAlive($0, context) && $0.arrival <= first.arrival + context.times.round }
    }
    return notices ?? []
  }

  private static func isAlive(_ notice: Notice, _ context: CheckContext) -> Bool {
    notice.sender.description == context.target.host && notice["nts"] == "ssdp:alive"
      && context.target.udns.contains { notice["usn"].lowercased().hasPrefix($0.lowercased()) }
  }

}

extension CheckContext {
  /// The types and USNs that the device announces, with a blank between them (UDA 1.0 §1.1.2).
  var announcedPairs: [String] {
    let root = target.description.root
    var pairs = ["upnp:rootdevice \(root.udn)::upnp:rootdevice"]
    for device in root.all {
      pairs.append("\(device.udn) \(device.udn)")
      for type in [device.type] + device.services.map(\.type) { pairs.append("\(type) \(device.udn)::\(type)") }
    }
    return pairs
  }
}
