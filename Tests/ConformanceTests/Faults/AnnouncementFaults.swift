extension FaultRow {
  static let announcements: [FaultRow] = [
    FaultRow("uda/1.3.3/all-pairs", .search { _, answers in answers + [strayAnswer] }),
    FaultRow(
      "uda/1.3.3/answers-agree",
      .search { _, answers in
        answers.map { $0.contains("ST: urn") ? $0.replacing("/renderer/description", with: "/renderer/old") : $0 }
      }),
    FaultRow(
      "uda/1.3.3/own-targets", .search { _, answers in answers.map { $0.replacing("ST: urn:", with: "ST: URN:") } }),
    FaultRow("uda/1.2.2/alive-headers", .notice("max-age=1800", "max-age=soon")),
    FaultRow("uda/1.3.3/within-mx", Fault(searchDelay: { $0.contains("MX: 2") ? .milliseconds(2700) : .zero })),
    FaultRow(
      "uda/1.3.3/udn-usn",
      .search { search, answers in
        search.contains("ST: uuid:") ? answers.map { $0.replacing("\r\nUSN: ", with: "\r\nUSN: x") } : answers
      }),
    FaultRow(
      "uda/1.3.2/header-case", .search { search, answers in search.contains("man:") ? [] : answers }),
    FaultRow(
      "uda/1.3.2/unknown-headers", .search { search, answers in search.contains("CPFN") ? [] : answers }),
    FaultRow(
      "uda/1.2.2/reannounced",
      Fault(
        onSearch: { _, answers in answers.map { $0.replacing("max-age=1800", with: "max-age=2") } },
        onNotice: { _ in nil })),
    FaultRow("uda/1.2.2/alive-set", Fault(onNotice: { $0.contains("AVTransport") ? nil : $0 })),
    FaultRow("uda/1.2.2/alive-headers", .notice("HOST: 239.255.255.250:1900", "HOST: 127.0.0.1:1900")),
    FaultRow("uda/1.2.2/alive-location", .notice("/description.xml", "/old.xml")),
    FaultRow("uda/1.2.2/alive-bootid", .notice("BOOTID.UPNP.ORG: 1\r\n", "BOOTID.UPNP.ORG: 2\r\n")),
  ]

  private static let strayAnswer =
    "HTTP/1.1 200 OK\r\nST: urn:schemas-upnp-org:service:Toaster:1\r\nUSN: \(StandInDevice.renderer.udn)::upnp:toaster\r\n\r\n"
}

extension Fault {
  /// Replaces text in announcements.
  fileprivate static func notice(_ old: String, _ new: String) -> Fault {
    Fault(onNotice: { $0.replacing(old, with: new) })
  }
}
