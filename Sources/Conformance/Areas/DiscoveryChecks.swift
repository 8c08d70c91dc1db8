import ControlPoint
import UPnP

/// Searches and their answers (UDA §1.3).
enum DiscoveryChecks {
  private static let validator =
    "Intel Device Validator (Ylianst/Developer-Tools-for-UPnP-Technologies, Tools/DeviceValidator)"

  static let all: [Check] = targets + headers + silences

  // MARK: Targets

  private static let targets: [Check] = [
    Check(
      CheckContext.searchBasis, .discovery, .must, "A device answers searches, within the time in MX.",
      source: "UDA 1.1 §1.3.3; UDA 1.0 §1.2.3",
      steps: """
        Searches for upnp:rootdevice with an MX of 1, up to three times, and waits longer than that. Passes if an answer comes \
        within a second, give or take 0.7 s.
        """
    ) { context async throws(Finding) in
      var latest: Duration?
      for _ in 0..<3 {
        let answers = try await context.exchange(
          CheckContext.search("upnp:rootdevice"), within: context.times.search + context.times.late, unicast: false
        ) { !$0.isEmpty }
        guard let delay = answers.first?.delay else { continue }
        latest = delay
        if delay <= context.times.search { return context.measure("answer to a search", delay) }
      }
      context.noteLateness()
      throw .failure(
        expected: "an answer within 1 s",
        got: latest.map { "one after \(Figures.seconds($0))" } ?? "none to three searches")
    },
    Check(
      "uda/1.3.3/own-targets", .discovery, .must,
      "A device answers searches for its root device, its UDNs, and its device and service types.",
      source: "UDA 1.1 §1.3.3", needs: [.searchable],
      steps: """
        Searches by multicast for upnp:rootdevice, each UDN and each type of the description. Passes if each search is \
        answered, with the ST of the search and a USN of the description.
        """
    ) { context async throws(Finding) in
      let types = context.types.map(\.description)
      let pairs = Set(context.announcedPairs.map { $0.lowercased() })
      @Sendable func isRight(_ answer: SearchAnswer, _ text: String) -> Bool {
        answer["st"] == text && pairs.contains("\(text) \(answer["usn"])".lowercased())
      }
      var problems: [String] = []
      for text in ["upnp:rootdevice"] + context.target.udns + types {
        let answers = try await context.answers(toSearch: CheckContext.search(text)) { answers in
          answers.contains { isRight($0, text) }
        }
        if answers.contains(where: { isRight($0, text) }) { continue }
        let other = answers.first.map { "ST \"\($0["st"])\" and USN \"\($0["usn"])\"" }
        problems.append("\(other ?? "none") for \(text)")
      }
      try context.expectNone(problems, "an answer to a search for each")
    },
    Check(
      "uda/1.3.3/older-version", .discovery, .practice,
      "A device of a later version answers searches for the earlier ones, with the version that was asked for.",
      source: "UDA 1.0 §1.2.3 (should); control points search for version 1", needs: [.searchable, .laterVersion],
      steps:
        "Searches for version 1 of each later type. Passes if an answer comes whose ST is the type that was asked for."
    ) { context async throws(Finding) in
      for type in context.laterTypes {
        let text = type.version(1).description
        let answers = try await context.answers(toSearch: CheckContext.search(text))
        guard let answer = answers.first else {
          throw .failure(expected: "an answer to a search for \(text)", got: "none")
        }
        try context.expect(answer["st"] == text, "the ST \(text)", got: "\"\(answer["st"])\"")
      }
    },
    Check(
      "uda/1.3.3/all", .discovery, .must,
      "A search for ssdp:all is answered for the root device, each UDN, each device type and each service type.",
      source: "UDA 1.0 §1.2.3 (3+2d+k answers)", needs: [.searchable],
      steps: "Searches for ssdp:all. Passes if there is an answer for the root device, each UDN and each type."
    ) { context async throws(Finding) in
      let expected = Set(["upnp:rootdevice"] + context.target.udns + context.types.map(\.description))
      let answers = try await context.answers(toSearch: CheckContext.search("ssdp:all")) { answers in
        expected.isSubset(of: Set(answers.map { $0["st"] }))
      }
      let missing = expected.subtracting(answers.map { $0["st"] })
      try context.expectNone(missing.sorted().map { "none for \($0)" }, "an answer for each type")
    },
    Check(
      "uda/1.3.3/unicast", .discovery, .should, "A device answers a unicast search within one second.",
      source: "UDA 1.1 §1.3.3", needs: [.searchable, .version11],
      steps:
        "Searches for upnp:rootdevice at the device's own address, up to three times. Passes if one search is answered within a second."
    ) { context async throws(Finding) in
      let datagram = CheckContext.datagram(
        host: "\(context.target.host):1900", headers: [("MAN", #""ssdp:discover""#), ("ST", "upnp:rootdevice")])
      for _ in 0..<3 {
        let answers = try await context.exchange(datagram, within: context.times.unicast, unicast: true) {
          !$0.isEmpty
        }
        if !answers.isEmpty { return }
      }
      throw .failure(expected: "an answer within one second", got: "none to three unicast searches")
    },
  ]

  // MARK: Headers of an answer

  private static func header(
    _ name: String, _ level: Level, _ requirement: String, source: String, needs: [Prerequisite] = [], passes: String,
    _ examine: @escaping @Sendable (SearchAnswer, CheckContext) async throws(Finding) -> Void
  ) -> Check {
    Check(
      "uda/1.3.3/\(name)", .discovery, level, requirement, source: source, needs: [.searchable] + needs,
      steps: "Searches for upnp:rootdevice and reads the first answer. Passes with \(passes)."
    ) { context async throws(Finding) in
      try await examine(try await context.rootAnswer(), context)
    }
  }

  private static let headers: [Check] = [
    header(
      "st", .must, "The ST of an answer is the one of the search.", source: "UDA 1.0 §1.2.3",
      passes: "the ST upnp:rootdevice"
    ) {
      answer, context throws(Finding) in
      try context.expect(answer["st"] == "upnp:rootdevice", "the ST upnp:rootdevice", got: "\"\(answer["st"])\"")
    },
    header(
      "usn", .must, "The USN of an answer is the UDN, followed by :: and the ST unless that is the UDN.",
      source: "UDA 1.0 §1.2.3", passes: "the USN UDN::upnp:rootdevice"
    ) { answer, context throws(Finding) in
      let expected = "\(context.target.description.root.udn)::upnp:rootdevice"
      try context.expect(answer["usn"] == expected, "the USN \(expected)", got: "\"\(answer["usn"])\"")
    },
    header(
      "udn", .must, "The UDN in the USN of an answer is one of the description.", source: "UDA 1.0 §1.2.3, §2.1",
      passes: "a USN that begins with a UDN of the description"
    ) { answer, context throws(Finding) in
      let udn = answer["usn"].firstRange(of: "::").map { String(answer["usn"][..<$0.lowerBound]) } ?? answer["usn"]
      try context.expect(
        context.target.udns.contains(udn), "a UDN of the description, such as \(context.target.description.root.udn)",
        got: "\"\(udn)\"")
    },
    header(
      "location", .must, "LOCATION is the URL of the description, at an address that the searcher can reach.",
      source: "UDA 1.1 §1.3.3", passes: "a LOCATION that leads to a description with this UDN"
    ) { answer, context async throws(Finding) in
      guard let url = HTTPURL(answer["location"]) else {
        throw .failure(expected: "an http URL in LOCATION", got: "\"\(answer["location"])\"")
      }
      let response = try await context.get(url)
      try context.expect(response.status == 200, "status 200 from \(url)", got: "\(response.status)")
      let udn = (try? XMLDocument.read(response.body).root)?["device"]?.text("UDN") ?? ""
      try context.expect(
        udn == context.target.description.root.udn, "the description of \(context.target.description.root.udn)",
        got: "that of \"\(udn)\"")
    },
    header(
      "cache-control", .must, "CACHE-CONTROL has a max-age in seconds.", source: "UDA 1.1 §1.3.3",
      passes: "max-age= and an integer in CACHE-CONTROL"
    ) { answer, context throws(Finding) in
      try context.expect(
        maxAge(answer) != nil, "max-age= and a number in CACHE-CONTROL", got: "\"\(answer["cache-control"])\"")
    },
    header(
      "max-age", .should, "An answer is valid for at least 1800 seconds.", source: "UDA 1.1 §1.3.3",
      passes: "a max-age of at least 1800"
    ) { answer, context throws(Finding) in
      guard let age = maxAge(answer) else { throw .skip("there is no max-age") }
      try context.expect(age >= 1800, "a max-age of at least 1800", got: "\(age)")
    },
    header(
      "ext", .must, "An answer has an empty EXT header.", source: "UDA 1.0 §1.2.3",
      passes: "a header EXT without a value"
    ) {
      answer, context throws(Finding) in
      try context.expect(answer.message["ext"] == "", "an empty EXT", got: answer.message["ext"] ?? "none")
    },
    header(
      "server", .must, "SERVER names the version of UPnP, between the operating system and the product.",
      source: "UDA 1.0 §1.2.3", passes: "UPnP/1. or UPnP/2. in SERVER"
    ) { answer, context throws(Finding) in
      let server = answer["server"]
      try context.expect(
        server.contains("UPnP/1.") || server.contains("UPnP/2."), "SERVER with UPnP/1.0, UPnP/1.1 or UPnP/2.0",
        got: "\"\(server)\"")
    },
    header(
      "bootid", .must, "An answer has a BOOTID.UPNP.ORG, a number from 0 to 2147483647.", source: "UDA 1.1 §1.2.2",
      needs: [.version11], passes: "such a number in BOOTID.UPNP.ORG"
    ) { answer, context throws(Finding) in
      let text = answer["bootid.upnp.org"]
      try context.expect(
        Int(device: text).map { (0...Int(Int32.max)).contains($0) } ?? false, "a number in BOOTID.UPNP.ORG",
        got: text.isEmpty ? "none" : "\"\(text)\"")
    },
  ]

  static func maxAge(_ answer: SearchAnswer) -> Int? { maxAge(answer["cache-control"]) }

  /// The max-age in a CACHE-CONTROL.
  static func maxAge(_ text: String) -> Int? {
    let value = text.lowercased().filter { $0 != " " }
    guard let range = value.firstRange(of: "max-age=") else { return nil }
    return Int(device: value[range.upperBound...].prefix { $0.isASCII && $0.isNumber })
  }

  // MARK: Silence

  private static func silence(
    _ id: String, _ level: Level, _ what: String, source: String = validator, needs: [Prerequisite] = [],
    _ datagram: @escaping @Sendable (CheckContext) -> String
  ) -> Check {
    Check(
      id, .discovery, level, "A multicast search with \(what) is not answered.", source: source,
      needs: [.searchable] + needs,
      steps: "Sends a multicast search with \(what). Passes if no answer comes within 1.7 seconds."
    ) { context async throws(Finding) in
      try await context.expectSilence(datagram(context), about: what)
    }
  }

  private static let silences: [Check] = [
    silence(
      "uda/1.3.2/mx-missing", .must, "no MX", source: "UDA 1.1 §1.3.3", needs: [.version11]
    ) { _ in CheckContext.search("upnp:rootdevice", mx: nil) },
    silence("uda/1.3.2/mx-empty", .practice, "an empty MX") { _ in CheckContext.search("upnp:rootdevice", mx: "") },
    silence("uda/1.3.2/mx-negative", .practice, "a negative MX") { _ in
      CheckContext.search("upnp:rootdevice", mx: "-1")
    },
    silence("uda/1.3.2/mx-text", .practice, "an MX that is no number") { _ in
      CheckContext.search("upnp:rootdevice", mx: "soon")
    },
    silence("uda/1.3.2/man-missing", .practice, "no MAN") { _ in CheckContext.search("upnp:rootdevice", man: nil) },
    silence("uda/1.3.2/man-other", .practice, "another MAN") { _ in
      CheckContext.search("upnp:rootdevice", man: #""ssdp:other""#)
    },
    silence("uda/1.3.2/st-missing", .practice, "no ST") { _ in
      CheckContext.datagram(headers: [("MAN", #""ssdp:discover""#), ("MX", "1")])
    },
    silence("uda/1.3.2/st-empty", .practice, "an empty ST") { _ in CheckContext.search("") },
    silence("uda/1.3.2/st-unknown", .practice, "an unknown ST") { _ in CheckContext.search("upnp:nothing") },
    silence("uda/1.3.2/other-udn", .practice, "the UDN of another device") { _ in
      CheckContext.search("uuid:00000000-0000-4000-8000-0123456789ab")
    },
    silence("uda/1.3.2/other-type", .practice, "the type of another device") { _ in
      CheckContext.search("urn:schemas-upnp-org:device:Toaster:1")
    },
    silence("uda/1.3.2/newer-version", .practice, "a later version than the device's") { context in
      let type = context.target.description.root.type
      return CheckContext.search(URN(type).map { $0.version($0.version + 1).description } ?? type + "9")
    },
    silence("uda/1.3.2/request-uri", .practice, "a path instead of the asterisk") { _ in
      CheckContext.datagram(
        start: "M-SEARCH /description.xml HTTP/1.1",
        headers: [("MAN", #""ssdp:discover""#), ("MX", "1"), ("ST", "upnp:rootdevice")])
    },
    silence("uda/1.3.2/http-version", .practice, "no HTTP version") { _ in
      CheckContext.datagram(
        start: "M-SEARCH *", headers: [("MAN", #""ssdp:discover""#), ("MX", "1"), ("ST", "upnp:rootdevice")])
    },
  ]
}
