import ControlPoint
import UPnP

/// Times and sets of answers to searches (UDA §1.2, in UPnP 1.1 §1.3).
enum SearchChecks {
  /// The answers to ssdp:all, which several checks read.
  private static func allAnswers(_ context: CheckContext) async throws(Finding) -> [SearchAnswer] {
    try await context.shared.value("answers to ssdp:all", isLogged: true) { () async throws(Finding) in
      let expected = context.announcedPairs
      var all: [SearchAnswer] = []
      // A datagram can be lost.
      for _ in 0..<3 where !Set(expected).isSubset(of: all.map { "\($0["st"]) \($0["usn"])" }) {
        all += try await context.exchange(
          CheckContext.search("ssdp:all"), within: context.times.search, unicast: false
        ) { _ in false }
      }
      return all
    }
  }

  static let all: [Check] = [
    Check(
      "uda/1.3.3/all-pairs", .discovery, .practice,
      "The answers to ssdp:all have the ST and USN pairs of the description, and no others.",
      source: "UDA 1.0 §1.2.3 (3+2d+k answers)", needs: [.searchable],
      steps:
        "Searches for ssdp:all. Passes if every pair of ST and USN is one of the description's devices and services."
    ) { context async throws(Finding) in
      let expected = Set(context.announcedPairs)
      let found = try await Set(allAnswers(context).map { "\($0["st"]) \($0["usn"])" })
      try context.expectNone(
        expected.subtracting(found).sorted().map { "no \($0)" } + found.subtracting(expected).sorted(),
        "the pairs of the description")
    },
    Check(
      "uda/1.3.3/answers-agree", .discovery, .practice,
      "All answers have the same LOCATION, BOOTID.UPNP.ORG and CONFIGID.UPNP.ORG, and a max-age.",
      source: "UDA 1.1 §1.2.2 and §1.3.3; control points take the LOCATION of any answer", needs: [.searchable],
      steps: "Searches for ssdp:all. Passes if these headers are the same in all answers."
    ) { context async throws(Finding) in
      let answers = try await allAnswers(context)
      var problems = ["location", "bootid.upnp.org", "configid.upnp.org"].flatMap { name -> [String] in
        let values = Set(answers.map { $0[name] }).sorted().map { "\"\($0)\"" }
        return values.count > 1 ? ["the \(name.uppercased()) \(values.joined(separator: " and "))"] : []
      }
      problems += answers.filter { DiscoveryChecks.maxAge($0) == nil }
        .map { "the CACHE-CONTROL \"\($0["cache-control"])\" for \($0["st"])" }
      try context.expectNone(problems, "the same headers in all answers")
    },
    Check(
      "uda/1.3.3/within-mx", .discovery, .practice, "All answers to a search come within the time in MX.",
      source: "UDA 1.0 §1.2.2; control points stop listening then", needs: [.searchable],
      steps: "Searches for ssdp:all with an MX of 2. Passes if the last expected answer comes within 2.5 seconds."
    ) { context async throws(Finding) in
      let expected = Set(context.announcedPairs)
      let answers = try await context.exchange(
        CheckContext.search("ssdp:all", mx: "2"), within: .seconds(4), unicast: false
      ) { answers in
        expected.isSubset(of: answers.map { "\($0["st"]) \($0["usn"])" })
      }
      guard let last = answers.map(\.delay).max(), let first = answers.map(\.delay).min() else {
        throw .failure(expected: "answers within 2 seconds", got: "none")
      }
      context.measure("first answer", first)
      context.measure("last answer", last)
      try context.expectInTime(
        last <= .milliseconds(2500), "the last answer within 2 seconds", got: "one after \(Figures.seconds(last))")
    },
    Check(
      "uda/1.3.3/udn-usn", .discovery, .practice, "The USN of an answer to a search for a UDN is the UDN alone.",
      source: "the table in UDA 1.0 §1.2.3", needs: [.searchable],
      steps: "Searches for the UDN. Passes if ST and USN of the answer are the UDN."
    ) { context async throws(Finding) in
      let udn = context.target.description.root.udn
      guard let answer = try await context.answers(toSearch: CheckContext.search(udn)).first else {
        throw .failure(expected: "an answer to a search for \(udn)", got: "none")
      }
      try context.expect(
        answer["st"] == udn && answer["usn"] == udn, "the UDN as ST and USN",
        got: "\"\(answer["st"])\" and \"\(answer["usn"])\"")
    },
    Check(
      "uda/1.3.2/header-case", .discovery, .must, "The names of the headers of a search count in any case.",
      source: "RFC 9110 §5.1", needs: [.searchable],
      steps: "Searches with headers in lower case and without blanks after the colons. Passes if an answer comes."
    ) { context async throws(Finding) in
      let datagram = """
        M-SEARCH * HTTP/1.1\r\nhost:239.255.255.250:1900\r\nman:"ssdp:discover"\r\nmx:1\r\nst:upnp:rootdevice\r\n\r\n
        """
      let answers = try await context.answers(toSearch: datagram.replacing("\n\n", with: "\n"))
      try context.expect(!answers.isEmpty, "an answer", got: "none")
    },
    Check(
      "uda/1.3.2/unknown-headers", .discovery, .practice, "A search may have headers that the device does not know.",
      source: "UDA 2.0 §1.3.2 adds CPFN.UPNP.ORG and others", needs: [.searchable],
      steps: "Searches with USER-AGENT, CPFN.UPNP.ORG and an unknown header. Passes if an answer comes."
    ) { context async throws(Finding) in
      let datagram = CheckContext.datagram(headers: [
        ("MAN", "\"ssdp:discover\""), ("MX", "1"), ("ST", "upnp:rootdevice"), ("USER-AGENT", RawRequest.product),
        ("CPFN.UPNP.ORG", "Conformance test"), ("X-UNKNOWN", "1"),
      ])
      let answers = try await context.answers(toSearch: datagram)
      try context.expect(!answers.isEmpty, "an answer", got: "none")
    },
  ]
}
