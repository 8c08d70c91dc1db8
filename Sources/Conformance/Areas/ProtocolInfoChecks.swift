import ControlPoint
import UPnP

/// The lists of formats and connections of ConnectionManager.
enum ProtocolInfoChecks {
  private static let service = "ConnectionManager"
  private static let getProtocolInfo = Prerequisite.action(service, "GetProtocolInfo")

  /// Fails with the problems of the lists in Source and Sink.
  private static func lists(
    _ id: String, _ requirement: String, source: String, expected: String, steps: String,
    _ problems: @escaping @Sendable (_ list: String) throws(Finding) -> [String]
  ) -> Check {
    Check(
      "cm/2.5.2/\(id)", .connectionManager, .practice, requirement, source: source, needs: [getProtocolInfo],
      steps: steps
    ) { context async throws(Finding) in
      let results = try await context.call(service, "GetProtocolInfo")
      var found: [String] = []
      for name in ["Source", "Sink"] { found += try problems(results[name] ?? "") }
      try context.expectNone(found, expected)
    }
  }

  static let all: [Check] = [
    lists(
      "dlna-parameters", "DLNA parameters in the fourth field have their form.",
      source: "schlarpc/castaway, docs/dlna-conformance.md", expected: "DLNA.ORG_OP=01 and the like",
      steps:
        "Reads Source and Sink. Passes if ORG_OP has two binary digits, ORG_CI one, and ORG_FLAGS 32 hexadecimal ones."
    ) { list in
      ProtocolInfo.list(list).flatMap { entry in
        let fields = entry.text.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        guard fields.count == 4, fields[3] != "*" else { return [String]() }
        return fields[3].split(separator: ";", omittingEmptySubsequences: false).filter { !isParameter($0) }.map {
          "\"\($0.prefix(50))\""
        }
      }
    },
    lists(
      "separators", "The entries of a list are separated by commas alone.",
      source: "StevenLooman/async_upnp_client splits the list at commas", expected: "no blanks or line breaks",
      steps: "Reads Source and Sink. Passes if no entry begins or ends with a blank or a line break."
    ) { list in
      list.split(separator: ",").filter { $0.first?.isWhitespace ?? false || $0.last?.isWhitespace ?? false }.map {
        "\"\($0.prefix(50))\""
      }
    },
    lists(
      "network", "The network of entries for http-get is an asterisk.", source: "ConnectionManager:1 §2.5.2",
      expected: "http-get:*:", steps: "Reads Source and Sink. Passes if the second field of http-get is an asterisk."
    ) { list in
      list.split(separator: ",").filter { $0.hasPrefix("http-get:") && !$0.hasPrefix("http-get:*:") }.map {
        "\"\($0.prefix(50))\""
      }
    },
    Check(
      "cm/2.5.2/l16", .connectionManager, .practice, "A device that lists audio/L16 names a rate for it.",
      source: "RFC 2586 §4.1, where it is required",
      needs: [getProtocolInfo], steps: "Reads Sink. Passes if an entry of audio/L16 has the parameter rate."
    ) { context async throws(Finding) in
      let list = try await context.call(service, "GetProtocolInfo")["Sink"] ?? ""
      let entries = ProtocolInfo.list(list).filter { $0.contentFormat.lowercased().hasPrefix("audio/l16") }
      guard !entries.isEmpty else { throw .skip("the device does not list audio/L16") }
      try context.expect(
        entries.contains { $0.contentFormat.lowercased().contains("rate=") }, "an entry with a rate",
        got: entries.map(\.text).joined(separator: ", "))
    },
    Check(
      "cm/2.4/prepare", .connectionManager, .practice,
      "PrepareForConnection and ConnectionComplete are both offered, or neither.", source: "ConnectionManager:1 §2.4",
      needs: [.service(service)], steps: "Reads the SCPD. Passes if it has both actions, or neither."
    ) { context throws(Finding) in
      let scpd = try context.service(service).scpd
      let (prepares, completes) = (
        scpd?.action("PrepareForConnection") != nil, scpd?.action("ConnectionComplete") != nil
      )
      try context.expect(
        prepares == completes, "both actions or neither",
        got: prepares ? "PrepareForConnection alone" : "ConnectionComplete alone")
    },
    Check(
      "cm/2.4/connection-protocol", .connectionManager, .practice,
      "The ProtocolInfo of connection 0 is empty or has four fields.",
      source: "schlarpc/castaway, docs/dlna-conformance.md", needs: [.action(service, "GetCurrentConnectionInfo")],
      steps: "Calls GetCurrentConnectionInfo for connection 0. Passes if ProtocolInfo is empty or has four fields."
    ) { context async throws(Finding) in
      let info = try await context.call(service, "GetCurrentConnectionInfo", [("ConnectionID", "0")])
      let text = info["ProtocolInfo"] ?? ""
      try context.expect(
        text.isEmpty || text.split(separator: ":", omittingEmptySubsequences: false).count >= 4,
        "an empty text or four fields", got: "\"\(text)\"")
    },
  ]

  /// Whether a parameter has the form of the DLNA guidelines; parameters of others may have any.
  private static func isParameter(_ text: Substring) -> Bool {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return false }
    switch parts[0] {
    case "DLNA.ORG_OP": return parts[1].count == 2 && parts[1].allSatisfy { "01".contains($0) }
    case "DLNA.ORG_CI": return parts[1] == "0" || parts[1] == "1"
    case "DLNA.ORG_FLAGS": return parts[1].count == 32 && parts[1].allSatisfy(\.isHexDigit)
    case "DLNA.ORG_PN": return !parts[1].isEmpty
    default: return true
    }
  }
}
